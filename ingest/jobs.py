"""The ingest job: models read side by side, each written to the lake whole, or not at all."""

from __future__ import annotations

import asyncio
import hashlib
import traceback
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ingest.extract import Extract, extract_norms
from ingest.extract_gguf import extract_gguf
from ingest.files import ModelFiles
from ingest.gguf_files import holds_gguf
from ingest.hub.commit_lock import lock_commit
from ingest.markers import marked_norms
from ingest.model_rows import model_row
from ingest.packing import Packer, in_thread, repeating
from ingest.projections import Matrix, find_projections, write_projections
from ingest.slices.job import TABLES as SLICE_TABLES
from ingest.slices.job import has_slices, store_slices
from ingest.slices.wanted import SlicesWanted, earlier_slices
from ingest.sources import Opened, marked_as, refuse_mixed
from ingest.stored import is_current, stored_projections, stored_sources
from warehouse import VERSION
from warehouse.console.exhausted import exhausted
from warehouse.console.progress import Talk
from warehouse.errors import FormatError, NormhouseError, SourceError
from warehouse.features.build import Packed, pack_matrices, write_packed
from warehouse.integrity.damage import damage_to_read_anew
from warehouse.lake import Lake, relative_file
from warehouse.schemas import ModelRow, TensorRow
from warehouse.storage.batches import FIRST_SECONDS, Batch
from warehouse.storage.commit import Commit
from warehouse.storage.parquet import (
    projections_writer,
    write_model,
    write_norms,
    write_tensors,
)

Opener = Callable[[], Awaitable[Opened]]

MATRIX_TABLES = ("projections", "projection_vectors")


@dataclass(frozen=True)
class Wanted:
    """What of a model is asked for besides its norms."""

    projections: frozenset[int] = frozenset()
    slices: SlicesWanted | None = None


@dataclass
class Outcome:
    """What became of each model of a run."""

    written: list[str] = field(default_factory=list)
    current: list[str] = field(default_factory=list)
    failed: dict[str, NormhouseError] = field(default_factory=dict)


async def ingest_models(lake: Lake, openers: Mapping[str, Opener], wanted: Wanted, talk: Talk) -> Outcome:
    """Bring these models into the lake; call while holding its write lock. A failure stops only its model."""
    outcome = Outcome()
    packer = Packer()
    sources = stored_sources(lake)
    batch = Batch(lake)

    async def publish() -> None:
        """Models that could not be committed have failed, whatever was said of them."""
        models = batch.pending
        try:
            await in_thread(batch.publish)
        except Exception as error:
            for model in models:
                outcome.failed[model] = as_failure(error)
            outcome.written = [model for model in outcome.written if model not in models]

    async def store(alias: str, opened: Opened, earlier: SlicesWanted | None) -> str:
        opened, note = await _store(lake, alias, opened, wanted.projections, talk, packer, sources, batch)
        if opened.lock and opened.commit:
            lock_commit(opened.lock, opened.commit)
        slices = wanted.slices or (earlier if note else None)
        if slices:
            async with packer.one_writer:
                if alias in batch.pending:  # its row is read below
                    await publish()
            if alias in outcome.failed:
                raise outcome.failed[alias]
            is_fixed = opened.commit is not None
            sliced = await store_slices(
                lake,
                lake.model(alias),
                opened.files,
                slices,
                talk,
                packer.one_writer,
                batch,
                is_fixed=is_fixed,
            )
            note = "; ".join(filter(None, (note, sliced)))
        return note

    async def one(alias: str, opener: Opener) -> None:
        try:
            earlier = earlier_slices(lake, alias)
            opened = await opener()
            try:
                note = await store(alias, opened, earlier)
            except SourceError as error:
                if opened.anew is None:
                    raise
                talk.complain(
                    f"{alias}: its copy in the Hugging Face cache cannot be read ({error}); "
                    f"reading it from the hub"
                )
                note = await store(alias, await opened.anew(), earlier)
        except Exception as error:
            outcome.failed[alias] = as_failure(error)
            talk.finished(alias, "failed")
        else:
            if alias not in outcome.failed:
                (outcome.written if note else outcome.current).append(alias)
            talk.finished(alias, note or "already there, nothing written")

    async def publish_if_due() -> None:
        async with packer.one_writer:
            if batch.is_due:
                await publish()

    try:
        async with repeating(publish_if_due, FIRST_SECONDS / 4), asyncio.TaskGroup() as group:
            for alias, opener in openers.items():
                group.create_task(one(alias, opener))
    finally:
        await publish()
    return outcome


def as_failure(error: Exception) -> NormhouseError:
    """One that was not expected is ours, but of this model alone: the others go on."""
    if isinstance(error, NormhouseError):
        return error
    if told := exhausted(error):
        return SourceError(told)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return SourceError(
        f"unexpected {type(error).__name__} ({error}) at {Path(place.filename).name}:{place.lineno}: "
        f"this is a bug of normhouse, please report it with this line and the model's name"
    )


async def _store(
    lake: Lake,
    alias: str,
    opened: Opened,
    projections: frozenset[int],
    talk: Talk,
    packer: Packer,
    sources: set[str],
    batch: Batch,
) -> tuple[Opened, str]:
    """What the model turned out to be, and what was done; the empty string if the lake already has it."""
    refuse_mixed(lake.name, sources, opened.source)
    if damage := damage_to_read_anew(lake, alias):
        talk.complain(f"{alias}: {damage}; reading it anew")
    wanted = projections | stored_projections(lake, alias)
    if opened.commit and is_current(lake, alias, opened.commit, wanted):
        return opened, ""
    opened, extract = await read_model(
        lake.name, opened, wanted, sources, lambda done, of: talk.step(alias, done, of)
    )
    commit = opened.commit or content_commit([vector.row for vector in extract.vectors])
    matrices = find_projections(extract.shards, wanted)
    layers = frozenset(name.layer for name, _, _ in matrices)
    if is_current(lake, alias, commit, layers):
        return opened, ""
    row = model_row(alias, opened, commit, extract)
    packed = await packer.pack(row, extract.vectors)
    async with packer.one_writer:
        with batch.change([alias], is_whole=True) as change:
            await write_tables(change, row, opened, extract, matrices, packed)
    values = sum(len(vector.values) for vector in extract.vectors)
    also = f" and {len(matrices)} matrices" if matrices else ""
    absent = f"; no k_proj and v_proj in layers {_listed(wanted - layers)}" if wanted - layers else ""
    said = f"; {extract.note}" if extract.note else ""
    return opened, f"{len(extract.vectors)} vectors{also}, {values:,} norm values{absent}{said}"


async def read_model(
    lake_name: str,
    opened: Opened,
    projections: frozenset[int],
    sources: set[str],
    on_shard: Callable[[int, int], None] = lambda _done, _of: None,
) -> tuple[Opened, Extract]:
    """A model's norms, with the source that its files tell of; refuses one that the lake must not have.

    `sources` are those of the lake's models, and know this one's afterwards.
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
    packed: Packed,
) -> None:
    """All files of one model."""
    provenance = {"repo": row.repo, "commit": row.commit, "source": row.source, "tool_version": VERSION}
    rows = [vector.row for vector in extract.vectors]
    for table in (*MATRIX_TABLES, *SLICE_TABLES):
        commit.remove(relative_file(table, row.model))

    def place(table: str) -> Path:
        return commit.file(relative_file(table, row.model))

    norms_digest = await in_thread(write_norms, place("norms"), row.model, extract.vectors, provenance)
    await in_thread(write_packed, packed, row.model, place, provenance)
    projections_digest = None
    if matrices:
        target = place("projections")
        with projections_writer(target, row.model, provenance) as writer:
            rows += await write_projections(opened.files, matrices, writer)
            projections_digest = writer.digest()
        opened.files.check_unchanged()
        await in_thread(pack_matrices, target, place("projection_vectors"), provenance)
    tensors_digest = write_tensors(place("tensors"), row.model, rows, provenance)
    row = replace(
        row,
        norms_digest=norms_digest,
        tensors_digest=tensors_digest,
        projections_digest=projections_digest,
        files=await in_thread(commit.written, row.model),
    )
    write_model(place("models"), row, provenance)


def has_all(lake: Lake, alias: str, commit: str, wanted: Wanted) -> bool:
    """Whether nothing of this commit is left to be read."""
    sliced = wanted.slices is None or has_slices(lake, alias, commit, wanted.slices)
    return sliced and is_current(lake, alias, commit, wanted.projections)


def content_commit(rows: list[TensorRow]) -> str:
    """A folder has no commit: this names its content instead, in the same forty digits."""
    lines = sorted(f"{row.tensor}\t{row.dtype}\t{row.sha256}\n" for row in rows)
    return "local-" + hashlib.sha256("".join(lines).encode()).hexdigest()[:40]


def _listed(layers: Iterable[int]) -> str:
    return ", ".join(str(layer) for layer in sorted(layers))
