"""The permutation part of the lineage test: what SQL would do too slowly.

SQL decides which vectors are compared; here the dimensions of one model are reordered, by one
permutation for all of its norms at a time, and the statistic is computed again. Permuting breaks what two
related models share and keeps what a model's own layers share, which is why it needs no assumption.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Stack = npt.NDArray[np.float64]
"""One row per vector, of length 1, in dim order."""

# One turn of a shuffled order for so many dimensions, 409 at 4096: a small part of all turns, whose sum is 0.
DIMENSIONS_A_TURN = 10


@dataclass(frozen=True)
class Permuted:
    """An observed statistic among its permutations."""

    observed: float
    mean: float
    std: float
    permutations: int
    p: float
    """One-sided, the observed one counted in: never below 1 / (permutations + 1)."""

    @property
    def z(self) -> float:
        return (self.observed - self.mean) / self.std if self.std > 0 else 0.0


def permute(one: Stack, other: Stack, permutations: int, random: np.random.Generator) -> Permuted:
    """The sum of the correlations: row k of one with row k of the other.

    Shuffling takes longest, so every shuffled order serves many times, turned by some places, which makes it
    another uniformly random order: a Fourier transform gives the sums of all turns at the price of one. The
    sums of all d turns add to 0, so that two of them are correlated by -1 / (d-1), which is next to nothing.
    """
    width = one.shape[1]
    turns = max(1, width // DIMENSIONS_A_TURN)
    fixed = np.fft.rfft(one, axis=1).conj()
    found = []
    for first in range(0, permutations, turns):
        turned = np.fft.rfft(other[:, random.permutation(width)], axis=1)
        sums = np.fft.irfft(np.einsum("kf,kf->f", fixed, turned), n=width)
        chosen = random.choice(width, min(turns, permutations - first), replace=False)
        found.append(sums[chosen])
    return _among(float(np.sum(one * other)), np.concatenate(found))


def _among(observed: float, permuted: npt.NDArray[np.float64]) -> Permuted:
    # A permutation that gives the same sum up to rounding counts as reaching it.
    reached = int((permuted >= observed - 1e-6).sum())
    count = len(permuted)
    return Permuted(
        observed, float(permuted.mean()), float(permuted.std()), count, (1 + reached) / (count + 1)
    )
