"""The rows of a query as every page and command takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb


def records(
    connection: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, object] | None = None
) -> list[dict[str, Any]]:
    """By column, without Arrow, whose import takes as long as many a query."""
    answer = connection.execute(query, parameters or {})
    names = [name for name, *_ in answer.description or ()]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def about_lake(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Which lake is read, and the caution that belongs to every answer from it."""
    [about] = records(connection, "select lake, models, sources, caution, fingerprint from lake")
    return about
