"""Reads vectors out of the long tables, and sorts and ranks them in numpy.

`sql/reference/ranks.sql` defines a rank, and tests compare the two. SQL takes eight times as long as numpy,
and ranking would be nine tenths of the cost of building features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.rows import Floats, Vector

# A batch has at most this many values, or one longer vector, which bounds the memory.
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
        # the last vector may continue in the next row group
        if group < source.num_row_groups - 1:
            if len(begins) > 1:
                yield _split(rest.slice(0, begins[-1]), begins[:-1])
                rest = rest.slice(begins[-1])
        elif rest.num_rows:
            yield _split(rest, begins)


def _split(rows: pa.Table, begins: np.ndarray) -> list[Unpacked]:
    values = rows["value"].to_numpy()
    ends = [*begins[1:], rows.num_rows]
    firsts = rows.select(["model", "layer", "ln_type"]).take(pa.array(begins)).to_pylist()
    return [
        Unpacked(**first, values=values[begin:end])
        for first, begin, end in zip(firsts, begins, ends, strict=True)
    ]


# Ranks of matrices (4 million values) are left out: no document asks for them.
MOST_RANKED = 65_536


Stack = tuple[list[int], Floats]
"""The indices of vectors of one width, and those vectors as the rows of a matrix."""


def rank_vectors(vectors: Sequence[Unpacked]) -> pa.Table:
    """The input of `sql/features/statistics.sql`, and the lists that are stored with its results."""
    finite = _stacks(vectors, lambda values: bool(np.isfinite(values).all()))
    ranked = [(which, rows) for which, rows in finite if rows.shape[1] <= MOST_RANKED]

    def lists(work: Callable[[Floats], Floats], stacks: Sequence[Stack]) -> pa.ListArray:
        return _lists(_row_by_row(work, stacks, len(vectors)))

    return pa.table(
        {
            "model": pa.array([vector.model for vector in vectors], pa.string()),
            "layer": pa.array([vector.layer for vector in vectors], pa.int16()),
            "ln_type": pa.array([vector.ln_type for vector in vectors], pa.string()),
            "weights": _lists([vector.values for vector in vectors]),
            "ascending": lists(lambda rows: np.sort(rows, axis=1), finite),
            "ascending_abs": lists(lambda rows: np.sort(abs(rows), axis=1), finite),
            "ranks": lists(average_ranks, ranked),
        }
    )


def average_ranks(rows: Floats) -> Floats:
    """The ranks of the values of each row, minus their mean. Ties share their mean rank. Exact in FLOAT."""
    count = rows.shape[1]
    order = np.argsort(rows, axis=1)
    ascending = np.take_along_axis(rows, order, 1)
    begins = np.ones(rows.shape, bool)
    begins[:, 1:] = ascending[:, 1:] != ascending[:, :-1]
    first = np.flatnonzero(begins)
    ties = np.diff(np.append(first, rows.size))
    ranks = (first % count + (ties - count) / 2).astype(np.float32)
    placed: Floats = np.empty(rows.shape, np.float32)
    np.put_along_axis(placed, order, np.repeat(ranks, ties).reshape(rows.shape), 1)
    return placed


def _stacks(vectors: Sequence[Unpacked], is_chosen: Callable[[Floats], bool]) -> list[Stack]:
    by_width: dict[int, list[int]] = {}
    for index, vector in enumerate(vectors):
        if is_chosen(vector.values):
            by_width.setdefault(len(vector.values), []).append(index)
    return [(which, np.stack([vectors[index].values for index in which])) for which in by_width.values()]


def _row_by_row(work: Callable[[Floats], Floats], stacks: Sequence[Stack], count: int) -> list[Floats | None]:
    done: list[Floats | None] = [None] * count
    for which, rows in stacks:
        for index, row in zip(which, work(rows), strict=True):
            done[index] = row
    return done


def _lists(rows: Sequence[Floats | None]) -> pa.ListArray:
    present = [row for row in rows if row is not None]
    lengths = [0 if row is None else len(row) for row in rows]
    return pa.ListArray.from_arrays(
        pa.array(np.cumsum([0, *lengths]), pa.int32()),
        pa.array(np.concatenate(present) if present else [], pa.float32()),
        mask=pa.array([row is None for row in rows], pa.bool_()),
    )
