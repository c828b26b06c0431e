"""What is the same on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from analysis.spark.lake import Place
from warehouse.lake import Lake

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def place(lake: Lake) -> Place:
    return Place(lake.name, f"file://{lake.folder}")


def rows_of(found: DataFrame) -> list[dict[str, Any]]:
    return [row.asDict() for row in found.collect()]


def assert_same(ours: list[dict[str, Any]], theirs: list[dict[str, Any]], *keys: str) -> None:
    """Every column: numbers to a millionth of their value, all else to the letter."""
    by_key = {tuple(row[key] for key in keys): row for row in theirs}
    assert len(ours) == len(theirs) == len(by_key) > 0
    for row in ours:
        other = by_key[tuple(row[key] for key in keys)]
        assert row.keys() == other.keys()
        for name, value in row.items():
            same = pytest.approx(value, rel=1e-6, abs=1e-300) if isinstance(value, float) else value
            assert other[name] == same, (row, name)
