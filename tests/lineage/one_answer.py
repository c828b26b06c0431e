"""Whoever asks about a pair, in whatever way and order, gets the same answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import duckdb
import pytest

SAID = {"norms_used", "k_eff", "z_eff", "p", "statistic_used", "verdict"}


def assert_one_answer(
    connection: duckdb.DuckDBPyConnection,
    models: Iterable[str],
    pairs: Iterable[tuple[str, str]],
    matrix_of: str = "lineage_matrix",
) -> None:
    """`nearest` of these models, and `lineage` of these pairs, say what the matrix says.

    Every second pair is asked the other way round; `nearest` of all models is every pair in both orders.
    """
    rows = _rows(connection, f"from {matrix_of}")
    matrix = {(row["model_a"], row["model_b"]): row for row in rows}
    for one in models:
        rows = _rows(connection, f"from nearest('{one}', most := null)")
        found = {(min(one, row["model"]), max(one, row["model"])): row for row in rows}
        expected = {pair: row for pair, row in matrix.items() if one in pair}
        assert expected
        assert expected.keys() <= found.keys()
        for pair, row in expected.items():
            _same(found[pair], row)
    for number, pair in enumerate(pairs):
        first, second = pair if number % 2 else pair[::-1]
        [row] = _rows(connection, f"from lineage('{first}', '{second}')")
        assert (row["model_a"], row["model_b"]) == (first, second)
        _same(row, matrix[min(pair), max(pair)])


def _same(row: dict[str, Any], expected: dict[str, Any]) -> None:
    for name in SAID & expected.keys():
        value = expected[name]
        close = pytest.approx(value, rel=1e-7, abs=1e-12) if isinstance(value, float) else value
        assert row[name] == close, (name, row, expected)


def _rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = connection.sql(query).to_arrow_table().to_pylist()
    return rows
