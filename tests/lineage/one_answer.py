"""Whoever asks about a pair, in whatever way and order, gets the same answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import duckdb
import pytest

SAID = ("norms_used", "k_eff", "z_eff", "p", "statistic_used", "verdict")


def assert_one_answer(
    connection: duckdb.DuckDBPyConnection,
    models: Iterable[str],
    pairs: Iterable[tuple[str, str]],
    matrix_of: str = "lineage_matrix",
) -> None:
    """`nearest` of these models, and `lineage` of these pairs in both orders, say what the matrix says."""
    rows = _rows(connection, f"from {matrix_of}")
    matrix = {(row["model_a"], row["model_b"]): row for row in rows}
    within = {model for pair in matrix for model in pair}
    for one in models:
        found = [
            row for row in _rows(connection, f"from nearest('{one}', most := null)") if row["model"] in within
        ]
        assert len(found) == sum(one in pair for pair in matrix)
        for row in found:
            _same(row, matrix[min(one, row["model"]), max(one, row["model"])])
    for one, other in pairs:
        for first, second in ((one, other), (other, one)):
            [row] = _rows(connection, f"from lineage('{first}', '{second}')")
            assert (row["model_a"], row["model_b"]) == (first, second)
            _same(row, matrix[min(one, other), max(one, other)])


def _same(row: dict[str, Any], expected: dict[str, Any]) -> None:
    for name in SAID:
        value = expected[name]
        close = pytest.approx(value, rel=1e-7, abs=1e-12) if isinstance(value, float) else value
        assert row[name] == close, (name, row, expected)


def _rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = connection.sql(query).to_arrow_table().to_pylist()
    return rows
