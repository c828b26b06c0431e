"""Writes bundles, which hold many models each: from new models, and by compaction.

Ingest writes single models; a hundred thousand would be half a million files. Compaction copies rows
unchanged, ordered by width and name, into bundles of some thousand models.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warehouse import VERSION
from warehouse.features.build import ModelFeatures, write_lists
from warehouse.integrity.damage import refuse_to_compact
from warehouse.lake import Lake
from warehouse.paths import relative_file
from warehouse.rows import ModelRow, Vector
from warehouse.storage.bundles import FILES, iter_models, to_current_schema
from warehouse.storage.commit import Commit, new_commit
from warehouse.storage.digests import tensors_digest
from warehouse.storage.parquet import model_rows, norm_rows, read_sealed, table_writer, tensor_table
from warehouse.tables import PER_MODEL, TABLES

# Reading one model costs its row group (12 ns per value) and skipping all others (20 µs each, for every use
# of the table). A search among 100,000 models of 65 norms is fastest with a thousand vectors of width 512 per
# group, which are 16 models. That number falls with the root of the width: five models of width 4096.
GROUP_VALUES = 1 << 19
GROUP_WIDTH = 512

Key = tuple[int, str]
"""Width and name, the order of models in a bundle."""


@dataclass(frozen=True)
class Source:
    """A bundle or a single model, and which of its models are wanted, in order."""

    stem: str
    models: tuple[Key, ...]


@dataclass(frozen=True)
class NewModel:
    """A model to be added; `tables` may also hold rows of other models."""

    row: ModelRow
    vectors: Sequence[Vector]
    tables: ModelFeatures


def write_new_models(commit: Commit, models: Sequence[NewModel]) -> None:
    """Write them as one small bundle: to open and sync a file takes longer than to write a small model."""
    ordered = sorted(models, key=lambda one: (one.row.hidden_size or 0, one.row.model))
    # One model per row group, because a compaction of many such bundles holds one group of each in memory.
    write_bundle(commit, partial(rows_of_new, ordered), group_values=1)


def take_out(commit: Commit, models: Collection[str]) -> None:
    """Remove models from their bundles, because the commit has new files of them."""
    lake = commit.lake
    for bundle in lake.bundles():
        if lake.models_in(bundle).keys().isdisjoint(models):
            continue
        rest = [key for key in keys_of(lake, bundle) if key[1] not in models]
        if rest:
            source = Source(bundle, tuple(rest))
            write_bundle(commit, partial(merged, lake, [source], set(rest)))
        remove_files(commit, bundle)


def remove_files(commit: Commit, stem: str) -> None:
    for table in PER_MODEL:
        commit.remove(relative_file(table, stem))


def write_bundle(
    commit: Commit,
    rows: Callable[[str], Iterable[pa.Table]],
    made: Mapping[str, str] | None = None,
    group_values: int = GROUP_VALUES,
) -> None:
    """Write the files of one bundle. `rows` gives the rows of a table, model by model.

    The file of `models` comes last, because it has the digests of the others. `made` is their provenance.
    """
    bundle = commit.new_bundle()
    provenance = {"tool_version": VERSION, **(made or {})}
    for table in sorted(PER_MODEL, key=lambda table: table == "models"):
        if table == "models":
            provenance[FILES] = json.dumps(commit.written(bundle))
        target = commit.file(relative_file(table, bundle))
        with table_writer(target, TABLES[table], provenance) as writer:
            _write(writer, table, rows(table), group_values)


def merged(lake: Lake, sources: Sequence[Source], wanted: set[Key], table: str) -> Iterator[pa.Table]:
    """The rows of the wanted models, one after the other in order of their keys.

    A file is opened when its first model is due: opening all at once would hold a row group of each.
    """
    keys = {source.stem: {key[1]: key for key in source.models} for source in sources}
    due = sorted((key, source.stem) for source in sources for key in source.models if key in wanted)
    streams: dict[str, Iterator[tuple[str, pa.Table]]] = {}
    ahead: dict[str, tuple[str, pa.Table] | None] = {}
    for key, stem in due:
        if stem not in streams:
            streams[stem] = iter_models(lake.file(table, stem), table)
            ahead[stem] = next(streams[stem], None)
        # skip models that are not wanted; a model may have no rows in this table
        while (found := ahead[stem]) and keys[stem].get(found[0], (-1, "")) < key:
            ahead[stem] = next(streams[stem], None)
        if found and found[0] == key[1]:
            ahead[stem] = None
            yield to_current_schema(table, found[1])
            ahead[stem] = next(streams[stem], None)


def keys_of(lake: Lake, stem: str) -> list[Key]:
    rows = read_sealed(lake.file("models", stem), ["model", "hidden_size"]).to_pylist()
    return sorted((row["hidden_size"] or 0, row["model"]) for row in rows)


def _write(writer: pq.ParquetWriter, table: str, models: Iterable[pa.Table], group_values: int) -> None:
    held: list[pa.Table] = []
    values = 0
    for rows in models:
        if not rows.num_rows:  # a model without such rows
            continue
        size = _size(table, rows)
        # write_lists moves unranked vectors to the end of a group: alone in it, a model's rows stay together
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
    match TABLES[table].group_cost:
        case "value":
            return count // 2
        case "vector":
            return int(np.sqrt(GROUP_WIDTH * rows["d"].to_numpy().astype(float)).sum())
        case "pair":
            # thirty models of 65 norms, because a search reads a hundred models scattered over the file
            return 8 * int(pc.sum(pc.list_value_length(rows["correlations"])).as_py() or 0)
    return 64 * count


def rows_of_new(models: Sequence[NewModel], table: str) -> Iterator[pa.Table]:
    """Model by model."""
    return (_rows_of(one, table) for one in models)


def _rows_of(one: NewModel, table: str) -> pa.Table:
    model = one.row.model
    tensors = sorted((vector.row for vector in one.vectors), key=lambda row: (row.ln_type, row.layer))
    if table == "models":
        # a model in a bundle has no files of its own
        return model_rows([replace(one.row, tensors_digest=tensors_digest(tensors), files=[])])
    if table == "norms":
        return norm_rows(model, one.vectors)
    if table == "tensors":
        return tensor_table(model, tensors)
    if table in one.tables:
        return one.tables[table].filter(pc.equal(one.tables[table]["model"], model))
    return TABLES[table].empty()


BUNDLE_MODELS = 4_000
# With more single models, commits (which link their files) and queries (which open them) become slow.
MANY_SINGLES = 100


def compact(lake: Lake, bundle_models: int = BUNDLE_MODELS) -> int:
    """Move all single models, and those of bundles that are less than half full, into new bundles.

    Call while holding the write lock; returns how many models were moved.
    """
    small = [source for source in _bundles(lake) if 2 * len(source.models) < bundle_models]
    singles = _singles(lake)
    if not singles and len(small) == 1:
        small = []
    return _merge(lake, [*small, *singles], bundle_models)


def compact_if_many(lake: Lake) -> int:
    """Compact if there are many single models, together with bundles that are not much larger.

    So a model is moved only a few times, however many models arrive one by one.
    """
    singles = lake.single_models()
    if len(singles) < MANY_SINGLES:
        return 0
    chosen, count = _singles(lake), len(singles)
    for source in sorted(_bundles(lake), key=lambda source: len(source.models)):
        size = len(source.models)
        if size > 2 * count or 2 * size >= BUNDLE_MODELS:
            break
        chosen.append(source)
        count += size
    return _merge(lake, chosen, BUNDLE_MODELS)


def _merge(lake: Lake, sources: Sequence[Source], bundle_models: int) -> int:
    if len(sources) < 2:
        sources = []
    refuse_to_compact(lake, [source.stem for source in sources])
    if not sources:
        return 0
    keys = sorted(key for source in sources for key in source.models)
    with new_commit(lake) as commit:
        for begin in range(0, len(keys), bundle_models):
            some = set(keys[begin : begin + bundle_models])
            write_bundle(commit, partial(merged, commit.lake, sources, some))
        for source in sources:
            remove_files(commit, source.stem)
        commit.publish()
    return len(keys)


def _bundles(lake: Lake) -> list[Source]:
    return [Source(stem, tuple(keys_of(lake, stem))) for stem in lake.bundles()]


def _singles(lake: Lake) -> list[Source]:
    return [Source(stem, tuple(keys_of(lake, stem))) for stem in lake.single_models()]
