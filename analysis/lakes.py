"""Says which lake a command reads, on stderr, before its results."""

from __future__ import annotations

import sys

import duckdb

from warehouse.lake import Lake


def announce(connection: duckdb.DuckDBPyConnection, lake: Lake) -> None:
    for line in description(connection, lake):
        print(line, file=sys.stderr)


def description(connection: duckdb.DuckDBPyConnection, lake: Lake) -> list[str]:
    """The lake in one line, and a second one when its numbers are no evidence."""
    [(models, sources, caution)] = connection.sql("select models, sources, caution from lake").fetchall()
    if not models:
        return [f"lake {lake.name}: no models yet, `just ingest … --lake {lake.name}` brings some"]
    first = f"lake {lake.name}: {models} model{'s' if models > 1 else ''} ({sources})"
    return [first, f"caution: {caution}"] if caution else [first]
