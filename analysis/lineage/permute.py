"""The permutation part of the lineage test: what SQL would do too slowly.

SQL decides which norms enter and gives their ranks; here the dimensions of one model are reordered, by one
permutation for all of its norms at a time, and the statistic is computed again. Permuting breaks what two
related models share and keeps what a model's own layers share, which is why it needs no assumption.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Stack = npt.NDArray[np.float64]
"""One row a norm: centred ranks of unit length, in dim order."""

CHUNK = 2000  # permutations in memory at once: 65 MB at 4096 dimensions
# Permutations in one matrix product: enough to keep two cores at it, 25 MB at 4096 dimensions and 48 layers.
BATCH = 32


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
    """The sum of the correlations of matched norms: row k of one with row k of the other."""
    # Σ_k one[k]·other[k, π] = Σ_i outer[i, π(i)]: after one product a permutation costs d look-ups, not K·d.
    # F32: sums of 4096 terms are good to 1e-5, their spread under permutation is above 1e-1.
    outer = one.astype(np.float32).T @ other.astype(np.float32)
    sums = []
    for first in range(0, permutations, CHUNK):
        orders = _orders(min(CHUNK, permutations - first), len(outer), random).T.copy()
        total = np.zeros(orders.shape[1])
        for row, order in zip(outer, orders, strict=True):
            total += row.take(order)
        sums.append(total)
    return _among(float(np.trace(outer, dtype=np.float64)), np.concatenate(sums))


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

    def statistics(orders: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        count = len(orders)
        flat = orders.T.ravel()
        permuted = [columns.take(flat, axis=0).reshape(width, count, -1) for columns in deep]
        agreement = np.zeros((len(shallow[0]), count, deep[0].shape[1]), np.float32)
        for rows, columns in zip(shallow[:-1], permuted[:-1], strict=True):
            agreement += (rows @ columns.reshape(width, -1)).reshape(agreement.shape)
        outer = np.einsum("kd,dnk->n", shallow[-1], permuted[-1])
        return np.asarray(agreement.max(axis=2).sum(axis=0) + outer, np.float64)

    sums = [
        statistics(_orders(min(BATCH, permutations - first), width, random))
        for first in range(0, permutations, BATCH)
    ]
    observed = statistics(np.arange(width)[None])
    return _among(float(observed[0]), np.concatenate(sums))


def _orders(count: int, width: int, random: np.random.Generator) -> npt.NDArray[np.int64]:
    """That many random orders of the dimensions, one a row."""
    return np.stack([random.permutation(width) for _ in range(count)])


def _among(observed: float, permuted: npt.NDArray[np.float64]) -> Permuted:
    # A permutation that gives the same sum up to rounding counts as reaching it.
    reached = int((permuted >= observed - 1e-6).sum())
    count = len(permuted)
    return Permuted(
        observed, float(permuted.mean()), float(permuted.std()), count, (1 + reached) / (count + 1)
    )
