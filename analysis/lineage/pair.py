"""The lineage test on two models: SQL's row of statistics, and the permutations added to it."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np

from analysis.lineage.permute import Depths, Permuted, Stack, best_layers, permute_mapped, permute_matched

PERMUTATIONS = 10_000
# Each costs a hundred times as much as one of matched layers; 500 give z to 3 %, 100 to 7 %.
MAPPED_PERMUTATIONS = 500
MATRIX_PERMUTATIONS = 100

Norms = Mapping[tuple[str, int], np.ndarray]
"""(ln_type, layer) → ranks of unit length, those that the test may use."""


@dataclass(frozen=True)
class Pair:
    """What is known about two models."""

    row: Mapping[str, Any]
    """As `lineage(a, b)` gives it: layers matched by number."""
    matched: Permuted | None
    mapped: Permuted | None
    """With layers mapped blindly; only when the depths differ."""
    layer_map: tuple[tuple[int, int], ...]
    """Layers of the shallow model and their best layers of the deep one."""
    verdict: str

    @property
    def z(self) -> float | None:
        """What the verdict is about."""
        return self.row["z_eff"] if self.mapped is None else self.mapped.z


def compare_pair(
    connection: duckdb.DuckDBPyConnection,
    one: str,
    other: str,
    permutations: int = PERMUTATIONS,
    mapped_permutations: int = MAPPED_PERMUTATIONS,
    seed: int = 0,
) -> Pair:
    """An unknown model is DuckDB's error, which names it."""
    [row] = records(connection, "from lineage($a, $b)", {"a": one, "b": other})
    read = NormReader(connection)
    return add_permutations(read, row, permutations, mapped_permutations, seed)


def add_permutations(
    read: NormReader, row: Mapping[str, Any], permutations: int, mapped_permutations: int, seed: int
) -> Pair:
    """A row of `lineage_pairs` with what permuting adds; 0 permutations leave that part out."""
    one, other = row["model_a"], row["model_b"]
    matched, mapped, words = None, None, row["verdict"]
    layer_map: tuple[tuple[int, int], ...] = ()
    if row["norms_used"] and permutations:
        keys = [key for key in read(one) if key in read(other)]
        stacks = [np.stack([read(model)[key] for key in keys]) for model in (one, other)]
        matched = permute_matched(stacks[0], stacks[1], permutations, _random(one, other, seed))
    if row["norms_used"] and mapped_permutations and row["depth_a"] != row["depth_b"]:
        shallow, deep = (one, other) if row["depth_a"] < row["depth_b"] else (other, one)
        depths = _by_type(read(shallow), read(deep))
        if depths.shallow:
            mapped = permute_mapped(depths, mapped_permutations, _random(one, other, seed))
            layer_map = tuple((n, int(layer)) for n, layer in enumerate(best_layers(depths)))
            words = verdict(read.connection, mapped.z, row["obstacle"])
    return Pair(row, matched, mapped, layer_map, words)


def verdict(connection: duckdb.DuckDBPyConnection, z: float, reason: str | None) -> str:
    """The words of the SQL macro, thresholds included."""
    [(words,)] = connection.execute("select lineage_verdict(?::double, ?)", [z, reason]).fetchall()
    return str(words)


class NormReader:
    """Reads the norms that the test may use, each model once."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self._read: dict[str, Norms] = {}

    def __call__(self, model: str) -> Norms:
        if model not in self._read:
            self._read[model] = _usable_norms(self.connection, model)
        return self._read[model]


def records(
    connection: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """The rows by column, without Arrow, whose import takes as long as the test."""
    answer = connection.execute(query, parameters or {})
    names = [name for name, *_ in answer.description or ()]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def _usable_norms(connection: duckdb.DuckDBPyConnection, model: str) -> Norms:
    found = connection.execute(
        "select ln_type, layer, ranks from lineage_norms where model = $model and dropped is null "
        "order by ln_type, layer",
        {"model": model},
    ).fetchnumpy()
    keys = zip(found["ln_type"].tolist(), found["layer"].tolist(), strict=True)
    return {key: ranks / np.linalg.norm(ranks) for key, ranks in zip(keys, found["ranks"], strict=True)}


def _by_type(shallow: Norms, deep: Norms) -> Depths:
    """Stacks for the blind map; a norm that is dropped is a row of zeros, which agrees with nothing."""
    types = sorted(
        {kind for kind, layer in shallow if layer >= 0} & {kind for kind, layer in deep if layer >= 0}
    )
    width = len(next(iter(shallow.values())))

    def stack(norms: Norms, kind: str) -> Stack:
        depth = 1 + max(layer for _, layer in norms)
        return np.stack([norms.get((kind, layer), np.zeros(width)) for layer in range(depth)])

    outer = [key for key in shallow if key[1] < 0 and key in deep]
    return Depths(
        shallow=[stack(shallow, kind) for kind in types],
        deep=[stack(deep, kind) for kind in types],
        shallow_outer=np.array([shallow[key] for key in outer]).reshape(len(outer), width),
        deep_outer=np.array([deep[key] for key in outer]).reshape(len(outer), width),
    )


def _random(one: str, other: str, seed: int) -> np.random.Generator:
    """Fresh permutations for every pair, the same for the same pair in either order."""
    return np.random.Generator(np.random.SFC64([seed, zlib.crc32(" ".join(sorted((one, other))).encode())]))
