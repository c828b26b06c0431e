"""Opens all DuckDB connections, with the settings that they share.

DuckDB's progress bar is off: in what it takes for an interactive process (`python -c`, a notebook) it would
draw one on stdout, among the results.
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
    """False for paths that DuckDB misreads: text after a question mark is options, a backslash a slash."""
    return not set(str(file)) & set("?\\")


def connect(
    file: Path | None = None, *, read_only: bool = False, config: Mapping[str, str | int] | None = None
) -> duckdb.DuckDBPyConnection:
    """Open a database file, or one in memory."""
    if file is not None and not read_only and not can_be_written(file):
        raise CannotWrite(
            f"DuckDB cannot write {file}, which has a '?' or a backslash in its path: rename that folder"
        )
    connection = duckdb.connect(
        ":memory:" if file is None else str(file),
        read_only=read_only,
        config={**NO_DOWNLOADS, **(config or {})},
    )
    # a setting of the connection, which `config` does not take
    connection.execute("set enable_progress_bar = false")
    # Skip row groups for up to a thousand models; by default DuckDB does so for up to fifty values.
    connection.execute("set dynamic_or_filter_threshold = 1000")
    # A query reads the same file several times; parse its footer once.
    connection.execute("set parquet_metadata_cache = true")
    _open.add(connection)
    return connection


def stop_queries() -> None:
    """Interrupt all queries of this process, except those on cursors."""
    for connection in tuple(_open):
        with suppress(duckdb.ConnectionException):  # its owner has closed it meanwhile
            connection.interrupt()


def plain_pattern(path: Path) -> str:
    """The path with special characters escaped, for functions that take patterns."""
    return re.sub(r"([*?\[])", r"[\1]", str(path))


def literal(text: str) -> str:
    """The text as a string literal of SQL."""
    return "'" + text.replace("'", "''") + "'"
