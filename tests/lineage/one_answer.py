"""Whoever asks about a pair, in whatever way and order, gets the same answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import duckdb
import pytest

SAID = ("norms_used", "k_eff", "z_eff", "p", "statistic_used", "verdict")


def assert_one_answer(
    connection: duckdb.DuckDBPyConnection,
    matrix: Mapping[tuple[str, str], Mapping[str, Any]],
    models: Iterable[str],
) -> None:
    """`lineage` in both orders and `nearest` of either model say what the matrix says."""
    asked = set(models)
    nearest = {
        one: {row["model"]: row for row in _rows(connection, f"from nearest('{one}')")} for one in asked
    }
    for one, other in ((a, b) for a in asked for b in asked if a != b):
        row = matrix[min(one, other), max(one, other)]
        [alone] = _rows(connection, f"from lineage('{one}', '{other}')")
        for name in SAID:
            expected = (
                pytest.approx(row[name], rel=1e-9, abs=1e-12) if isinstance(row[name], float) else row[name]
            )
            if name == "statistic_used" and row[name]:
                # names the placed models in the order asked
                alone, near = (
                    {**x, name: sorted((x[name] or "").split())} for x in (alone, nearest[one][other])
                )
                expected = sorted(row[name].split())
            else:
                near = nearest[one][other]
            assert alone[name] == expected, (one, other, name)
            assert near[name] == expected, (one, other, name)


def _rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = connection.sql(query).to_arrow_table().to_pylist()
    return rows
