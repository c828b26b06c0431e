"""Writes `slices` and `slice_rows` of a model: single rows of its embedding, gate and up matrices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.rows import Floats, SliceMatrix, SliceRow
from warehouse.storage.parquet import read_provenance, table_writer, write_rows
from warehouse.tables import TABLES

# 4 MB of a model that is 4096 wide: readers of one layer skip the others, and no writer holds much.
ROW_GROUP_ROWS = 256


def write_slices(path: Path, model: str, rows: Iterable[SliceRow], provenance: Mapping[str, str]) -> None:
    write_rows(path, "slices", [(model, *astuple(row)) for row in rows], provenance)


def slices_of(path: Path, provenance: Mapping[str, str]) -> list[SliceRow] | None:
    """The rows of a file that was written with this provenance; None if there is none."""
    if read_provenance(path) != provenance:
        return None
    rows = pq.ParquetFile(path).read().select(TABLES["slices"].schema.names[1:]).to_pylist()
    return [SliceRow(**row) for row in rows]


@contextmanager
def slice_rows_writer(path: Path, model: str, provenance: Mapping[str, str]) -> Iterator[SliceRowsWriter]:
    """Streams the rows: feed matrix after matrix, in the order matrix, layer, expert, row."""
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
        self._writer.write_table(table, row_group_size=ROW_GROUP_ROWS)
