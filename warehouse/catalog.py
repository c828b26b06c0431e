"""The catalog of a lake: `warehouse.duckdb`, a DuckDB file with views, macros and comments and no data.

`ensure_catalog` builds it when it is missing or out of date: the lake was moved, a file under `sql/` changed
(a figure that a document prints is one), or a model or table came into being. It is written beside its place
and renamed, so that readers see the old one or the new one, and two builders at once both succeed. The
storage format is one that older clients read.

    files.<table>   the Parquet files of a table, or no rows with its columns where there are none yet;
                    of what the documents say, and the test said of real models, the CSV file under `sql/`,
                    which no lake has a copy of
    files.<macro>   which models there are and where their vectors are
    main.<view>     one for each file of `sql/views`, a leading underscore for what is not for people
    main.<macro>    from `sql/macros`
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import duckdb

from warehouse import VERSION
from warehouse.anchors import ANCHORS_CSV, ANCHORS_TYPES
from warehouse.changes import recover_if_idle
from warehouse.connections import connect, plain_pattern
from warehouse.definitions import SQL, Definition, column_descriptions, definitions
from warehouse.documents import DOCUMENT_COLUMNS, DOCUMENTS_CSV
from warehouse.errors import CannotWrite, LakeError
from warehouse.lake import Lake, data_root, relative_file
from warehouse.real_models import REAL_MODELS_CSV, REAL_MODELS_TYPES
from warehouse.scratch import scratch

FILE = "warehouse.duckdb"
STORAGE = "v1.5.0"  # the oldest reader: PyPI's duckdb-cli is 1.5.6, and 2.0's own format is closed to it

# Tables with a file for each model. The catalog names these files one by one: whoever opens it sees the
# models of its time, each in all tables, whatever is being written, and a file that is gone is an error.
EVERY_MODEL = ("models", "norms", "tensors", "vectors", "correlations", "sketches")
SOME_MODELS = ("projections", "projection_vectors", "slices", "slice_rows")

# Tables of the lake as a whole: `<table>/*.parquet`.
WHOLE = ("ledger", "lineage_truth", "packaged_truth", "toy_losses", "calibration_pairs")

# Tables that gained columns since the first lakes: what a file lacks is NULL. Not those with the weights,
# whose files a union would keep from being skipped.
WITH_ALL_COLUMNS = {"models", "ledger", "calibration_pairs"}


def open_catalog(lake: Lake) -> duckdb.DuckDBPyConnection:
    """A read-only connection to the catalog, brought up to date first; many may be open at once."""
    return connect(ensure_catalog(lake), read_only=True)


def ensure_catalog(lake: Lake) -> Path:
    """The catalog's file, rebuilt if it does not fit the lake, its place or the SQL files any more."""
    recover_if_idle(lake)
    path, own = catalog_file(lake), _own_catalog_file(lake)
    signed = signature(lake, _models_by_table(lake))
    for there in (path, own):
        if there.is_file() and _recorded_signature(there) == signed:
            return there
    try:
        return build_catalog(lake, path)
    except CannotWrite as error:
        # A lake that may only be read, as on a DVD or in somebody else's folder, and was moved or is older.
        try:
            return build_catalog(lake, own)
        except CannotWrite:
            raise error from None


def catalog_file(lake: Lake) -> Path:
    """Of a published lake among our own data: its folder stays as it is."""
    if lake.is_published:
        return data_root() / ".published" / _place(lake) / FILE
    return lake.path / FILE


def _own_catalog_file(lake: Lake) -> Path:
    """Of a lake that cannot be written: in the user's own cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "normhouse" / _place(lake) / FILE


def _place(lake: Lake) -> str:
    return hashlib.sha256(str(lake.path).encode()).hexdigest()[:16]


def build_catalog(lake: Lake, path: Path | None = None) -> Path:
    """Writes the catalog anew, beside its place, and renames it; takes some 0.4 s."""
    path = path or catalog_file(lake)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with scratch(path.parent) as folder:
            draft = folder / path.name
            with connect(draft, config={"storage_compatibility_version": STORAGE}) as connection:
                connection.begin()
                models = _models_by_table(lake)
                _create_files_schema(connection, lake, models)
                _create_committed(connection)
                found = definitions()
                for definition in found:
                    connection.execute(definition.statement)
                _describe(connection, found)
                connection.commit()
            draft.replace(path)
    except OSError as error:
        raise CannotWrite(
            f"cannot write the catalog {path} ({error.strerror or error}): check its rights and space"
        ) from error
    except duckdb.Error as error:
        raise LakeError(
            f"cannot build the catalog of lake {lake.name!r} in {lake.path} ({_one_line(error)}): "
            f"`just check {lake.name}` names damaged files, and `just ingest` reads their models anew"
        ) from error
    return path


def signature(lake: Lake, models: Mapping[str, Sequence[str]]) -> str:
    """Changes when the catalog must: place and tables of the lake, files of `sql/`, version, format."""
    digest = hashlib.sha256(f"{VERSION} {STORAGE} {lake.name} {lake.path}\n".encode())
    for table, names in models.items():
        digest.update(f"{table} {' '.join(names)}\n".encode())
    for table in WHOLE:
        digest.update(f"{table} {_has_files(lake, table)}\n".encode())
    patterns = ("views/*.sql", "macros/*.sql", "packing/*.sql", "*/*.csv", "*.txt")
    for path in sorted(path for pattern in patterns for path in SQL.glob(pattern)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _recorded_signature(path: Path) -> str | None:
    """None when there is no telling: damaged, written by another version, or held by a writer."""
    try:
        with connect(path, read_only=True) as connection:
            rows = connection.sql("select signature from files.catalog").fetchall()
    except duckdb.Error:
        return None
    return str(rows[0][0])


def _create_files_schema(
    connection: duckdb.DuckDBPyConnection, lake: Lake, models: Mapping[str, Sequence[str]]
) -> None:
    connection.execute("create schema files")
    connection.execute(
        f"create view files.catalog as select {_literal(lake.name)} as lake, "
        f"{_literal(str(lake.path))} as root, {_literal(signature(lake, models))} as signature"
    )
    # As one text, because binding a thousand takes longer than comparing two models.
    names = "".join(f"/{name}" for name in models["models"]) + "/"
    connection.execute(f"create macro files.model_names() as {_literal(names)}")
    for table in (*EVERY_MODEL, *SOME_MODELS):
        connection.execute(f"create view files.{table} as {_rows(connection, lake, table, models[table])}")
    for table in WHOLE:
        connection.execute(f"create view files.{table} as {_whole(connection, lake, table)}")
    _create_vectors_of(connection, lake, models)


def _create_vectors_of(
    connection: duckdb.DuckDBPyConnection, lake: Lake, models: Mapping[str, Sequence[str]]
) -> None:
    """Which files hold the packed vectors of a model: of its norms, and of its projections if it has some."""
    norms, projections = (_file(lake, table) for table in ("vectors", "projection_vectors"))
    with_projections = "".join(f"/{name}" for name in models["projection_vectors"]) + "/"
    connection.execute(
        f"create macro files.vectors_of(model) as "
        f"case when contains({_literal(with_projections)}, '/' || model || '/') "
        f"then [{norms('model')}, {projections('model')}] else [{norms('model')}] end"
    )


def _rows(connection: duckdb.DuckDBPyConnection, lake: Lake, table: str, models: Sequence[str]) -> str:
    """A table with a file for each of these models."""
    if not models:
        return _nothing(connection, table)
    return _reading(
        connection, table, f"list_transform({_list(models)}, lambda name: {_file(lake, table)('name')})"
    )


def _file(lake: Lake, table: str) -> Callable[[str], str]:
    """From an expression for a model's name to one for the path of its file."""
    before, after = f"{plain_pattern(lake.path)}/{relative_file(table, '*')}".rsplit("*", 1)
    return lambda name: f"{_literal(before)} || {name} || {_literal(after)}"


def _whole(connection: duckdb.DuckDBPyConnection, lake: Lake, table: str) -> str:
    if not _has_files(lake, table):
        return _nothing(connection, table)
    return _reading(connection, table, _literal(f"{plain_pattern(lake.path)}/{table}/*.parquet"))


def _reading(connection: duckdb.DuckDBPyConnection, table: str, files: str) -> str:
    # Not hive partitioned, or `key=value` in the path to the lake would become columns.
    if table not in WITH_ALL_COLUMNS:
        return f"from read_parquet({files}, hive_partitioning = false)"
    return (
        f"from read_parquet({files}, hive_partitioning = false, union_by_name = true) "
        f"union all by name ({_nothing(connection, table)})"
    )


def _create_committed(connection: duckdb.DuckDBPyConnection) -> None:
    """The CSV files; printed figures are checked first: DuckDB would say less about a wrong one."""
    from warehouse.printed import PRINTED_CSV, read_printed

    printed = connection.from_arrow(read_printed(PRINTED_CSV).slice(0, 0))
    types = dict(zip(printed.columns, map(str, printed.types), strict=True))
    tables = {
        DOCUMENTS_CSV: dict.fromkeys(DOCUMENT_COLUMNS, "VARCHAR"),
        PRINTED_CSV: types,
        REAL_MODELS_CSV: REAL_MODELS_TYPES,
        ANCHORS_CSV: ANCHORS_TYPES,
    }
    for path, columns in tables.items():
        named = ", ".join(f"{_literal(name)}: {_literal(kind)}" for name, kind in columns.items())
        connection.execute(
            f"create view files.{path.stem} as from read_csv({_literal(plain_pattern(path))}, "
            f"columns = {{{named}}}, header = true, auto_detect = false, "
            f"delim = ',', quote = '\"', escape = '\"')"
        )


def _nothing(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    """No rows, with the table's columns."""
    from warehouse.empty import empty_table  # pyarrow takes longer to import than most queries to run

    relation = connection.from_arrow(empty_table(table))
    columns = zip(relation.columns, relation.types, strict=True)
    return "select " + ", ".join(f'null::{kind} as "{name}"' for name, kind in columns) + " where false"


def _describe(connection: duckdb.DuckDBPyConnection, found: Sequence[Definition]) -> None:
    """Comments on every view, column and macro, which duckdb_columns(), duckdb_views() and so on tell."""
    known = column_descriptions()
    rows = connection.sql("select table_name, column_name from duckdb_columns() where schema_name = 'main'")
    columns: dict[str, list[str]] = {}
    for view, column in rows.fetchall():
        columns.setdefault(view, []).append(column)
    for one in found:
        connection.execute(f"comment on {one.kind} {one.name} is {_literal(one.description)}")
        for column in columns.get(one.name, []):
            if text := one.columns.get(column) or known.get(column):
                connection.execute(f'comment on column {one.name}."{column}" is {_literal(text)}')


def _models_by_table(lake: Lake) -> dict[str, list[str]]:
    """Which of the models that count have a file of each table, or must have."""
    there = lake.model_names()
    found = {table: set(lake.names_in(table)) for table in SOME_MODELS}
    return {
        **dict.fromkeys(EVERY_MODEL, there),
        **{table: [name for name in there if name in names] for table, names in found.items()},
    }


def _has_files(lake: Lake, table: str) -> bool:
    return any(True for _ in lake.path.glob(f"{table}/*.parquet"))


def _list(names: Sequence[str]) -> str:
    """As one text, which is bound faster than many; no name has a slash."""
    return f"string_split({_literal('/'.join(names))}, '/')" if names else "[]"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
