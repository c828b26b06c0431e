"""The part of a catalog that says where rows are: a view for each stored table, and where a model is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import duckdb

from warehouse.catalog_holders import (
    create_holder_of_gathered,
    create_holder_of_staged,
    gathered_signature,
    literal,
    text_of,
)
from warehouse.connections import plain_pattern
from warehouse.lake import Lake, relative_file

# Tables with a file for each model or part. They are named one by one: whoever opens the catalog sees the
# models of its time, each in all tables, whatever is being written, and a file that is gone is an error.
EVERY_MODEL = ("models", "norms", "tensors", "vectors", "correlations", "sketches")
SOME_MODELS = ("projections", "projection_vectors", "slices", "slice_rows")

# Tables of the lake as a whole: `<table>/*.parquet`.
WHOLE = ("duplicates", "ledger", "lineage_truth", "packaged_truth", "toy_losses", "calibration_pairs")

# Tables that gained columns since the first lakes: what a file lacks is NULL. Not those with the weights,
# whose files a union would keep from being skipped.
WITH_ALL_COLUMNS = {"models", "ledger", "calibration_pairs"}


def create_files(
    connection: duckdb.DuckDBPyConnection, lake: Lake, signature: str, gathered: str = ""
) -> None:
    """The schema `files`, which is there; what it has is replaced.

    `gathered` is the signature of the parts that it knows: what it says of them stays, if it is the lake's.
    """
    names = _names_by_table(lake)
    connection.execute(
        f"create or replace view files.catalog as select {literal(lake.name)} as lake, "
        f"{literal(str(lake.path))} as root, {literal(signature)} as signature, "
        f"{literal(names_signature(lake))} as names_signature, "
        f"{literal(gathered_signature(lake))} as gathered_signature"
    )
    for table in (*EVERY_MODEL, *SOME_MODELS):
        rows = _rows(connection, lake, table, names[table])
        connection.execute(f"create or replace view files.{table} as {rows}")
    for table in WHOLE:
        connection.execute(f"create or replace view files.{table} as {_whole(connection, lake, table)}")
    _create_vectors_in(connection, lake, names["projection_vectors"])
    create_holder_of_staged(connection, lake)
    if gathered_signature(lake) != gathered:
        create_holder_of_gathered(connection, lake)


def names_signature(lake: Lake) -> str:
    """Changes when other files are to be read; a part is never changed, so its name says what is in it."""
    digest = hashlib.sha256()
    for table in ("models", *SOME_MODELS):
        digest.update(f"{table} {' '.join(lake.names_in(table))}\n".encode())
    for table in WHOLE:
        digest.update(f"{table} {_has_files(lake, table)}\n".encode())
    return digest.hexdigest()


def _names_by_table(lake: Lake) -> dict[str, list[str]]:
    """Which folders have the files of each table: models by themselves and parts, if their models count."""
    return {
        **dict.fromkeys(EVERY_MODEL, lake.holders()),
        **{table: [name for name in lake.names_in(table) if lake.has(name)] for table in SOME_MODELS},
    }


def _create_vectors_in(
    connection: duckdb.DuckDBPyConnection, lake: Lake, with_projections: Sequence[str]
) -> None:
    """The packed vectors of a model and of those in its part: norms, and projections if it has some."""
    norms = _file(lake, "vectors")("holder")
    projections = _file(lake, "projection_vectors")("model")
    has_some = f"contains({text_of(with_projections)}, '/' || model || '/')"
    connection.execute(
        f"create or replace macro files.vectors_in(holder, model) as table from read_parquet("
        f"[{norms}] || case when {has_some} then [{projections}] else [] end, hive_partitioning = false)"
    )


def _rows(connection: duckdb.DuckDBPyConnection, lake: Lake, table: str, models: Sequence[str]) -> str:
    """A table with a file for each of these models."""
    if not models:
        return nothing(connection, table)
    return _reading(
        connection, table, f"list_transform({_list(models)}, lambda name: {_file(lake, table)('name')})"
    )


def _file(lake: Lake, table: str) -> Callable[[str], str]:
    """From an expression for a model's name to one for the path of its file."""
    before, after = f"{plain_pattern(lake.path)}/{relative_file(table, '*')}".rsplit("*", 1)
    return lambda name: f"{literal(before)} || {name} || {literal(after)}"


def _whole(connection: duckdb.DuckDBPyConnection, lake: Lake, table: str) -> str:
    if not _has_files(lake, table):
        return nothing(connection, table)
    return _reading(connection, table, literal(f"{plain_pattern(lake.path)}/{table}/*.parquet"))


def _reading(connection: duckdb.DuckDBPyConnection, table: str, files: str) -> str:
    # Not hive partitioned, or `key=value` in the path to the lake would become columns.
    if table not in WITH_ALL_COLUMNS:
        return f"from read_parquet({files}, hive_partitioning = false)"
    return (
        f"from read_parquet({files}, hive_partitioning = false, union_by_name = true) "
        f"union all by name ({nothing(connection, table)})"
    )


def nothing(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    """No rows, with the table's columns."""
    from warehouse.empty import empty_table  # pyarrow takes longer to import than most queries to run

    relation = connection.from_arrow(empty_table(table))
    columns = zip(relation.columns, relation.types, strict=True)
    return "select " + ", ".join(f'null::{kind} as "{name}"' for name, kind in columns) + " where false"


def _has_files(lake: Lake, table: str) -> bool:
    return any(True for _ in lake.path.glob(f"{table}/*.parquet"))


def _list(names: Sequence[str]) -> str:
    """As one text, which is bound faster than many; no name has a slash."""
    return f"string_split({literal('/'.join(names))}, '/')" if names else "[]"
