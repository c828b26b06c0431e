"""The catalog of a lake: `warehouse.duckdb`, a DuckDB file with views, macros and comments and no data.

`ensure_catalog` builds it when it is missing or out of date: the lake was moved, or a file under `sql/`
changed (a figure that a document prints is one). When a model merely arrives, only the names of files are
written anew (warehouse/catalog_files.py). Either is written beside its place and renamed, so that readers see
the old one or the new one, and two builders at once both succeed. Older clients read the storage format.

    files.<table>   the Parquet files of a table, or no rows with its columns where there are none yet;
                    of what the documents say, and the test said of real models, the CSV file under `sql/`,
                    which no lake has a copy of
    files.<macro>   where a model's files are (warehouse/catalog_holders.py)
    main.<view>     one for each file of `sql/views`, a leading underscore for what is not for people
    main.<macro>    from `sql/macros`
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import duckdb

from warehouse import VERSION
from warehouse.anchors import ANCHORS_CSV, ANCHORS_TYPES
from warehouse.catalog_files import create_files, names_signature
from warehouse.catalog_holders import literal
from warehouse.changes import recover_if_idle
from warehouse.connections import connect, plain_pattern
from warehouse.definitions import SQL, Definition, column_descriptions, definitions
from warehouse.documents import DOCUMENT_COLUMNS, DOCUMENTS_CSV
from warehouse.errors import CannotWrite, LakeError
from warehouse.lake import Lake, data_root
from warehouse.real_models import REAL_MODELS_CSV, REAL_MODELS_TYPES
from warehouse.scratch import scratch
from warehouse.slice_calibration import SLICE_CALIBRATION_CSV, SLICE_CALIBRATION_TYPES

FILE = "warehouse.duckdb"
LOOKS = 3  # at most: models may keep coming
STORAGE = "v1.5.0"  # the oldest reader: PyPI's duckdb-cli is 1.5.6, and 2.0's own format is closed to it


def open_catalog(lake: Lake) -> duckdb.DuckDBPyConnection:
    """A read-only connection to the catalog, brought up to date first; many may be open at once."""
    return connect(ensure_catalog(lake), read_only=True)


def gathered_sources(lake: Lake) -> set[str]:
    """Where the models of its parts are from, as the catalog knows by heart."""
    if not lake.parts():
        return set()
    with open_catalog(lake) as connection:
        found = connection.sql("select source from files.origins_gathered").fetchall()
    return {source for (source,) in found}


def ensure_catalog(lake: Lake) -> Path:
    """The catalog's file, rebuilt if it does not fit the lake, its place or the SQL files any more."""
    for look in range(1, LOOKS + 1):
        recover_if_idle(lake)
        path, own = catalog_file(lake), _own_catalog_file(lake)
        wanted = signature(lake), names_signature(lake)
        recorded = {there: _recorded(there) for there in (path, own) if there.is_file()}
        for there, found in recorded.items():
            if found == wanted:
                return there
        # then looked at once more: models may have come, or changed into a part, while their names were read
        try:
            built = _built(lake, path, own, is_named_anew=recorded.get(path, ("", ""))[0] == wanted[0])
        except LakeError:
            if look == LOOKS or names_signature(lake) == wanted[1]:
                raise
    return built


def _built(lake: Lake, path: Path, own: Path, *, is_named_anew: bool) -> Path:
    try:
        return _renew(lake, path) if is_named_anew else build_catalog(lake, path)
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
    return hashlib.sha256(f"{lake.name} {lake.path}".encode()).hexdigest()[:16]


def build_catalog(lake: Lake, path: Path | None = None) -> Path:
    """Writes the catalog anew, beside its place, and renames it; takes some 0.4 s, however many models."""

    def build(draft: Path) -> None:
        draft.write_bytes(_catalog_of_nothing(_definitions_signature()))
        _name_files(draft, lake)

    return _written(lake, path or catalog_file(lake), build)


def _renew(lake: Lake, path: Path) -> Path:
    """Where models came or were gathered, only the names of files change; all views stay as they are."""

    def renew(draft: Path) -> None:
        shutil.copyfile(path, draft)
        _name_files(draft, lake)

    return _written(lake, path, renew)


def _name_files(draft: Path, lake: Lake) -> None:
    with connect(draft) as connection:
        [(gathered,)] = connection.sql("select gathered_signature from files.catalog").fetchall()
        connection.begin()
        create_files(connection, lake, signature(lake), gathered)
        connection.commit()


@lru_cache(maxsize=1)
def _catalog_of_nothing(_definitions: str) -> bytes:
    """Views, macros and comments on a lake without files: what takes long, the same for every lake."""
    with tempfile.TemporaryDirectory(prefix="normhouse-") as folder:
        draft = Path(folder) / FILE
        with connect(draft, config={"storage_compatibility_version": STORAGE}) as connection:
            connection.begin()
            connection.execute("create schema files")
            create_files(connection, Lake("none", Path(folder) / "none"), "")
            _create_committed(connection)
            found = definitions()
            for definition in found:
                connection.execute(definition.statement)
            _describe(connection, found)
            connection.commit()
        return draft.read_bytes()


def _written(lake: Lake, path: Path, write: Callable[[Path], None]) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with scratch(path.parent) as folder:
            draft = folder / path.name
            write(draft)
            draft.replace(path)
    except OSError as error:
        raise CannotWrite(
            f"cannot write the catalog {path} ({error.strerror or error}): check its rights and space"
        ) from error
    except duckdb.Error as error:
        raise LakeError(
            f"cannot build the catalog of lake {lake.name!r} in {lake.path} ({_one_line(error)}): "
            f"`just check {lake.name}` names damaged files and what mends them"
        ) from error
    return path


def signature(lake: Lake) -> str:
    """Changes when the views must: place of the lake, files of `sql/`, version, format."""
    return f"{_definitions_signature()} {_place(lake)}"


def _definitions_signature() -> str:
    digest = hashlib.sha256(f"{VERSION} {STORAGE}\n".encode())
    patterns = ("views/*.sql", "macros/*.sql", "packing/*.sql", "*/*.csv", "*.txt")
    for path in sorted(path for pattern in patterns for path in SQL.glob(pattern)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _recorded(path: Path) -> tuple[str, str]:
    """Signatures of views and files; empty when there is no telling: damaged, or of another version."""
    try:
        with connect(path, read_only=True) as connection:
            [row] = connection.sql("select signature, names_signature from files.catalog").fetchall()
    except duckdb.Error:
        return "", ""
    return str(row[0]), str(row[1])


def _create_committed(connection: duckdb.DuckDBPyConnection) -> None:
    """The CSV files; printed figures are checked first: DuckDB would say less about a wrong one."""
    from warehouse.printed import PRINTED_CSV, read_printed

    printed = connection.from_arrow(read_printed(PRINTED_CSV).slice(0, 0))
    types = dict(zip(printed.columns, map(str, printed.types), strict=True))
    tables = {
        DOCUMENTS_CSV: dict.fromkeys(DOCUMENT_COLUMNS, "VARCHAR"),
        PRINTED_CSV: types,
        REAL_MODELS_CSV: REAL_MODELS_TYPES,
        SLICE_CALIBRATION_CSV: SLICE_CALIBRATION_TYPES,
        ANCHORS_CSV: ANCHORS_TYPES,
    }
    for path, columns in tables.items():
        named = ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in columns.items())
        connection.execute(
            f"create view files.{path.stem} as from read_csv({literal(plain_pattern(path))}, "
            f"columns = {{{named}}}, header = true, auto_detect = false, "
            f"delim = ',', quote = '\"', escape = '\"')"
        )


def _describe(connection: duckdb.DuckDBPyConnection, found: Sequence[Definition]) -> None:
    """Comments on every view, column and macro, which duckdb_columns(), duckdb_views() and so on tell."""
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
