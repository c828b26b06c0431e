"""Reads bundles: many models in one file per table, as compaction leaves them.

    <table>/<model>.parquet     a single model, as ingest writes it
    <table>/00007.parquet       a bundle; models' names begin with a letter, bundles are numbers

A bundle never changes: to add or remove a model, its rows are written again under another number. So what was
read from it can be cached.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warehouse.errors import LakeError
from warehouse.storage.parquet import damaged, read_sealed
from warehouse.tables import TABLES

FILES = "files"
"""The key under which a bundle's file of `models` has the sizes and digests of its other files."""


MOST_KNOWN = 1024
_known: dict[tuple[int, ...], dict[str, int]] = {}


def models_in(file: Path, identity: tuple[int, ...]) -> dict[str, int]:
    """The models of a bundle, by its file of `models`, and the row that each has there.

    `identity` is the file's device, inode and time: the same in every snapshot that links to it.
    """
    found = _known.get(identity)
    if found is None:
        if len(_known) > MOST_KNOWN:
            _known.clear()
        found = _known[identity] = {name: row for row, name in enumerate(_names(file))}
    return found


def rows_of(file: Path, model: str) -> pa.Table:
    """The rows of one model in a bundle; row groups of others are not read."""
    try:
        return pq.read_table(file, filters=pc.field("model") == model, page_checksum_verification=True)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise damaged(file, " ".join(str(error).split())) from error


def to_current_schema(table: str, rows: pa.Table) -> pa.Table:
    """Rows with the columns and types of the table. A model in a bundle has no files of its own."""
    schema = TABLES[table].schema
    if missing := [name for name in schema.names if name not in rows.schema.names]:
        raise LakeError(f"table {table} has no column {missing[0]}")
    columns = [rows[name].cast(kind) for name, kind in zip(schema.names, schema.types, strict=True)]
    if table == "models":
        at = schema.get_field_index("files")
        columns[at] = pa.array([[]] * rows.num_rows, schema.types[at])
    return pa.Table.from_arrays(columns, schema=schema)


def iter_models(file: Path, table: str) -> Iterator[tuple[str, pa.Table]]:
    """The rows of each model of a file. They are contiguous, but may span several row groups."""
    try:
        # names as dictionaries take a third of the memory
        names = ["model", "ln_type"] if table == "norms" else []
        source = pq.ParquetFile(file, page_checksum_verification=True, read_dictionary=names)
        name = ""
        held: list[pa.Table] = []
        for group in range(source.num_row_groups):
            rows = source.read_row_group(group)
            for one, some in runs_of_models(rows):
                if held and one != name:
                    yield name, pa.concat_tables(held)
                    held = []
                name = one
                held.append(some)
        if held:
            yield name, pa.concat_tables(held)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise damaged(file, " ".join(str(error).split())) from error


def runs_of_models(rows: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    """Each run of contiguous rows of one model."""
    codes = rows["model"].combine_chunks().dictionary_encode()
    indices = codes.indices.to_numpy()
    begins = [0, *(np.flatnonzero(np.diff(indices)) + 1)]
    for begin, end in pairwise([*begins, rows.num_rows] if rows.num_rows else [0]):
        yield codes.dictionary[int(indices[begin])].as_py(), rows.slice(begin, end - begin)


def _names(file: Path) -> list[str]:
    try:
        names: list[str] = read_sealed(file, ["model"])["model"].to_pylist()
    except LakeError as error:
        raise LakeError(
            f"{error}; its models are not known: put a copy there, or delete {file.name} of every table "
            "and ingest its models again"
        ) from error
    return names
