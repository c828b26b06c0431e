"""Gathers models into parts: some thousand models in one file a table (warehouse/parts.py).

Ingest writes each model by itself, so that a crash costs one model; a hundred thousand would be half a
million files. A part is written from those models and from parts that are far from full, ordered by width and
name, and published by the journal of every change: it counts from the moment its file of `models` is
there, and what it was made of is removed after that. Rows are copied as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warehouse import VERSION
from warehouse.by_model import conformed, models_of
from warehouse.changes import Change, staged_change
from warehouse.damage import refuse_to_gather
from warehouse.empty import empty_table
from warehouse.lake import Lake, is_part, relative_file
from warehouse.pack import (
    CORRELATIONS_OPTIONS,
    ROUGH_NORMS_OPTIONS,
    SKETCHES_OPTIONS,
    VECTORS_OPTIONS,
    write_lists,
)
from warehouse.parquet import NORMS_OPTIONS, SMALL_OPTIONS, parquet_writer, read_parquet
from warehouse.parts import FILES, GATHERED

PART_MODELS = 4_000
# So many by themselves, and ingest gathers them: every question opens all their files. Fewer, if that takes
# along at most twice as many that are in parts already; so what is written anew stays in proportion.
MANY, FEW = 500, 100

# Who asks about a model reads the row group it is in (12 ns a value) and passes all others (20 µs each, at
# every mention of the table). A search among 100,000 models of 65 norms takes least with a thousand vectors
# of 512 to a group, and of other widths with more or fewer by its root: 16 such models, and five at 4096.
GROUP_VALUES = 1 << 19
GROUP_WIDTH = 512
OPTIONS: dict[str, dict[str, Any]] = {
    "models": SMALL_OPTIONS,
    "tensors": SMALL_OPTIONS,
    "norms": NORMS_OPTIONS,
    "vectors": VECTORS_OPTIONS,
    "rough_norms": ROUGH_NORMS_OPTIONS,
    "correlations": CORRELATIONS_OPTIONS,
    "sketches": SKETCHES_OPTIONS,
}

Key = tuple[int, str]
"""Width and name, the order of models in a part."""


@dataclass(frozen=True)
class Source:
    """A part or a model by itself, and which of its models are wanted, in order."""

    holder: str
    models: tuple[Key, ...]


def compact(lake: Lake, part_models: int = PART_MODELS) -> int:
    """Call while holding the write lock; how many models were moved into new parts."""
    sources = _sources(lake, part_models)
    if len(sources) < 2:
        sources = []
    refuse_to_gather(lake, [source.holder for source in sources])
    if not sources:
        return 0
    keys = sorted(key for source in sources for key in source.models)
    with staged_change(lake) as change:
        numbers = part_numbers(lake)
        for begin in range(0, len(keys), part_models):
            some = set(keys[begin : begin + part_models])
            write_part(change, next(numbers), partial(_merged, lake, sources, some))
        for source in sources:
            remove_holder(change, source.holder)
        change.publish()
    return len(keys)


def compact_if_many(lake: Lake) -> int:
    alone = len(lake.staged())
    if alone < FEW:
        return 0
    taken_along = sum(len(source.models) for source in _sources(lake, PART_MODELS)) - alone
    return compact(lake) if alone >= min(MANY, max(FEW, taken_along // 2)) else 0


def without_model(lake: Lake, change: Change, model: str) -> None:
    """Takes a model out of its part in a change that brings it anew."""
    part = lake.holder(model)
    if part is None or part == model:
        return
    keys = [key for key in _keys(lake, part) if key[1] != model]
    if keys:
        rest = [Source(part, tuple(keys))]
        write_part(change, next(part_numbers(lake)), partial(_merged, lake, rest, set(keys)))
    remove_holder(change, part)


def remove_holder(change: Change, holder: str) -> None:
    for table in GATHERED:
        change.remove_after(relative_file(table, holder))


def write_part(
    change: Change,
    part: str,
    rows: Callable[[str], Iterable[pa.Table]],
    made: Mapping[str, str] | None = None,
    group_values: int = GROUP_VALUES,
) -> None:
    """The files of one part, from the rows of each table, model by model; that of `models` last, which knows
    the digests of the others. `made` says where they come from."""
    provenance = {"tool_version": VERSION, **(made or {})}
    for table in sorted(GATHERED, key=lambda table: table == "models"):
        if table == "models":
            mine = [one for one in change.written() if one["file"].split("/")[1] == part]
            provenance[FILES] = json.dumps(mine)
        target = change.file(relative_file(table, part))
        with parquet_writer(target, empty_table(table).schema, OPTIONS[table], provenance) as writer:
            _write(writer, table, rows(table), group_values)


def _write(writer: pq.ParquetWriter, table: str, models: Iterable[pa.Table], group_values: int) -> None:
    held: list[pa.Table] = []
    values = 0
    for rows in models:
        if not rows.num_rows:  # a model without such rows
            continue
        size = _size(table, rows)
        # a model with and without ranks has row groups of its own, so that its rows stand together
        is_mixed = table == "vectors" and rows["ranks"].null_count > 0
        if held and (is_mixed or values + size > group_values):
            _write_group(writer, table, pa.concat_tables(held))
            held, values = [], 0
        held.append(rows)
        values += group_values if is_mixed else size
    if held:
        _write_group(writer, table, pa.concat_tables(held))


def _write_group(writer: pq.ParquetWriter, table: str, rows: pa.Table) -> None:
    if table == "vectors":
        write_lists(writer, rows.combine_chunks(), rows.num_rows)
    else:
        writer.write_table(rows.combine_chunks(), row_group_size=rows.num_rows)


def _size(table: str, rows: pa.Table) -> int:
    count: int = rows.num_rows
    if table == "norms":
        return count // 2
    if table in ("vectors", "rough_norms"):
        return int(np.sqrt(GROUP_WIDTH * rows["d"].to_numpy().astype(float)).sum())
    if table == "correlations":
        # thirty models of 65 norms: a search reads those of a hundred models, of which no two stand together
        return 8 * int(pc.sum(pc.list_value_length(rows["correlations"])).as_py() or 0)
    return 64 * count


def _merged(lake: Lake, sources: Sequence[Source], wanted: set[Key], table: str) -> Iterator[pa.Table]:
    """The rows of the wanted models, one after the other in order of their keys.

    A file is opened when its first model is due: all at once would hold a row group of each.
    """
    keys = {source.holder: {key[1]: key for key in source.models} for source in sources}
    due = sorted((key, source.holder) for source in sources for key in source.models if key in wanted)
    streams: dict[str, Iterator[tuple[str, pa.Table]]] = {}
    ahead: dict[str, tuple[str, pa.Table] | None] = {}
    for key, holder in due:
        if holder not in streams:
            streams[holder] = models_of(lake, holder, table)
            ahead[holder] = next(streams[holder], None)
        # models that are not wanted come first, if any; some have no rows in some tables
        while (found := ahead[holder]) and keys[holder].get(found[0], (-1, "")) < key:
            ahead[holder] = next(streams[holder], None)
        if found and found[0] == key[1]:
            ahead[holder] = None
            yield conformed(table, found[1])
            ahead[holder] = next(streams[holder], None)


def _sources(lake: Lake, part_models: int) -> list[Source]:
    """All models by themselves, and parts that are less than half full."""
    parts = [Source(part, tuple(_keys(lake, part))) for part in lake.parts()]
    small = [part for part in parts if 2 * len(part.models) < part_models]
    staged = [Source(name, tuple(_keys(lake, name))) for name in lake.staged()]
    if not staged and len(small) == 1:
        return []
    return [*small, *staged]


def _keys(lake: Lake, holder: str) -> list[Key]:
    file = lake.file("models", holder)
    rows = read_parquet(file).select(["model", "hidden_size"]).to_pylist()
    return sorted((row["hidden_size"] or 0, row["model"]) for row in rows)


def part_numbers(lake: Lake) -> Iterator[str]:
    """Names of parts that no file of this lake has, one after the other."""
    used = (int(name) for table in GATHERED for name in lake.names_in(table) if is_part(name))
    return (f"{number:05}" for number in count(max(used, default=0) + 1))
