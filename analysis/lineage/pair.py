"""The lineage test on two models: what their norms say, their slices where both have them, and the answer.

Added are a p-value by permuting dimensions, which needs no assumption about the distribution of z, and for
models of different depth which layers resemble each other most. Neither changes the answer.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import duckdb

from analysis.rows import fetch_dicts

if TYPE_CHECKING:  # numpy is slow to import, and only permutations need it
    import numpy as np
    import numpy.typing as npt

PERMUTATIONS = 10_000
# One turn of a shuffled order for so many dimensions, 409 at 4096: a small part of all turns, whose sum is 0.
DIMENSIONS_A_TURN = 10

Stack: TypeAlias = "npt.NDArray[np.float64]"
"""One row per vector, of length 1, in dim order."""


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


@dataclass(frozen=True)
class Pair:
    """What is known about two models."""

    row: Mapping[str, Any]
    """What their norms say, as `lineage(a, b)` gives it."""
    answer: str
    """Of norms and slices together."""
    slices: Mapping[str, Any] | None = None
    """What their slices say, as `slices/slice_pairs` gives it; models in alphabetical order."""
    without_slices: tuple[Mapping[str, Any], ...] = ()
    """Models that have none: model, source, repo."""
    permuted: Permuted | None = None
    layer_map: tuple[tuple[int, int], ...] = ()
    """Layers of the first model and those of the second that they resemble most; empty if depths agree."""


def compare_pair(
    connection: duckdb.DuckDBPyConnection,
    one: str,
    other: str,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> Pair:
    """An unknown model is DuckDB's error, which names it."""
    pair = answered(connection, one, other)
    row = pair.row
    if row["z_eff"] is None:
        return pair
    stacks = _compared(connection, one, other, str(row["statistic_used"]).partition(",")[0])
    permuted = permute(*stacks, permutations, _random(one, other, seed))
    layer_map = nearest_layers(connection, one, other) if row["depth_a"] != row["depth_b"] else ()
    return replace(pair, permuted=permuted, layer_map=layer_map)


def answered(connection: duckdb.DuckDBPyConnection, one: str, other: str) -> Pair:
    """The one answer, without what changes nothing about it."""
    [row] = fetch_dicts(connection, "from lineage($a, $b)", {"a": one, "b": other})
    absent = tuple(
        fetch_dicts(
            connection,
            "select model, source, repo from models where model in ($a, $b) "
            "and model not in (select model from slices) order by model",
            {"a": one, "b": other},
        )
    )
    slices = None if absent else _by_slices(connection, one, other)
    [[answer]] = connection.execute(
        "select lineage_answer($norms, $slices)",
        {"norms": row["verdict"], "slices": slices["verdict"] if slices else None},
    ).fetchall()
    return Pair(row, answer, slices, absent)


def _by_slices(connection: duckdb.DuckDBPyConnection, one: str, other: str) -> Mapping[str, Any] | None:
    # slow to import, and most pairs have none
    from analysis.lineage.slices.compare import compare_slices, shared_anchors, slice_pair
    from analysis.lineage.slices.read import read_slices

    first, second = (read_slices(connection, model) for model in (one, other))
    if first is None or second is None:
        return None
    anchors = shared_anchors(connection, first, second)
    [row] = compare_slices(connection, [slice_pair(first, second, anchors)])
    return row


def _compared(connection: duckdb.DuckDBPyConnection, one: str, other: str, kind: str) -> tuple[Stack, Stack]:
    """The vectors that SQL compares, of length 1: row k of one belongs to row k of the other."""
    import numpy as np

    found = connection.execute(
        "select model, ln_type, layer, vector from lineage_vectors(among := [$a, $b]) where kind = $kind "
        "order by ln_type, layer",
        {"a": one, "b": other, "kind": kind},
    ).fetchnumpy()
    by_model: dict[str, dict[tuple[str, int], np.ndarray]] = {one: {}, other: {}}
    columns = (found[name] for name in ("model", "ln_type", "layer", "vector"))
    for model, ln_type, layer, vector in zip(*columns, strict=True):
        by_model[str(model)][str(ln_type), int(layer)] = np.asarray(vector) / np.linalg.norm(vector)
    common = [norm for norm in by_model[one] if norm in by_model[other]]
    first, second = (np.stack([by_model[model][norm] for norm in common]) for model in (one, other))
    return first, second


def nearest_layers(
    connection: duckdb.DuckDBPyConnection, one: str, other: str
) -> tuple[tuple[int, int], ...]:
    """For each layer of the first model the layer of the second whose norm weights it resembles most."""
    rows = fetch_dicts(
        connection,
        "select layer_a, arg_max(layer_b, agreement) as layer_b "
        "from lineage_layers($a, $b) group by layer_a order by layer_a",
        {"a": one, "b": other},
    )
    return tuple((row["layer_a"], row["layer_b"]) for row in rows)


def _random(one: str, other: str, seed: int) -> np.random.Generator:
    """Fresh permutations for every pair, the same for the same pair in either order."""
    import numpy as np

    return np.random.Generator(np.random.SFC64([seed, zlib.crc32(" ".join(sorted((one, other))).encode())]))


def permute(one: Stack, other: Stack, permutations: int, random: np.random.Generator) -> Permuted:
    """The sum of the correlations: row k of one with row k of the other.

    Shuffling takes longest, so every shuffled order serves many times, turned by some places, which makes it
    another uniformly random order: a Fourier transform gives the sums of all turns at the price of one. The
    sums of all d turns add to 0, so that two of them are correlated by -1 / (d-1), which is next to nothing.
    """
    import numpy as np

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
