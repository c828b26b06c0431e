"""Many new models at once: written together as one small part, not each by itself (warehouse/parts.py).

Six files for all of them instead of six for each: opening a file and forcing it to disk takes longer than the
rows of a small model. `compact` gathers such parts into larger ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from warehouse.changes import staged_change
from warehouse.compact import part_numbers, write_part
from warehouse.digests import tensors_digest
from warehouse.lake import Lake
from warehouse.pack import Packed
from warehouse.parquet import model_rows, norm_rows, tensor_table
from warehouse.schemas import ModelRow, Vector


@dataclass(frozen=True)
class Arrival:
    """A model that the lake does not have; `packed` may hold others, too."""

    row: ModelRow
    vectors: Sequence[Vector]
    packed: Packed


def write_arrivals(lake: Lake, arrivals: Sequence[Arrival]) -> None:
    """In one atomic change; call while holding the write lock."""
    ordered = sorted(arrivals, key=lambda one: (one.row.hidden_size or 0, one.row.model))
    with staged_change(lake) as change:
        # row groups of one model each: who gathers many such parts holds one of each
        write_part(change, next(part_numbers(lake)), partial(_rows, ordered), group_values=1)
        change.publish()


def _rows(arrivals: Sequence[Arrival], table: str) -> Iterator[pa.Table]:
    """Model by model."""
    return (_rows_of(one, table) for one in arrivals)


def _rows_of(one: Arrival, table: str) -> pa.Table:
    model = one.row.model
    tensors = sorted((vector.row for vector in one.vectors), key=lambda row: (row.ln_type, row.layer))
    if table == "models":
        # a model in a part has no files of its own
        return model_rows([replace(one.row, tensors_digest=tensors_digest(tensors), files=[])])
    if table == "norms":
        return norm_rows(model, one.vectors)
    if table == "tensors":
        return tensor_table(model, tensors)
    packed: pa.Table = getattr(one.packed, table)
    return packed.filter(pc.equal(packed["model"], model))
