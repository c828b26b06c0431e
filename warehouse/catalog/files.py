"""Views of a lake's Parquet files, and the summary of its models that the catalog stores.

    files.<table>         the rows of a table
    files.source_counts   the rows of the view `_source_counts`, for the caution
    files.lake_hash       the xor of `_model_hashes`, for the fingerprint

The summary makes the start of a command independent of the number of models. Bundles never change and are
summed up once; single models again in every commit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal

import duckdb

from warehouse.catalog.connections import literal, plain_pattern
from warehouse.lake import Lake
from warehouse.paths import is_bundle, relative_file
from warehouse.tables import PER_MODEL, SOME_MODELS, TABLES, WHOLE_LAKE


def create_files(connection: duckdb.DuckDBPyConnection, lake: Lake, bundled: str = "") -> None:
    """The views of the schema `files`, in place of those that are there.

    `bundled` is the signature of the bundles that the catalog knows: if the lake has the same, their summary
    stays.
    """
    stems = lake.stems()
    bundles = [name for name in stems if is_bundle(name)]
    singles = [name for name in stems if not is_bundle(name)]
    connection.execute(
        f"create or replace view files.catalog as select {literal(lake.name)} as lake, "
        f"{literal(str(lake.folder))} as root, "
        f"{literal(bundles_signature(bundles))} as bundles_signature"
    )
    if bundles_signature(bundles) != bundled:
        _sum_up(connection, lake, "bundled", bundles)
    _sum_up(connection, lake, "single", singles)
    join_known(connection)
    # Views name every file: one that is gone is an error, not fewer rows.
    for table in PER_MODEL:
        _create_view(connection, lake, table, stems)
    for table in SOME_MODELS:
        _create_view(connection, lake, table, [stem for stem in lake.stems(table) if lake.has(stem)])
    for table in WHOLE_LAKE:
        _create_view(connection, lake, table, lake.stems(table))


def bundles_signature(bundles: Sequence[str]) -> str:
    """Changes when bundles come or go; a bundle never changes, so its name says what is in it."""
    return hashlib.sha256(" ".join(bundles).encode()).hexdigest()


def _create_view(connection: duckdb.DuckDBPyConnection, lake: Lake, table: str, stems: Sequence[str]) -> None:
    query = _reading(lake, table, stems) if stems else nothing(table)
    connection.execute(f"create or replace view files.{table} as {query}")


def _sum_up(connection: duckdb.DuckDBPyConnection, lake: Lake, kind: Kind, stems: Sequence[str]) -> None:
    _create_view(connection, lake, "models", stems)  # which the summary reads
    create_known(connection, kind, is_any=bool(stems))


def names_signature(lake: Lake) -> str:
    """Changes when other files are to be read. A snapshot of ours never changes; a folder that others write
    may change in any way."""
    digest = hashlib.sha256()
    if not lake.is_ours:
        for path in sorted(lake.folder.glob("*/*.parquet")):
            with suppress(FileNotFoundError):
                status = path.lstat()
                digest.update(f"{path} {status.st_ino} {status.st_mtime_ns} {status.st_size}\n".encode())
    return digest.hexdigest()


def _reading(lake: Lake, table: str, stems: Sequence[str]) -> str:
    """The table's own columns and no others, whatever else a file has."""
    before, after = f"{plain_pattern(lake.folder)}/{relative_file(table, '*')}".rsplit("*", 1)
    # One text is bound faster than many; no name has a slash.
    names = f"string_split({literal('/'.join(stems))}, '/')"
    files = f"list_transform({names}, lambda name: {literal(before)} || name || {literal(after)})"
    columns = ", ".join(f'"{name}"' for name in TABLES[table].columns)
    # Not hive partitioned, or `key=value` in the path to the lake would become columns.
    return f"select {columns} from read_parquet({files}, hive_partitioning = false)"


def nothing(table: str) -> str:
    """No rows, with the table's columns."""
    columns = ", ".join(f'null::{kind} as "{name}"' for name, kind in TABLES[table].columns.items())
    return f"select {columns} where false"


Kind = Literal["bundled", "single"]

KNOWN = {
    "source_counts": (
        "select source, namesake, models from _source_counts order by all",
        {"source": "varchar", "namesake": "varchar", "models": "bigint"},
    ),
    "lake_hash": ("select bit_xor(model_hash) as model_hash from _model_hashes", {"model_hash": "bigint"}),
}


def create_known(connection: duckdb.DuckDBPyConnection, kind: Kind, *, is_any: bool) -> None:
    """Of one kind of models, which alone the tables have at the moment, if there are any."""
    for name, (query, columns) in KNOWN.items():
        # an empty catalog has no such views yet
        rows = connection.sql(query).fetchall() if is_any else []
        connection.execute(f"create or replace view files.{name}_{kind} as {_constant(rows, columns)}")


def join_known(connection: duckdb.DuckDBPyConnection) -> None:
    for name in KNOWN:
        connection.execute(
            f"create or replace view files.{name} as "
            f"from files.{name}_bundled union all from files.{name}_single"
        )


def _constant(rows: Sequence[tuple[object, ...]], columns: Mapping[str, str]) -> str:
    """A query of these rows, which reads nothing."""
    nothing = ", ".join(f"null::{kind} as {name}" for name, kind in columns.items())
    queries = [f"select {nothing} where false"]
    for row in rows:
        values = ["null" if value is None else literal(str(value)) for value in row]
        typed = (f"{value}::{kind}" for value, kind in zip(values, columns.values(), strict=True))
        queries.append(f"select {', '.join(typed)}")
    return " union all ".join(queries)
