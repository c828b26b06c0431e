"""What `just sql` may run: queries that read. Nothing it is given can write a file, the lake's least of all.

DuckDB itself cannot be told to read a folder and not to write there: `allowed_directories` allows both.
"""

from __future__ import annotations

import re

import duckdb

from warehouse.errors import UsageError

# Settings can name files that are written later (profiling_output), so of those only variables.
QUERY = r"(select|from|with|values|table|pivot|unpivot|describe|show|summarize)\b|\("
ALLOWED = re.compile(rf"(explain\s+(analyze\s+)?(\([^)]*\)\s*)?)?({QUERY})|set\s+variable\s", re.IGNORECASE)
COMMENT = re.compile(r"\A(\s+|--[^\n]*(\n|\Z)|/\*.*?\*/)+", re.DOTALL)
READING = {"SELECT", "EXPLAIN", "MULTI", "SET"}


def refuse_writing(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """UsageError if a statement of the text does anything but read."""
    for statement in connection.extract_statements(query):
        text = COMMENT.sub("", statement.query)
        if statement.type.name not in READING or not ALLOWED.match(text):
            begin = " ".join(text.split())[:40]
            raise UsageError(
                f"`just sql` only reads, and this does not: {begin!r}; for rows in a file add --output FILE, "
                f"for anything else use `just shell`"
            )
