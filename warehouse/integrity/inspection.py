"""Refuses a foreign lake whose files are not as we write them, before DuckDB or Arrow open them.

Accepted files are regular files at known places, with the known columns and types, valid names, lists as
long as `d`, and no more values than their size allows. Their content remains unproven: `just check`
compares it with digests that the same author wrote.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.catalog.connections import connect, plain_pattern
from warehouse.errors import LakeError
from warehouse.integrity.footers import Element, Shape
from warehouse.integrity.pages import schema_of, shape_of
from warehouse.integrity.thrift import Malformed
from warehouse.lake import Lake
from warehouse.paths import ENDING, NAME, is_bundle
from warehouse.tables import CALIBRATION, PER_MODEL, SOME_MODELS, TABLES, WHOLE_LAKE

# How many values a file may have, and how many more per byte. Constants take a byte for every thirty values.
FEW_VALUES, VALUES_A_BYTE = 1 << 24, 256
# The same for rows, in tables that do not have a row for each value.
FEW_ROWS, ROWS_A_BYTE = 1 << 16, 1
# These are read as a whole. 4,000 models take half a megabyte.
MOST_BYTES_OF_MODELS = 1 << 26


@dataclass(frozen=True)
class Stored:
    """A file of a lake: its table, its model or bundle, and what it holds."""

    table: str
    stem: str
    """The model or bundle; empty in a table of the lake as a whole."""
    path: Path
    shape: Shape


Files: TypeAlias = "dict[str, Stored]"
"""Those of a table, by path."""


class Refused(Malformed):
    """A file must not be opened; `path` says which."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(why)
        self.path = path


def refuse_malformed(lake: Lake) -> None:
    """Raises LakeError, which names the first such file. Takes about a second for a thousand models."""
    try:
        found = [_inspected(*file) for file in _files(lake)]
        with connect() as connection:
            _check_rows(connection, found)
    except Refused as refused:
        raise LakeError(
            f"{refused.path} is not what `just publish` writes ({refused}), and lake {lake.name!r} is "
            f"not read: get the folder again from where it was published"
        ) from None
    except OSError as error:
        raise LakeError(
            f"cannot read lake {lake.name!r} ({error}): check the rights of its folders"
        ) from error


def _files(lake: Lake) -> Iterator[tuple[str, str, Path]]:
    """Table, stem (empty in a table of the lake as a whole) and path of each file that we would open."""
    for table in (*PER_MODEL, *SOME_MODELS):
        for name in _entries(lake.folder / table):
            stem, path = name.removesuffix(ENDING), lake.folder / table / name
            if not (NAME.fullmatch(stem) or (is_bundle(stem) and stem.isascii())):
                raise Refused(path, "no model can be called that")
            yield table, stem, path
    for table in (*WHOLE_LAKE, *CALIBRATION):
        for name in _entries(lake.folder / table):
            yield table, "", lake.folder / table / name


def _entries(folder: Path) -> list[str]:
    """Names of Parquet files in a folder of a table, which may be missing."""
    if not os.path.lexists(folder):
        return []
    if folder.is_symlink() or not folder.is_dir():
        raise Refused(folder, "it is not a folder")
    names = sorted(path.name for path in folder.iterdir())
    return [name for name in names if name.endswith(ENDING) and not name.startswith(".")]


def _inspected(table: str, stem: str, path: Path) -> Stored:
    try:
        shape = shape_of(path)
    except Malformed as error:
        raise Refused(path, str(error)) from error
    if table in TABLES and shape.schema != known_schema(table):
        raise Refused(path, _difference(shape.schema, known_schema(table)))
    values = max(shape.values.values(), default=0)
    if values > FEW_VALUES + VALUES_A_BYTE * shape.bytes:
        raise Refused(path, f"it would unpack {values:,} values from {shape.bytes:,} bytes")
    has_row_per_value = table in TABLES and TABLES[table].values_of
    if not has_row_per_value and shape.rows > FEW_ROWS + ROWS_A_BYTE * shape.bytes:
        raise Refused(path, f"it would unpack {shape.rows:,} rows from {shape.bytes:,} bytes")
    if table == "models" and shape.bytes > MOST_BYTES_OF_MODELS:
        raise Refused(path, f"it has {shape.bytes:,} bytes")
    return Stored(table, stem, path, shape)


@cache
def known_schema(table: str) -> list[Element]:
    """As we write it."""
    file = pa.BufferOutputStream()
    pq.write_table(TABLES[table].empty(), file, compression="none", store_schema=False)
    return schema_of(file.getvalue().to_pybytes())


def _difference(schema: Sequence[Element], known: Sequence[Element]) -> str:
    """The first one, in words."""
    names, known_names = ([str(one[0]) for one in elements] for elements in (schema, known))
    if missing := [name for name in known_names if name not in names]:
        return f"it has no column {missing[0]}"
    if unknown := [name for name in names if name not in known_names]:
        return f"it has a column {unknown[0]} that this version does not know"
    changed = [name for name, one, other in zip(names, schema, known, strict=False) if one != other]
    return f"its column {changed[0]} has another type or place" if changed else "it has columns twice"


def _check_rows(connection: duckdb.DuckDBPyConnection, found: Sequence[Stored]) -> None:
    by_table: dict[str, Files] = {}
    for one in found:
        by_table.setdefault(one.table, {})[str(one.path)] = one
    for name in by_table.keys() & TABLES.keys():
        _check_demands(connection, by_table[name], TABLES[name].demands)
    models = _models(connection, by_table.get("models", {}))
    widths = {}
    for name in (*PER_MODEL, *SOME_MODELS):
        files, table = by_table.get(name, {}), TABLES[name]
        if not table.values_of:
            _check_models(connection, files, models)
        if table.list_of_d:
            widths[name] = _widths(connection, files)
            for one in files.values():
                if one.shape.values[f"{table.list_of_d}.list.element"] != widths[name][one.stem]:
                    raise Refused(one.path, f"its lists are not as long as {table.list_of_d} and d say")
    for name, table in TABLES.items():
        for one in by_table.get(name, {}).values() if table.values_of else ():
            if one.shape.rows != widths[table.values_of].get(one.stem, one.shape.rows):
                raise Refused(one.path, f"it does not have as many rows as {table.values_of} have values")


def _check_demands(connection: duckdb.DuckDBPyConnection, files: Files, demands: Mapping[str, str]) -> None:
    wrong = ", ".join(
        f"case when not coalesce({test}, false) then '{name}' end" for name, test in demands.items()
    )
    if not wrong:
        return
    for path, names in _ask(connection, files, f"filename, concat_ws(', ', {wrong}) as wrong", "wrong <> ''"):
        raise Refused(Path(path), f"it has rows that cannot be: {names}")


def _models(connection: duckdb.DuckDBPyConnection, files: Files) -> dict[str, set[str]]:
    """By model or bundle, the models that are there."""
    found: dict[str, set[str]] = {one.stem: set() for one in files.values()}
    everywhere: set[str] = set()
    for path, model in _ask(connection, files, "filename, model"):
        stem = files[path].stem
        if not NAME.fullmatch(model) or (stem != model and not is_bundle(stem)):
            raise Refused(Path(path), f"it has a model called {model!r}")
        if model in everywhere:
            raise Refused(Path(path), f"it has the model {model!r}, which is in the lake twice")
        everywhere.add(model)
        found[stem].add(model)
    return found


def _check_models(
    connection: duckdb.DuckDBPyConnection, files: Files, models: Mapping[str, set[str]]
) -> None:
    """Refuse a file with rows of models that are not its own."""
    for path, model in _ask(connection, files, "distinct filename, model"):
        stem = files[path].stem
        if model not in (models.get(stem, ()) if is_bundle(stem) else (stem,)):
            raise Refused(Path(path), f"it has rows of {model!r}, which is another model or none")


def _widths(connection: duckdb.DuckDBPyConnection, files: Files) -> dict[str, int]:
    """By model or bundle, how many values its vectors have together."""
    found = {one.stem: 0 for one in files.values()}
    for path, values in _ask(connection, files, "filename, sum(d)", group="filename"):
        found[files[path].stem] = int(values)
    return found


def _ask(
    connection: duckdb.DuckDBPyConnection, files: Files, what: str, where: str = "true", group: str = ""
) -> list[tuple[Any, ...]]:
    """Query the rows of these files."""
    if not files:
        return []
    query = (
        f"select {what} from read_parquet($files, filename = true, hive_partitioning = false) where {where}"
    )
    patterns = [plain_pattern(Path(path)) for path in files]
    try:
        answer = connection.execute(query + (f" group by {group}" if group else ""), {"files": patterns})
        return answer.fetchall()
    except duckdb.Error as error:
        path = next((path for path in files if path in str(error)), next(iter(files)))
        raise Refused(Path(path), " ".join(str(error).split())) from error
