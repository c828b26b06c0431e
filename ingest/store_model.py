"""Reads one model and writes its tables, unless the lake has it already."""

from __future__ import annotations

import hashlib
import os
import re
import time
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from ingest.concurrency import in_thread
from ingest.extract import Extract, extract_norms
from ingest.extract_gguf import extract_gguf, holds_gguf
from ingest.formats.tensor_names import projection
from ingest.model_files import ModelFiles
from ingest.open_model import Opened, marked_as, refuse_mixed
from ingest.origin_marks import marked_norms
from ingest.projections import Matrix, find_projections, write_projections
from ingest.registry import lock_commit, registry
from ingest.shared_run import SharedRun
from ingest.slices.job import TABLES as SLICE_TABLES
from ingest.slices.wanted import SlicesWanted
from warehouse import VERSION
from warehouse.console.exhausted import exhausted
from warehouse.console.output import counted
from warehouse.errors import FormatError, NormhouseError, SourceError, UsageError
from warehouse.features.build import ModelFeatures, write_features, write_matrix_features
from warehouse.integrity.damage import damage_of, damage_to_reread
from warehouse.lake import Lake, lake_at
from warehouse.paths import relative_file
from warehouse.rows import ModelRow, TensorRow
from warehouse.storage.commit import Commit, new_commit, write_lock
from warehouse.storage.parquet import (
    projections_writer,
    write_model,
    write_norms,
    write_table,
    write_tensors,
)
from warehouse.tables import TABLES

MATRIX_TABLES = ("projections", "projection_vectors")


@dataclass(frozen=True)
class Wanted:
    """What to read of a model besides its norms, and whether another model may be replaced by it."""

    projections: frozenset[int] = frozenset()
    slices: SlicesWanted | None = None
    replace: bool = False


def as_failure(error: Exception) -> NormhouseError:
    """The error to report for one model; an unexpected one is our bug, but other models continue."""
    if isinstance(error, NormhouseError):
        return error
    if used_up := exhausted(error):
        return SourceError(used_up)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return SourceError(
        f"unexpected {type(error).__name__} ({error}) at {Path(place.filename).name}:{place.lineno}: "
        f"this is a bug of normhouse, please report it with this line and the model's name"
    )


async def store_model(run: SharedRun, alias: str, opened: Opened, wanted: Wanted) -> str:
    """What was written, in words; "" if the lake has it already."""
    lake = run.lake
    refuse_mixed(lake.name, run.sources, opened.source)
    before = None
    if damage := damage_to_reread(lake, alias):
        run.progress.warn(f"{alias}: {damage}; reading it again")
    elif lake.has(alias):
        before = lake.model(alias)
        if not wanted.replace:
            _refuse_other_model(lake, before, opened)
    layers_wanted = wanted.projections | stored_projections(lake, alias)
    if opened.commit and is_current(lake, alias, opened.commit, layers_wanted):
        _lock(opened)
        return ""
    opened, extract = await read_model(
        lake.name, opened, layers_wanted, run.sources, lambda done, of: run.progress.step(alias, done, of)
    )
    commit = opened.commit or content_commit([vector.row for vector in extract.vectors])
    matrices = find_projections(extract.shards, layers_wanted)
    layers = frozenset(name.layer for name, _, _ in matrices)
    note = ""
    if not is_current(lake, alias, commit, layers):
        row = model_row(alias, opened, commit, extract)
        if opened.card_problem:
            run.progress.warn(
                f"{alias}: README.md declares no base model that can be read: {opened.card_problem}"
            )
        features = await run.features.build(row, extract.vectors)
        async with run.writing:
            with run.batch.change([alias], is_whole=True) as change:
                await write_tables(change, row, opened, extract, matrices, features)
        note = _what_was_written(extract, len(matrices), layers_wanted - layers, before, commit)
    _lock(opened)
    return note


def _lock(opened: Opened) -> None:
    if opened.lock and opened.commit:
        lock_commit(opened.lock, opened.commit)


def _refuse_other_model(lake: Lake, stored: ModelRow, opened: Opened) -> None:
    """Refuses to replace a model by one of another repo, folder or file."""
    names = {name.lower() for name in (opened.repo, opened.renamed_to) if name}
    if not names & {name.lower() for name in (stored.repo, stored.renamed_to) if name}:
        raise UsageError(
            f"lake {lake.name!r} already has {stored.model}, which is {stored.repo}, and this is "
            f"{opened.repo}: store it under another name with --alias NAME, or add --replace"
        )


def _what_was_written(
    extract: Extract, matrices: int, absent: Collection[int], before: ModelRow | None, commit: str
) -> str:
    values = sum(len(vector.values) for vector in extract.vectors)
    also = f" and {counted(matrices, 'matrix', 'matrices')}" if matrices else ""
    parts = [f"{counted(len(extract.vectors), 'vector')}{also}, {values:,} norm values"]
    if before and before.commit != commit:
        parts.append(f"replaced the stored {before.model} (commit {before.commit[:14]}), whose files differ")
    if absent:
        parts.append(f"no k_proj and v_proj in layers {', '.join(map(str, sorted(absent)))}")
    if extract.note:
        parts.append(extract.note)
    return "; ".join(parts)


async def read_model(
    lake_name: str,
    opened: Opened,
    projections: frozenset[int],
    sources: set[str],
    on_shard: Callable[[int, int], None] = lambda _done, _of: None,
) -> tuple[Opened, Extract]:
    """Reads a model's norms and marks, and refuses a source that differs from `sources`, the lake's.

    The model's source is added to `sources`.
    """
    extract = await _extract(opened.files, projections, on_shard)
    opened.files.check_unchanged()
    if not extract.vectors:
        raise FormatError(f"{opened.files.where} has no norm tensors: nothing to ingest")
    opened = marked_as(opened, extract.marked or marked_norms(extract.vectors))
    refuse_mixed(lake_name, sources, opened.source)
    sources.add(opened.source)
    return opened, extract


async def _extract(
    files: ModelFiles, projections: frozenset[int], on_shard: Callable[[int, int], None]
) -> Extract:
    if holds_gguf(files.names):
        return await extract_gguf(files, on_shard)
    return await extract_norms(files, projections, on_shard)


async def write_tables(
    commit: Commit,
    row: ModelRow,
    opened: Opened,
    extract: Extract,
    matrices: Sequence[Matrix],
    features: ModelFeatures,
) -> None:
    """Writes all files of one model."""
    provenance = {"repo": row.repo, "commit": row.commit, "source": row.source, "tool_version": VERSION}
    rows = [vector.row for vector in extract.vectors]
    for table in (*MATRIX_TABLES, *SLICE_TABLES):
        commit.remove(relative_file(table, row.model))

    def place(table: str) -> Path:
        return commit.file(relative_file(table, row.model))

    norms_digest = await in_thread(write_norms, place("norms"), row.model, extract.vectors, provenance)
    await in_thread(write_features, features, row.model, place, provenance)
    projections_digest = None
    if matrices:
        target = place("projections")
        with projections_writer(target, row.model, provenance) as writer:
            rows += await write_projections(opened.files, matrices, writer)
            projections_digest = writer.digest()
        opened.files.check_unchanged()
        await in_thread(write_matrix_features, target, place("projection_vectors"), provenance)
    tensors_digest = write_tensors(place("tensors"), row.model, rows, provenance)
    row = replace(
        row,
        norms_digest=norms_digest,
        tensors_digest=tensors_digest,
        projections_digest=projections_digest,
        files=await in_thread(commit.written, row.model),
    )
    write_model(place("models"), row, provenance)


def content_commit(rows: list[TensorRow]) -> str:
    """Names the content of a folder, which has no commit, in forty digits as well."""
    lines = sorted(f"{row.tensor}\t{row.dtype}\t{row.sha256}\n" for row in rows)
    return "local-" + hashlib.sha256("".join(lines).encode()).hexdigest()[:40]


def model_row(alias: str, opened: Opened, commit: str, extract: Extract) -> ModelRow:
    config = extract.config
    return ModelRow(
        model=alias,
        repo=opened.repo,
        commit=commit,
        source=opened.source,
        endpoint=opened.endpoint,
        licence=opened.licence or extract.licence,
        architecture=config.architecture,
        hidden_size=config.hidden_size,
        layers=config.layers,
        mtp_layers=config.mtp_layers or 0,
        dtype=extract.dtype,
        file_bytes=extract.file_bytes,
        ingested_at=_now(),
        tool_version=VERSION,
        vocab_size=config.vocab_size,
        changed_by_format=extract.changed_by_format,
        renamed_to=opened.renamed_to,
        registry_repo=_registry_repo(alias, opened),
        declared_bases=[*opened.declared_bases, *extract.declared_bases] or None,
    )


def _registry_repo(alias: str, opened: Opened) -> str | None:
    """The registry's repo if the model was read from it at a hub: then the documents are about it."""
    known = registry().get(alias)
    asked = opened.lock if opened.source == "hub" else None
    return known.repo if known and asked and asked.repo.lower() == known.repo.lower() else None


def _now() -> datetime:
    """The time, or SOURCE_DATE_EPOCH, with which two lakes are equal to the byte."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    if stated and not re.fullmatch("[0-9]{1,11}", stated):
        raise UsageError(f"SOURCE_DATE_EPOCH is {stated!r}, not a number of seconds: correct or unset it")
    return datetime.fromtimestamp(int(stated or time.time()), UTC)


def stored_sources(lake: Lake) -> set[str]:
    """The sources of the lake's models."""
    return {source for (source,) in lake.columns("source")}


def is_current(lake: Lake, alias: str, commit: str, projections: frozenset[int]) -> bool:
    """Whether the lake has this commit, undamaged, read by this version, with these projections."""
    if not lake.has(alias) or damage_of(lake, alias):
        return False
    row = lake.model(alias)
    same = row.commit == commit and row.tool_version == VERSION and row.files is not None
    return same and projections <= stored_projections(lake, alias)


def stored_projections(lake: Lake, alias: str) -> frozenset[int]:
    """Layers whose k_proj and v_proj the lake has."""
    there = lake.stem_of(alias) or alias
    if not lake.file("projections", alias).exists() or not lake.file("tensors", there).exists():
        return frozenset()
    return frozenset(matrix.layer for row in lake.tensors(alias) if (matrix := projection(row.tensor)))


def store_rows(
    lake_name: str, table: str, rows: Sequence[Mapping[str, object]], provenance: Mapping[str, str]
) -> None:
    """Writes a table that belongs to the whole lake, in place of the rows it had."""
    lake = lake_at(lake_name)
    made = pa.Table.from_pylist(list(rows), TABLES[table].schema)
    with write_lock(lake), new_commit(lake) as commit:
        write_table(commit.file(f"{table}/{table}.parquet"), made, {**provenance, "tool_version": VERSION})
        commit.publish()
