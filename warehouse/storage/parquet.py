"""The only place that writes Parquet. tables.toml has the encodings.

Same rows, same library version: same bytes. Sort order, row-group size and metadata are fixed, and no
timestamp of the writing enters a file but the `ingested_at` of `models`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.console.exhausted import exhausted
from warehouse.errors import LakeError
from warehouse.rows import Floats, ModelRow, SliceMatrix, SliceRow, TensorRow, Vector
from warehouse.storage.digests import (
    SEAL,
    UNSEALED,
    VectorDigests,
    is_sealed,
    norms_digest,
    seal,
    tensors_digest,
)
from warehouse.tables import TABLES, Table

# 32 vectors of 4096 values: enough for DuckDB to work in parallel, small enough to skip by ln_type and layer.
ROW_GROUP_ROWS = 131_072

# A CRC for every page, 36 bytes in 60,000. PyArrow verifies it; DuckDB 2.0 and Polars 2.1 ignore it.
CHECKED = {"write_page_checksum": True}

SMALL = {"compression": "zstd", "compression_level": 9, "store_schema": False}

PREFIX = "normhouse."


def write_norms(path: Path, model: str, vectors: Sequence[Vector], provenance: Mapping[str, str]) -> str:
    """Write the norm vectors of one model, sorted by ln_type, layer and dim. Returns their digest."""
    with table_writer(path, TABLES["norms"], provenance) as writer:
        if vectors:
            writer.write_table(norm_rows(model, vectors), row_group_size=ROW_GROUP_ROWS)
    return norms_digest(vectors)


def norm_rows(model: str, vectors: Sequence[Vector]) -> pa.Table:
    ordered = sorted(vectors, key=lambda vector: (vector.row.ln_type, vector.row.layer))
    rows = [_rows(model, v.row.layer, v.row.ln_type, 0, v.values) for v in ordered]
    return pa.concat_tables(rows).combine_chunks()


@contextmanager
def projections_writer(path: Path, model: str, provenance: Mapping[str, str]) -> Iterator[ProjectionsWriter]:
    """Streams matrices that do not fit in memory: write pieces in the order ln_type, layer, dim."""
    with table_writer(path, TABLES["projections"], provenance) as writer:
        yield ProjectionsWriter(writer, model)


class ProjectionsWriter:
    def __init__(self, writer: pq.ParquetWriter, model: str) -> None:
        self._writer = writer
        self._model = model
        self._vectors = VectorDigests()

    def write(self, layer: int, ln_type: str, first_dim: int, values: Floats) -> None:
        rows = _rows(self._model, layer, ln_type, first_dim, values)
        self._writer.write_table(rows, row_group_size=ROW_GROUP_ROWS)
        self._vectors.add(layer, ln_type, values)

    def digest(self) -> str:
        """The digest of what was written."""
        return self._vectors.digest()


def write_tensors(path: Path, model: str, rows: Iterable[TensorRow], provenance: Mapping[str, str]) -> str:
    """Write rows of `tensors`, sorted. Returns their digest."""
    ordered = sorted(rows, key=lambda row: (row.ln_type, row.layer))
    write_table(path, tensor_table(model, ordered), provenance)
    return tensors_digest(ordered)


def tensor_table(model: str, ordered: Sequence[TensorRow]) -> pa.Table:
    return _table("tensors", [(model, *astuple(row)) for row in ordered])


def write_model(path: Path, row: ModelRow, provenance: Mapping[str, str]) -> None:
    write_rows(path, "models", [astuple(row)], provenance)


def model_rows(models: Sequence[ModelRow]) -> pa.Table:
    return _table("models", [astuple(row) for row in models])


def write_table(path: Path, table: pa.Table, provenance: Mapping[str, str]) -> None:
    """A small table of any columns, in the row order given."""
    with parquet_writer(path, table.schema, SMALL, provenance, sealed=True) as writer:
        writer.write_table(table)


def read_parquet(path: Path) -> pa.Table:
    """Read a file, verifying its page checksums; a LakeError names the file if it is damaged."""
    return _read(path, path)


def read_sealed(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a sealed file, or some of its columns, verifying every byte of it."""
    return _read(path, pa.BufferReader(sealed_content(path)), columns)


def sealed_content(path: Path) -> bytes:
    """The bytes of a sealed file; a LakeError names it if they are not those that were written."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise damaged(path, str(error.strerror)) from error
    if not is_sealed(content):
        raise damaged(path, "it is not what was written")
    return content


def _read(path: Path, source: Path | pa.BufferReader, columns: Sequence[str] | None = None) -> pa.Table:
    try:
        file = pq.ParquetFile(source, page_checksum_verification=True)
        # Of bytes that Python owns, in this thread only: one of Arrow's threads may release them after the
        # result is there, and if Python is ending by then, the process aborts.
        return file.read(columns=columns, use_threads=isinstance(source, Path))
    except (OSError, ValueError, pa.ArrowException) as error:
        if exhausted(error):
            raise
        raise damaged(path, " ".join(str(error).split())) from error


def damaged(path: Path, why: str) -> LakeError:
    return LakeError(f"{path} is damaged ({why}): `just check` names all such files and what mends them")


def read_provenance(path: Path) -> dict[str, str]:
    """The `provenance` with which the file was written; empty if it cannot be read."""
    try:
        stored = pq.read_metadata(path).metadata or {}
    except (OSError, pa.ArrowException):
        return {}
    texts = {key.decode(): value.decode() for key, value in stored.items() if key != SEAL.encode()}
    return {key.removeprefix(PREFIX): value for key, value in texts.items() if key.startswith(PREFIX)}


def write_rows(
    path: Path, table: str, rows: Sequence[tuple[object, ...]], provenance: Mapping[str, str]
) -> None:
    """A small table, in the row order given."""
    write_table(path, _table(table, rows), provenance)


def _table(table: str, rows: Sequence[tuple[object, ...]]) -> pa.Table:
    schema = TABLES[table].schema
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def table_writer(
    path: Path, table: Table, provenance: Mapping[str, str]
) -> AbstractContextManager[pq.ParquetWriter]:
    return parquet_writer(path, table.schema, table.write, provenance, sealed=table.is_sealed)


@contextmanager
def parquet_writer(
    path: Path,
    schema: pa.Schema,
    options: Mapping[str, Any],
    provenance: Mapping[str, str],
    *,
    sealed: bool = False,
) -> Iterator[pq.ParquetWriter]:
    """Every Parquet file is written here, with metadata that says where its rows come from."""
    # rows that were read from a sealed file carry its digest in their schema
    with pq.ParquetWriter(path, schema.remove_metadata(), **CHECKED, **options) as writer:
        writer.add_key_value_metadata(_metadata(provenance))
        if sealed:
            writer.add_key_value_metadata({SEAL: UNSEALED})
        yield writer
    if sealed:
        seal(path)


def _rows(model: str, layer: int, ln_type: str, first_dim: int, values: Floats) -> pa.Table:
    """Rows of `norms` or `projections`, which have the same columns."""
    count = len(values)
    columns = [
        pa.repeat(pa.scalar(model), count),
        pa.array(np.full(count, layer, np.int16)),
        pa.repeat(pa.scalar(ln_type), count),
        pa.array(np.arange(first_dim, first_dim + count, dtype=np.int32)),
        pa.array(values, pa.float32()),
    ]
    return pa.Table.from_arrays(columns, schema=TABLES["norms"].schema)


def _metadata(provenance: Mapping[str, str]) -> dict[str, str]:
    return {PREFIX + key: value for key, value in sorted(provenance.items())}


# 4 MB for a model of width 4096: readers of one layer skip the others, and writers need little memory.
SLICE_GROUP_ROWS = 256


def write_slices(path: Path, model: str, rows: Iterable[SliceRow], provenance: Mapping[str, str]) -> None:
    write_rows(path, "slices", [(model, *astuple(row)) for row in rows], provenance)


def slices_of(path: Path, provenance: Mapping[str, str]) -> list[SliceRow] | None:
    """The rows of a file that was written with this provenance; None if there is no such file."""
    if read_provenance(path) != provenance:
        return None
    rows = pq.ParquetFile(path).read().select(TABLES["slices"].schema.names[1:]).to_pylist()
    return [SliceRow(**row) for row in rows]


@contextmanager
def slice_rows_writer(path: Path, model: str, provenance: Mapping[str, str]) -> Iterator[SliceRowsWriter]:
    """Streams rows: write one matrix after the other, in the order matrix, layer, expert, row."""
    with table_writer(path, TABLES["slice_rows"], provenance) as writer:
        yield SliceRowsWriter(writer, model)


class SliceRowsWriter:
    def __init__(self, writer: pq.ParquetWriter, model: str) -> None:
        self._writer = writer
        self._model = model

    def write(
        self,
        matrix: SliceMatrix,
        layer: int,
        expert: str | None,
        rows: Sequence[int],
        weights: Floats,
        anchors: Sequence[str] | None = None,
    ) -> None:
        """Some rows of one matrix: `weights` has a line for each of `rows`, and so have the anchors."""
        count, columns = weights.shape
        offsets = np.arange(0, (count + 1) * columns, columns or 1, dtype=np.int32)
        table = pa.Table.from_arrays(
            [
                pa.repeat(pa.scalar(self._model), count),
                pa.repeat(pa.scalar(matrix), count),
                pa.array(np.full(count, layer, np.int16)),
                pa.array([expert] * count, pa.string()),
                pa.array(rows, pa.int32()),
                pa.array([None] * count if anchors is None else anchors, pa.string()),
                pa.ListArray.from_arrays(pa.array(offsets), pa.array(weights.reshape(-1), pa.float32())),
            ],
            schema=TABLES["slice_rows"].schema,
        )
        self._writer.write_table(table, row_group_size=SLICE_GROUP_ROWS)
