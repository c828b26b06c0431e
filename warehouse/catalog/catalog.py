"""Builds and opens the catalog of a lake, `warehouse.duckdb`: views, macros and comments, but no norms.

Every commit builds the catalog of its snapshot, which names the snapshot's files by their real path, so a
query sees one snapshot in all tables. `ensure_catalog` builds it for any other folder, and rebuilds it if the
lake was moved or a file below `sql/` changed. Readers see the old file or the new one.

A catalog is code: its views run with the rights of the user who opens it. We open only catalogs that we wrote
on this machine (places.py), never one that came with a lake.

    files.<table>   a view of a table's Parquet files, or a table with the rows of a CSV file of `sql/`
    files.<summary> what every command asks, so that its start does not depend on the number of models
    main.<view>     from `sql/views`; a leading underscore marks internal views
    main.<macro>    from `sql/macros`
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import duckdb

from warehouse import VERSION
from warehouse.catalog.connections import can_be_written, connect, literal, plain_pattern
from warehouse.catalog.definitions import SQL, Definition, column_descriptions, definitions, read_query
from warehouse.catalog.places import (
    FILE,
    Place,
    Signatures,
    file_digest,
    place_digest,
    places_of,
    record,
    recorded_signatures,
    temporary_place,
)
from warehouse.errors import CannotWrite, LakeError
from warehouse.lake import Lake
from warehouse.paths import relative_file
from warehouse.storage.drafts import draft_folder
from warehouse.tables import CSV, PER_MODEL, SOME_MODELS, TABLES, WHOLE_LAKE

SUMMARY = {
    "source_counts": ("source varchar, namesake varchar, models bigint", "from _source_counts"),
    "lake_hash": ("model_hash bigint", "select bit_xor(model_hash) as model_hash from _model_hashes"),
}
"""Tables of `files` with the answers that every command needs: columns and query."""

STORAGE = "v1.5.0"  # PyPI's newest duckdb-cli, 1.5.6, cannot read the storage format of 2.0


def open_catalog(lake: Lake) -> duckdb.DuckDBPyConnection:
    """A read-only connection to the catalog, brought up to date first; many may be open at once."""
    return connect(ensure_catalog(lake), read_only=True)


def ensure_catalog(lake: Lake) -> Path:
    """The file of the current catalog, rebuilt if it does not fit the lake, its place or the SQL files."""
    lake = lake.pinned()
    if not lake.is_ours:
        from warehouse.integrity.inspection import refuse_malformed  # Arrow takes long to import

        refuse_malformed(lake)
    wanted = signatures(lake)
    places = places_of(lake)
    recorded = [recorded_signatures(place) for place in places]
    for place, found in zip(places, recorded, strict=True):
        if found == wanted:
            return place.catalog
    first_error: CannotWrite | None = None
    # The folder of a foreign lake may be read-only.
    for place, found in zip(places, recorded, strict=True):
        is_usable = found is not None and found.views == wanted.views
        try:
            return build_catalog(lake, place, template=place.catalog if is_usable else None)
        except CannotWrite as error:
            first_error = first_error or error
    try:
        return build_catalog(lake, temporary_place(lake))
    except CannotWrite as error:
        raise first_error or error from None


def build_snapshot_catalog(lake: Lake, before: Lake) -> list[Path]:
    """Write the catalog of a new snapshot, starting from that of the snapshot before.

    Returns the files that were written: none where DuckDB cannot write in that folder, or where damaged files
    of the lake prevent it. They must not stop a commit, which may be about to replace them.
    """
    place, previous = places_of(lake)[0], places_of(before)[0]
    if not can_be_written(place.catalog):
        return []
    found = recorded_signatures(previous)
    is_usable = found is not None and found.views == signatures(lake).views
    try:
        build_catalog(lake, place, template=previous.catalog if is_usable else None)
    except CannotWrite:
        raise
    except LakeError:
        return []
    return [place.catalog]


def build_catalog(lake: Lake, place: Place | None = None, template: Path | None = None) -> Path:
    """Write a catalog as a draft and rename it: 0.4 s, or 0.1 s from a template with the same views."""
    place = place or places_of(lake)[0]
    path = place.catalog
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft_folder(path.parent) as folder:
            draft = folder / path.name
            if template:
                shutil.copyfile(template, draft)
            else:
                draft.write_bytes(_catalog_of_nothing(_definitions_signature(SQL, VERSION)))
            _name_files(draft, lake)
            digest = file_digest(draft)
            draft.replace(path)
        record(place, signatures(lake), digest)
    except OSError as error:
        raise CannotWrite(
            f"cannot write the catalog {path} ({error.strerror or error}): check its rights and space"
        ) from error
    except duckdb.Error as error:
        if "No space left" in str(error):
            raise CannotWrite(f"no space to write the catalog {path}: free some space") from error
        raise LakeError(
            f"cannot build the catalog of lake {lake.name!r} in {lake.path} ({_one_line(error)}): "
            f"`just check {lake.name}` names damaged files and what mends them"
        ) from error
    return path


def _name_files(draft: Path, lake: Lake) -> None:
    with connect(draft) as connection:
        connection.begin()
        _create_files(connection, lake)
        _summarise(connection)
        connection.commit()


def _create_files(connection: duckdb.DuckDBPyConnection, lake: Lake) -> None:
    """Create or replace the views of the schema `files`.

    They name every file, so a missing file is an error, not fewer rows.
    """
    connection.execute(
        f"create or replace view files.catalog as select {literal(lake.name)} as lake, "
        f"{literal(str(lake.folder))} as root"
    )
    stems = lake.stems()
    for table in PER_MODEL:
        _create_view(connection, lake, table, stems)
    for table in SOME_MODELS:
        _create_view(connection, lake, table, [stem for stem in lake.stems(table) if lake.has(stem)])
    for table in WHOLE_LAKE:
        _create_view(connection, lake, table, lake.stems(table))


def _summarise(connection: duckdb.DuckDBPyConnection) -> None:
    for table, (_, query) in SUMMARY.items():
        connection.execute(f"create or replace table files.{table} as {query}")


def _create_view(connection: duckdb.DuckDBPyConnection, lake: Lake, table: str, stems: Sequence[str]) -> None:
    query = _reading(lake, table, stems) if stems else _nothing(table)
    connection.execute(f"create or replace view files.{table} as {query}")


def _names_signature(lake: Lake) -> str:
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


def _nothing(table: str) -> str:
    """No rows, with the table's columns."""
    columns = ", ".join(f'null::{kind} as "{name}"' for name, kind in TABLES[table].columns.items())
    return f"select {columns} where false"


@lru_cache(maxsize=1)
def _catalog_of_nothing(_definitions: str) -> bytes:
    """A catalog of a lake without files. It takes long to build and is the same for every lake."""
    with tempfile.TemporaryDirectory(prefix="normhouse-") as folder:
        draft = Path(folder) / FILE
        with connect(draft, config={"storage_compatibility_version": STORAGE}) as connection:
            connection.begin()
            connection.execute("create schema files")
            for table, (columns, _) in SUMMARY.items():
                connection.execute(f"create table files.{table} ({columns})")
            _create_files(connection, Lake("none", Path(folder) / "none"))
            _store_csv_files(connection)
            found = definitions()
            for definition in found:
                connection.execute(definition.statement)
            _describe(connection, found)
            connection.commit()
        return draft.read_bytes()


def signatures(lake: Lake) -> Signatures:
    """What a catalog depends on: the files of `sql/`, our version, the lake's folder and its files."""
    views = _definitions_signature(SQL, VERSION)
    return Signatures(views, f"{place_digest(lake)} {_names_signature(lake)}")


@lru_cache(maxsize=1)
def _definitions_signature(folder: Path, version: str) -> str:
    """Computed once per process: 130 files, which do not change while the program runs."""
    digest = hashlib.sha256(f"{version} {STORAGE}\n".encode())
    patterns = ("views/*.sql", "macros/*.sql", "features/*.sql", "*/*.csv", "*.txt")
    for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _store_csv_files(connection: duckdb.DuckDBPyConnection) -> None:
    """Load the CSV files. We check printed figures first: our messages are clearer than DuckDB's."""
    from warehouse.documents import read_printed

    read_printed(TABLES["printed"].path)
    for name in CSV:
        columns = ", ".join(
            f"{literal(column)}: {literal(kind)}" for column, kind in TABLES[name].columns.items()
        )
        connection.execute(
            f"create table files.{name} as from read_csv({literal(plain_pattern(TABLES[name].path))}, "
            f"columns = {{{columns}}}, header = true, auto_detect = false, "
            f"delim = ',', quote = '\"', escape = '\"')"
        )


def _describe(connection: duckdb.DuckDBPyConnection, found: Sequence[Definition]) -> None:
    """Comment on every view, column and macro, for duckdb_columns() and the like."""
    known = column_descriptions()
    rows = connection.sql("select table_name, column_name from duckdb_columns() where schema_name = 'main'")
    columns: dict[str, list[str]] = {}
    for view, column in rows.fetchall():
        columns.setdefault(view, []).append(column)
    for one in found:
        connection.execute(f"comment on {one.kind} {one.name} is {literal(one.description)}")
        for column in columns.get(one.name, []):
            if text := one.columns.get(column) or known.get(column):
                connection.execute(f'comment on column {one.name}."{column}" is {literal(text)}')


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def fingerprint_of(lake: Lake) -> str:
    """Changes with each model's name, repo, commit, source and the digests of its norms and projections.

    Slices do not count: no claim reads them, and `just lineage` says of each pair which layers it read.
    """
    return totals(lake).fingerprint


@dataclass(frozen=True)
class Totals:
    """How much a lake holds."""

    models: int
    vectors: int
    values: int
    file_bytes: int
    fingerprint: str


def totals(lake: Lake) -> Totals:
    with open_catalog(lake) as connection:
        [row] = connection.sql(read_query("report/totals")).fetchall()
    return Totals(*row)
