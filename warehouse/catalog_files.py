"""The part of a catalog that says where rows are: a view for each stored table, and where a model is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress

import duckdb

from warehouse.catalog_holders import (
    create_holder_of_gathered,
    create_holder_of_staged,
    gathered_signature,
    literal,
    text_of,
)
from warehouse.catalog_known import Kind, create_known, join_known
from warehouse.connections import plain_pattern
from warehouse.lake import Lake, is_part, relative_file

# Tables with a file for each model or part. They are named one by one: whoever opens the catalog sees the
# models of its time, each in all tables, whatever is being written, and a file that is gone is an error.
EVERY_MODEL = ("models", "norms", "tensors", "vectors", "correlations", "sketches")
SOME_MODELS = ("rough_norms", "projections", "projection_vectors", "slices", "slice_rows")

# Of which the catalog learns what it knows by heart (warehouse/catalog_known.py).
READ_TO_KNOW = ("models", "tensors")

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
    names_before = names_signature(lake)
    # looked at once: what is said of a moment must not be mixed with what is said of another
    holders = lake.holders()
    parts = [name for name in holders if is_part(name)]
    staged = [name for name in holders if not is_part(name)]
    names = _names_by_table(lake, holders)
    connection.execute(
        f"create or replace view files.catalog as select {literal(lake.name)} as lake, "
        f"{literal(str(lake.path))} as root, {literal(signature)} as signature, "
        f"{literal(names_before)} as names_signature, "
        f"{literal(gathered_signature(parts))} as gathered_signature"
    )
    if gathered_signature(parts) != gathered:
        create_holder_of_gathered(connection, {part: lake.models_in(part) for part in parts})
        _know(connection, lake, "gathered", parts)
    create_holder_of_staged(connection, staged)
    _know(connection, lake, "staged", staged)
    join_known(connection)
    for table in (*EVERY_MODEL, *SOME_MODELS):
        _create_rows(connection, lake, table, names[table])
    if names["rough_norms"] != holders:
        _create_rough_norms(connection, lake, names["rough_norms"])
    for table in WHOLE:
        connection.execute(f"create or replace view files.{table} as {_whole(connection, lake, table)}")
    _create_vectors_in(connection, lake, names["projection_vectors"])


def _know(connection: duckdb.DuckDBPyConnection, lake: Lake, kind: Kind, holders: Sequence[str]) -> None:
    for table in READ_TO_KNOW:
        _create_rows(connection, lake, table, holders)
    create_known(connection, kind, is_any=bool(holders))


def names_signature(lake: Lake) -> str:
    """Changes when other files are to be read, or a model by itself was read anew, of which the catalog knows
    what it is; a part is never changed, so its name says what is in it."""
    digest = hashlib.sha256()
    for name in lake.staged():
        with suppress(FileNotFoundError):  # gathered since
            status = lake.file("models", name).stat()
            digest.update(f"{name} {status.st_mtime_ns} {status.st_size}\n".encode())
    for table in ("models", *SOME_MODELS):
        digest.update(f"{table} {' '.join(lake.names_in(table))}\n".encode())
    for table in WHOLE:
        digest.update(f"{table} {_has_files(lake, table)}\n".encode())
    return digest.hexdigest()


def _names_by_table(lake: Lake, holders: Sequence[str]) -> dict[str, Sequence[str]]:
    """Which folders have the files of each table: models by themselves and parts, if their models count."""
    return {
        **dict.fromkeys(EVERY_MODEL, holders),
        **{table: [name for name in lake.names_in(table) if lake.has(name)] for table in SOME_MODELS},
        "rough_norms": sorted({*holders} & {*lake.names_in("rough_norms")}),
    }


def _create_vectors_in(
    connection: duckdb.DuckDBPyConnection, lake: Lake, with_projections: Sequence[str]
) -> None:
    """The packed vectors of models and of those in their parts: norms, and projections if they have some."""
    norms = _file(lake, "vectors")("holder")
    projections = _file(lake, "projection_vectors")("model")
    has_some = f"contains({text_of(with_projections)}, '/' || model || '/')"
    connection.execute(
        f"create or replace macro files.vectors_in(holders, models) as table from read_parquet("
        f"list_transform(list_distinct(holders), lambda holder: {norms}) || "
        f"list_transform(list_filter(list_distinct(models), lambda model: {has_some}), "
        f"lambda model: {projections}), hive_partitioning = false)"
    )


def _create_rows(
    connection: duckdb.DuckDBPyConnection, lake: Lake, table: str, holders: Sequence[str]
) -> None:
    """The view of a table, from the files of these models and parts."""
    connection.execute(f"create or replace view files.{table} as {_rows(connection, lake, table, holders)}")


def _create_rough_norms(connection: duckdb.DuckDBPyConnection, lake: Lake, holders: Sequence[str]) -> None:
    """Those of models that an earlier version packed, which stored none, are computed by every question."""
    stored = _rows(connection, lake, "rough_norms", holders)
    connection.execute(
        f"create or replace view files.rough_norms as ({stored}) union all "
        f"(from _rough_norms anti join ({stored}) using (model))"
    )


def _rows(connection: duckdb.DuckDBPyConnection, lake: Lake, table: str, holders: Sequence[str]) -> str:
    if not holders:
        return nothing(connection, table)
    files = f"list_transform({_list(holders)}, lambda name: {_file(lake, table)('name')})"
    return _reading(connection, table, files)


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
