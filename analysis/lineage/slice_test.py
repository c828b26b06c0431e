"""The test on slices: profiles by numpy, everything else by the queries of sql/slices, for one pair or many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from analysis.lineage.profiles import Profiles, Side, choose, profile_table, whitened
from analysis.lineage.slices import Layer, Matrix, Slices
from analysis.rows import records
from warehouse.definitions import read_query

MEASURED = ("in_order", "matched", "without_tokens")
"""Queries whose answers are kept; the profiles that they are made from are too large for many pairs."""

BATCH_BYTES = 200_000_000


@dataclass(frozen=True)
class Limits:
    """The part of `lineage_thresholds` that says what enters."""

    least_tokens: int
    least_read: float
    sampled_neurons: int
    most_tokens: int = 512


@dataclass(frozen=True)
class Comparison:
    """Two layers, of the model with fewer neurons and of the other, and the tokens that both models have."""

    number: int
    row: dict[str, object]
    a: Side
    b: Side

    def profiles(self, most: int) -> pa.Table:
        return profile_table(self.number, self.a, self.b, choose(self.a.layer, self.b.layer, most))


def test_pairs(
    connection: duckdb.DuckDBPyConnection, pairs: Iterable[tuple[Slices, Slices]], anchors: Sequence[str]
) -> list[dict[str, Any]]:
    """One row per pair, as `slices/slice_pairs` gives it; models in alphabetical order."""
    ...
