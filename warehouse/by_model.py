"""The rows of a table one model after the other, from the file of a model by itself or of a part."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.empty import empty_table
from warehouse.lake import Lake
from warehouse.pack import pack
from warehouse.parquet import damaged
from warehouse.unpack import unpacked_rows


def models_of(lake: Lake, holder: str, table: str) -> Iterator[tuple[str, pa.Table]]:
    """What a part or a model by itself has in a table, model by model."""
    file = lake.file(table, holder)
    if table == "rough_norms" and not file.exists():  # an earlier version stored none
        for model, norms in by_model(lake.file("norms", holder), "norms"):
            yield model, pack(unpacked_rows(norms), [lake.model(model)]).rough_norms
    else:
        yield from by_model(file, table)


def conformed(table: str, rows: pa.Table) -> pa.Table:
    """With the columns of this version; a model in a part has no files of its own."""
    schema = empty_table(table).schema
    columns = [
        rows[name].cast(kind) if name in rows.schema.names else pa.nulls(rows.num_rows, kind)
        for name, kind in zip(schema.names, schema.types, strict=True)
    ]
    if table == "models":
        at = schema.get_field_index("files")
        # NULL stays NULL, by which models are known that an earlier version wrote
        known: list[list[object] | None] = [
            [] if is_known else None for is_known in columns[at].is_valid().to_pylist()
        ]
        columns[at] = pa.array(known, schema.types[at])
    return pa.Table.from_arrays(columns, schema=schema)


def by_model(file: Path, table: str) -> Iterator[tuple[str, pa.Table]]:
    """A model's rows stand together, maybe in more than one row group."""
    try:
        # names as numbers: a row takes a third of the memory
        names = ["model", "ln_type"] if table == "norms" else []
        source = pq.ParquetFile(file, page_checksum_verification=True, read_dictionary=names)
        name = ""
        held: list[pa.Table] = []
        for group in range(source.num_row_groups):
            rows = source.read_row_group(group)
            for one, part in runs_of_models(rows):
                if held and one != name:
                    yield name, pa.concat_tables(held)
                    held = []
                name = one
                held.append(part)
        if held:
            yield name, pa.concat_tables(held)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise damaged(file, " ".join(str(error).split())) from error


def runs_of_models(rows: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    """Neighbouring rows of one model each."""
    codes = rows["model"].combine_chunks().dictionary_encode()
    indices = codes.indices.to_numpy()
    begins = [0, *(np.flatnonzero(np.diff(indices)) + 1)]
    for begin, end in pairwise([*begins, rows.num_rows] if rows.num_rows else [0]):
        yield codes.dictionary[int(indices[begin])].as_py(), rows.slice(begin, end - begin)
