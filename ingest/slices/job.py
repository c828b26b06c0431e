"""Slices of one model into the lake: found, said, read and written as one atomic change of their own.

The model's norms are there before. What is interrupted leaves them as they are, and the same command goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from ingest.gguf_files import holds_gguf
from ingest.model_files import ModelFiles
from ingest.slices.locate import Plan, locate
from ingest.slices.plan import Cut
from ingest.slices.read import read_cuts
from ingest.slices.wanted import SlicesWanted, reading_facts, stored_slices
from warehouse import VERSION
from warehouse.console.progress import Progress, size_text
from warehouse.errors import FormatError
from warehouse.lake import Lake
from warehouse.paths import relative_file
from warehouse.rows import ModelRow
from warehouse.storage.batches import Batch
from warehouse.storage.parquet import slice_rows_writer, slices_of, write_model, write_slices


class CountedFiles:
    """As the files themselves; redirects and repeated tries are the session's to count."""

    def __init__(self, files: ModelFiles) -> None:
        self._files = files
        self.requests = 0
        self.bytes = 0

    @property
    def where(self) -> str:
        return self._files.where

    @property
    def names(self) -> Sequence[str]:
        return self._files.names

    def size(self, name: str) -> int | None:
        return self._files.size(name)

    async def whole(self, name: str) -> bytes:
        return self._count(await self._files.whole(name))

    async def front(self, name: str, length: int) -> tuple[bytes, int]:
        body, size = await self._files.front(name, length)
        return self._count(body), size

    async def range(self, name: str, start: int, stop: int) -> bytes:
        return self._count(await self._files.range(name, start, stop))

    def check_unchanged(self) -> None:
        self._files.check_unchanged()

    def _count(self, body: bytes) -> bytes:
        self.requests += 1
        self.bytes += len(body)
        return body


TABLES = ("slices", "slice_rows")


def has_slices(lake: Lake, alias: str, commit: str, wanted: SlicesWanted) -> bool:
    """Whether the lake has what is wanted, of this commit, by this version and list of anchors."""
    stored = stored_slices(lake, alias)
    return stored is not None and stored.suffice(commit, wanted)


async def store_slices(
    lake: Lake,
    model: ModelRow,
    files: ModelFiles,
    wanted: SlicesWanted,
    progress: Progress,
    one_writer: asyncio.Lock,
    batch: Batch,
    *,
    is_fixed: bool,
) -> str:
    """What was read, in words; empty if it was there already. A folder is not fixed: it is read again."""
    stored = stored_slices(lake, model.model)
    if stored and stored.commit == model.commit:
        layers = wanted.layers_of(stored.depth) | stored.layers
        wanted = SlicesWanted(layers, max(wanted.budget, stored.budget))
        if is_fixed and stored.suffice(model.commit, wanted):
            return ""
    if holds_gguf(files.names):
        raise FormatError(
            f"{files.where} is GGUF, whose matrices are quantised as a rule: slices are read of safetensors "
            f"only; leave out --slices"
        )
    counted = CountedFiles(files)
    plan = await locate(counted, model.layers, model.hidden_size, wanted)
    progress.say(
        f"{model.model}: slices: {described(plan.cuts)}: {size_text(plan.bytes)} in {plan.requests} requests "
        f"({size_text(counted.bytes)} in {counted.requests} read of index, headers and tokenizer)"
        f"{_limit(plan.cuts)}"
    )
    async with one_writer:
        is_new = await _write(lake, model, counted, plan, wanted, batch)
    absent = f"; {'; '.join(plan.absent)}" if plan.absent else ""
    if not is_new:
        return ""
    return f"slices: {size_text(counted.bytes)} read in {counted.requests} requests{absent}"


async def _write(
    lake: Lake, model: ModelRow, files: ModelFiles, plan: Plan, wanted: SlicesWanted, batch: Batch
) -> bool:
    """Whether anything differs from what the lake has."""
    alias = model.model
    about = {"repo": model.repo, "commit": model.commit, "source": model.source, "tool_version": VERSION}
    provenance = {**about, **reading_facts(plan.layers, plan.depth, wanted.budget)}
    there = slices_of(lake.file("slices", alias), provenance)
    ours = [relative_file(table, alias) for table in TABLES]
    others = [file for file in model.files or () if file["file"] not in ours]
    with batch.change([alias], is_whole=False) as commit:
        with slice_rows_writer(commit.file(relative_file("slice_rows", alias)), alias, provenance) as writer:
            rows = await read_cuts(files, plan.cuts, writer)
        files.check_unchanged()
        if rows == there:
            commit.discard(relative_file("slice_rows", alias))
            return False
        write_slices(commit.file(relative_file("slices", alias)), alias, rows, provenance)
        if lake.stem_of(alias) == alias:  # else its row is in a bundle, which knows of no slices
            new = await asyncio.to_thread(commit.written, alias)
            row = replace(model, files=[*others, *new])
            write_model(commit.file(relative_file("models", alias)), row, about)
    return True


def described(cuts: Sequence[Cut]) -> str:
    """What is read, in words: gate and up of layers 11, 30 (shared expert, 1,098 of 1,408 neurons)."""
    said = [f"embedding rows of {len(cut.rows)} anchors" for cut in cuts if cut.anchors is not None]
    matrices = [cut for cut in cuts if cut.anchors is None]
    if matrices:
        parts = " and ".join(sorted({cut.matrix for cut in matrices}))
        layers = ", ".join(map(str, sorted({cut.layer for cut in matrices})))
        experts = {cut.expert for cut in matrices}
        whose = (
            "shared expert, "
            if "shared" in experts
            else f"{len(experts)} experts, "
            if None not in experts
            else ""
        )
        least = min(matrices, key=lambda cut: len(cut.rows) / cut.tensor_rows)
        said.append(
            f"{parts} of layers {layers} ({whose}{len(least.rows):,} of {least.tensor_rows:,} neurons)"
        )
    return ", ".join(said)


def _limit(cuts: Sequence[Cut]) -> str:
    """What less than half of the neurons is not enough for, and what would be."""
    matrices = [cut for cut in cuts if cut.anchors is None]
    if all(2 * len(cut.rows) >= cut.tensor_rows for cut in matrices):
        return ""
    needed = ceil(sum(cut.bytes / len(cut.rows) * cut.tensor_rows for cut in matrices) / 1e6)
    return f"; to find neurons in another order one of two models needs them all: --slice-budget {needed}"
