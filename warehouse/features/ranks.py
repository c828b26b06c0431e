"""Sorts values and ranks vectors in numpy, for the derived tables.

`sql/reference/ranks.sql` defines a rank, and tests compare the two. SQL takes eight times as long as numpy,
and ranking would be nine tenths of the cost of building features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from warehouse.features.unpack import Unpacked
from warehouse.rows import Floats

# Ranks of matrices (4 million values) are left out: no document asks for them.
MOST_RANKED = 65_536


Stack = tuple[list[int], Floats]
"""Vectors of one width, as the rows of a matrix, and which they are."""


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
    """For each row of finite values their ranks minus the mean rank, ties sharing theirs; exact in FLOAT."""
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
