"""The part of a catalog that says where rows are: a view for each stored table."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress

import duckdb

from warehouse.catalog.connections import literal, plain_pattern
from warehouse.catalog.summary import Kind, create_known, join_known
from warehouse.lake import Lake, is_bundle, relative_file

# Tables with a file for each single model or bundle. Views name every file: one that is gone is an error, not
# fewer rows.
EVERY_MODEL = ("models", "norms", "tensors", "vectors", "detrended_ranks", "correlations", "sketches")
SOME_MODELS = ("projections", "projection_vectors", "slices", "slice_rows")

# What the summary is made of (warehouse/catalog/summary.py).
READ_TO_KNOW = ("models", "tensors")

# Tables of the lake as a whole: `<table>/*.parquet`.
WHOLE = ("duplicates", "ledger", "lineage_truth", "packaged_truth", "toy_losses", "calibration_pairs")


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
    for table in EVERY_MODEL:
        _create_view(connection, lake, table, stems)
    for table in SOME_MODELS:
        _create_view(connection, lake, table, [stem for stem in lake.stems(table) if lake.has(stem)])
    for table in WHOLE:
        _create_view(connection, lake, table, lake.stems(table))


def bundles_signature(bundles: Sequence[str]) -> str:
    """Changes when bundles come or go; a bundle never changes, so its name says what is in it."""
    return hashlib.sha256(" ".join(bundles).encode()).hexdigest()


def _create_view(connection: duckdb.DuckDBPyConnection, lake: Lake, table: str, stems: Sequence[str]) -> None:
    query = _reading(connection, lake, table, stems) if stems else nothing(connection, table)
    connection.execute(f"create or replace view files.{table} as {query}")


def _sum_up(connection: duckdb.DuckDBPyConnection, lake: Lake, kind: Kind, stems: Sequence[str]) -> None:
    for table in READ_TO_KNOW:
        _create_view(connection, lake, table, stems)
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


def _reading(connection: duckdb.DuckDBPyConnection, lake: Lake, table: str, stems: Sequence[str]) -> str:
    """The table's own columns and no others, whatever else a file has."""
    before, after = f"{plain_pattern(lake.folder)}/{relative_file(table, '*')}".rsplit("*", 1)
    # One text is bound faster than many; no name has a slash.
    names = f"string_split({literal('/'.join(stems))}, '/')"
    files = f"list_transform({names}, lambda name: {literal(before)} || name || {literal(after)})"
    columns = ", ".join(f'"{name}"' for name in _columns(connection, table))
    # Not hive partitioned, or `key=value` in the path to the lake would become columns.
    return f"select {columns} from read_parquet({files}, hive_partitioning = false)"


def nothing(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    """No rows, with the table's columns."""
    columns = ", ".join(f'null::{kind} as "{name}"' for name, kind in _columns(connection, table).items())
    return f"select {columns} where false"


def _columns(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    """Names and DuckDB types of a table's columns."""
    from warehouse.empty import empty_table  # pyarrow takes longer to import than most queries to run

    relation = connection.from_arrow(empty_table(table))
    return dict(zip(relation.columns, map(str, relation.types), strict=True))
