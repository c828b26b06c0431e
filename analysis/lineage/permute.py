"""The permutation part of the lineage test: what SQL would do too slowly.

SQL decides which norms enter and gives their ranks; here the dimensions of one model are reordered, by one
permutation for all of its norms at a time, and the statistic is computed again. Permuting breaks what two
related models share and keeps what a model's own layers share, which is why it needs no assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Stack = npt.NDArray[np.float64]
"""One row a norm: centred ranks of unit length, in dim order."""
Orders = npt.NDArray[np.uint16 | np.int64]

# One turn of a shuffled order for so many dimensions, 409 at 4096: a small part of all turns, whose sum is 0.
DIMENSIONS_A_TURN = 10
THREADS = 2
BATCH = 16  # permutations in one matrix product: 25 MB at 4096 dimensions and 48 layers of two norms


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


def permute_matched(one: Stack, other: Stack, permutations: int, random: np.random.Generator) -> Permuted:
    """The sum of the correlations of matched norms: row k of one with row k of the other.

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


@dataclass(frozen=True)
class Depths:
    """Norms of two models of different depth: per type a stack over layers (zero rows for dropped norms)."""

    shallow: Sequence[Stack]
    deep: Sequence[Stack]
    shallow_outer: Stack
    deep_outer: Stack
    """Matched norms that belong to no layer."""


def best_layers(depths: Depths) -> npt.NDArray[np.intp]:
    """For each layer of the shallow model the layer of the deep one that it resembles most."""
    agreement = np.array([a @ b.T for a, b in zip(depths.shallow, depths.deep, strict=True)]).sum(axis=0)
    best: npt.NDArray[np.intp] = agreement.argmax(axis=1)
    return best


def permute_mapped(depths: Depths, permutations: int, random: np.random.Generator) -> Permuted:
    """The sum over the shallow model's layers of the agreement with their best layer of the deep one.

    The best layer is sought again under every permutation, so that seeking it wins nothing.
    """
    shallow = [stack.astype(np.float32) for stack in (*depths.shallow, depths.shallow_outer)]
    deep = [stack.T.astype(np.float32).copy() for stack in (*depths.deep, depths.deep_outer)]
    width = len(deep[0])

    def statistics(orders: Orders) -> npt.NDArray[np.float64]:
        count = len(orders)
        flat = orders.T.ravel()
        permuted = [columns.take(flat, axis=0).reshape(width, count, -1) for columns in deep]
        agreement = np.zeros((len(shallow[0]), count, deep[0].shape[1]), np.float32)
        for rows, columns in zip(shallow[:-1], permuted[:-1], strict=True):
            agreement += (rows @ columns.reshape(width, -1)).reshape(agreement.shape)
        outer = np.einsum("kd,dnk->n", shallow[-1], permuted[-1])
        return np.asarray(agreement.max(axis=2).sum(axis=0) + outer, np.float64)

    observed = statistics(np.arange(width)[None])
    found = _shared_out(permutations, BATCH, random, lambda n, own: statistics(_orders(n, width, own)))
    return _among(float(observed[0]), found)


def _shared_out(
    permutations: int,
    most: int,
    random: np.random.Generator,
    work: Callable[[int, np.random.Generator], npt.NDArray[np.float64]],
) -> npt.NDArray[np.float64]:
    """What `work` gives for all permutations, at most so many at a time, over threads.

    Each part has a generator of its own: the result does not depend on which thread takes it.
    """
    counts = [min(most, permutations - first) for first in range(0, permutations, most)]
    with ThreadPoolExecutor(THREADS) as pool:
        return np.concatenate(list(pool.map(work, counts, random.spawn(len(counts)))))


def _orders(count: int, width: int, random: np.random.Generator) -> Orders:
    """That many random orders of the dimensions, one a row."""
    orders = np.empty((count, width), np.uint16 if width <= 1 << 16 else np.int64)
    for row in orders:
        row[:] = random.permutation(width)
    return orders


def _among(observed: float, permuted: npt.NDArray[np.float64]) -> Permuted:
    # A permutation that gives the same sum up to rounding counts as reaching it.
    reached = int((permuted >= observed - 1e-6).sum())
    count = len(permuted)
    return Permuted(
        observed, float(permuted.mean()), float(permuted.std()), count, (1 + reached) / (count + 1)
    )
