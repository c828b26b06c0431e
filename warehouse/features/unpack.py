"""The vectors of the long tables `norms` and `projections`, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.rows import Floats, Vector

# One query packs vectors up to this many values in all, or one longer vector; bounds the lists in memory.
BATCH_VALUES = 1 << 20


@dataclass(frozen=True)
class Unpacked:
    """One vector of the long table."""

    model: str
    layer: int
    ln_type: str
    values: Floats


def unpacked_norms(model: str, norms: Sequence[Vector]) -> list[Unpacked]:
    return [Unpacked(model, norm.row.layer, norm.row.ln_type, norm.values) for norm in norms]


def unpacked(file: Path) -> Iterator[list[Unpacked]]:
    """The vectors of a norms or projections file, in batches of about BATCH_VALUES."""
    source = pq.ParquetFile(file)
    rest: pa.Table | None = None
    for group in range(source.num_row_groups):
        rows = source.read_row_group(group)
        rest = rows if rest is None else pa.concat_tables([rest, rows])
        if rest.num_rows < BATCH_VALUES and group < source.num_row_groups - 1:
            continue
        begins = np.flatnonzero(rest["dim"].to_numpy() == 0)
        # the last vector may go on in the next row group
        if group < source.num_row_groups - 1:
            if len(begins) > 1:
                yield _split(rest.slice(0, begins[-1]), begins[:-1])
                rest = rest.slice(begins[-1])
        elif rest.num_rows:
            yield _split(rest, begins)


def unpacked_rows(rows: pa.Table) -> list[Unpacked]:
    """The vectors of rows of the long table that are whole vectors."""
    return _split(rows, np.flatnonzero(rows["dim"].to_numpy() == 0))


def _split(rows: pa.Table, begins: np.ndarray) -> list[Unpacked]:
    values = rows["value"].to_numpy()
    ends = [*begins[1:], rows.num_rows]
    firsts = rows.select(["model", "layer", "ln_type"]).take(pa.array(begins)).to_pylist()
    return [
        Unpacked(**first, values=values[begin:end])
        for first, begin, end in zip(firsts, begins, ends, strict=True)
    ]
