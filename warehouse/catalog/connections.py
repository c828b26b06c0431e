"""The one way to a DuckDB connection, with the settings that all of them have.

Its progress bar is off: DuckDB draws one on stdout, among the results, wherever it takes the process for an
interactive one (`python -c`, a notebook, a script read from stdin). What a command has to say while it
works goes to stderr (`warehouse/console/progress.py`). `just shell` is a program of its own and keeps its
bar.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from weakref import WeakSet

import duckdb

from warehouse.errors import CannotWrite

# A query could otherwise make DuckDB fetch an extension from the network and load it.
NO_DOWNLOADS = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}

_open: WeakSet[duckdb.DuckDBPyConnection] = WeakSet()


def can_be_written(file: Path) -> bool:
    """DuckDB takes what follows a question mark for options, and a backslash for a slash."""
    return not set(str(file)) & set("?\\")


def connect(
    file: Path | None = None, *, read_only: bool = False, config: Mapping[str, str | int] | None = None
) -> duckdb.DuckDBPyConnection:
    """To a database file, or to one in memory; cursors of it have no progress bar either."""
    if file is not None and not read_only and not can_be_written(file):
        raise CannotWrite(
            f"DuckDB cannot write {file}, which has a '?' or a backslash in its path: rename that folder"
        )
    connection = duckdb.connect(
        ":memory:" if file is None else str(file),
        read_only=read_only,
        config={**NO_DOWNLOADS, **(config or {})},
    )
    # Not among `config`, which takes settings of the database, and this one belongs to the connection.
    connection.execute("set enable_progress_bar = false")
    # A question about a hundred models reads their row groups only; by default DuckDB looks for up to fifty.
    connection.execute("set dynamic_or_filter_threshold = 1000")
    # One question reads a file's vectors several times, each time from its footer on.
    connection.execute("set parquet_metadata_cache = true")
    _open.add(connection)
    return connection


def stop_queries() -> None:
    """Whatever runs on connections of this process ends with an error; not on their cursors."""
    for connection in tuple(_open):
        with suppress(duckdb.ConnectionException):  # closed by its owner since
            connection.interrupt()


def plain_pattern(path: Path) -> str:
    """Absolute, for a function that takes patterns: what one would interpret stands in brackets."""
    return re.sub(r"([*?\[])", r"[\1]", str(path))


def literal(text: str) -> str:
    """As a string of SQL."""
    return "'" + text.replace("'", "''") + "'"
