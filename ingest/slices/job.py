"""Reads the slices of one model and adds them to the lake, in a change of their own after its norms.

After an interruption the norms are still there, and the same command resumes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from math import ceil

import numpy as np

from ingest.concurrency import in_thread
from ingest.extract_gguf import holds_gguf
from ingest.formats.dtypes import decode
from ingest.model_files import ModelFiles, read_ahead
from ingest.open_model import Opened
from ingest.shared_run import SharedRun
from ingest.slices.locate import Plan, locate
from ingest.slices.plan import Cut, byte_range, row_groups
from ingest.slices.wanted import SliceNeighbours, SlicesWanted, reading_facts, stored_slices
from warehouse import VERSION
from warehouse.console.output import counted
from warehouse.console.progress import size_text
from warehouse.errors import FormatError
from warehouse.lake import Lake
from warehouse.paths import relative_file
from warehouse.rows import Floats, ModelRow, SliceRow
from warehouse.storage.parquet import (
    SLICE_GROUP_ROWS,
    SliceRowsWriter,
    slice_rows_writer,
    slices_of,
    write_model,
    write_slices,
)

TABLES = ("slices", "slice_rows")


def has_slices(lake: Lake, alias: str, commit: str, wanted: SlicesWanted) -> bool:
    """Whether the lake has these slices of this commit, read by this version and list of anchors."""
    stored = stored_slices(lake, alias)
    return stored is not None and stored.suffice(commit, wanted)


async def store_slices(
    run: SharedRun, alias: str, opened: Opened, wanted: SlicesWanted, neighbours: SliceNeighbours
) -> str:
    """What was read, in words; "" if the lake has it. The model's norms must be committed.

    A folder has no fixed commit, so its slices are always read again.
    """
    lake, files = run.lake, opened.files
    model = lake.model(alias)
    stored = stored_slices(lake, alias)
    if stored and stored.commit == model.commit:
        if opened.commit and stored.suffice(model.commit, wanted):
            return ""
        layers = wanted.layers_of(stored.depth) | stored.layers
        wanted = SlicesWanted(layers, max(wanted.budget_of(layers), stored.budget))
    if holds_gguf(files.names):
        raise FormatError(
            f"{files.where} is GGUF, whose matrices are usually quantised: slices are read from safetensors "
            f"only; leave out --slices"
        )
    matched: list[str] = []
    if wanted.layers is None:
        layers_for, matched = neighbours.layers_for(model)
        wanted = replace(wanted, layers=layers_for)
    plan = await locate(files, model.layers, model.hidden_size, wanted)
    why = f", to compare it with {', '.join(matched)}" if matched else ""
    run.progress.say(
        f"{alias}: slices: {described(plan.cuts)}{why}: {size_text(plan.bytes)} in "
        f"{counted(plan.requests, 'request')}{_limit(plan.cuts)}"
    )
    async with run.writing:
        if not await _write(run, model, files, plan, wanted.budget_of(plan.layers)):
            return ""
    absent = f"; {'; '.join(plan.absent)}" if plan.absent else ""
    return f"slices: {size_text(plan.bytes)} read in {counted(plan.requests, 'request')}{absent}"


async def _write(run: SharedRun, model: ModelRow, files: ModelFiles, plan: Plan, budget: int) -> bool:
    """Whether the slices differ from those in the lake; then they are written."""
    lake, alias = run.lake, model.model
    about = {"repo": model.repo, "commit": model.commit, "source": model.source, "tool_version": VERSION}
    provenance = {**about, **reading_facts(plan.layers, plan.depth, budget)}
    there = slices_of(lake.file("slices", alias), provenance)
    ours = [relative_file(table, alias) for table in TABLES]
    others = [file for file in model.files or () if file["file"] not in ours]
    with run.batch.change([alias], is_whole=False) as commit:
        with slice_rows_writer(commit.file(relative_file("slice_rows", alias)), alias, provenance) as writer:
            rows = await read_cuts(files, plan.cuts, writer)
        files.check_unchanged()
        if rows == there:
            commit.discard(relative_file("slice_rows", alias))
            return False
        write_slices(commit.file(relative_file("slices", alias)), alias, rows, provenance)
        if lake.stem_of(alias) == alias:  # a row in a bundle does not list slices
            new = await in_thread(commit.written, alias)
            row = replace(model, files=[*others, *new])
            write_model(commit.file(relative_file("models", alias)), row, about)
    return True


def described(cuts: Sequence[Cut]) -> str:
    """What is read, such as: gate and up of layers 11, 30 (shared expert, 1,098 of 1,408 neurons)."""
    said = [
        f"embedding rows of {counted(len(cut.rows), 'anchor')}" for cut in cuts if cut.anchors is not None
    ]
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
    """Names the budget that finds reordered neurons, if less than half of the neurons are read."""
    matrices = [cut for cut in cuts if cut.anchors is None]
    if all(2 * len(cut.rows) >= cut.tensor_rows for cut in matrices):
        return ""
    needed = ceil(sum(cut.bytes / len(cut.rows) * cut.tensor_rows for cut in matrices) / 1e6)
    return f"; to find reordered neurons, one of the two models needs all of them: --slice-budget {needed}"


async def read_cuts(files: ModelFiles, cuts: Sequence[Cut], writer: SliceRowsWriter) -> list[SliceRow]:
    """Writes the weights in the order of the cuts and returns the rows of `slices`."""
    rows = []
    ranges = ((cut.shard, *byte_range(cut, group)) for cut in cuts for group in row_groups(cut))
    pieces = read_ahead(files, ranges)
    for cut in cuts:
        digest = hashlib.sha256()
        waiting: list[Floats] = []
        written = 0
        for group in row_groups(cut):
            raw = _rows_of(cut, group, await anext(pieces))
            digest.update(raw)
            waiting.append(_values(cut, raw, files.where))
            is_last = written + sum(map(len, waiting)) == len(cut.rows)
            if is_last or sum(map(len, waiting)) >= SLICE_GROUP_ROWS:
                block = np.concatenate(waiting)
                await in_thread(_write_block, writer, cut, written, block)
                written += len(block)
                waiting = []
        rows.append(_slice_row(cut, digest.hexdigest()))
    return rows


def _write_block(writer: SliceRowsWriter, cut: Cut, begin: int, block: Floats) -> None:
    these = slice(begin, begin + len(block))
    anchors = cut.anchors[these] if cut.anchors is not None else None
    writer.write(cut.matrix, cut.layer, cut.expert, cut.rows[these], block, anchors)


def _rows_of(cut: Cut, group: Sequence[int], body: bytes) -> bytes:
    """The bytes of a group's rows, without the rows between them."""
    size = cut.row_bytes
    if cut.is_transposed or len(body) == len(group) * size:
        return body
    return b"".join(body[(row - group[0]) * size : (row - group[0] + 1) * size] for row in group)


def _values(cut: Cut, raw: bytes, where: str) -> Floats:
    values = decode(cut.tensor.dtype, raw, f"{where}: {cut.tensor.name}")
    if cut.is_transposed:
        neurons = values.reshape(cut.tensor.shape).T
        return np.ascontiguousarray(neurons[cut.first_row : cut.first_row + len(cut.rows)])
    return values.reshape(-1, cut.columns)


def _slice_row(cut: Cut, sha256: str) -> SliceRow:
    return SliceRow(
        matrix=cut.matrix,
        layer=cut.layer,
        expert=cut.expert,
        tensor=cut.tensor.name,
        shard=cut.shard,
        dtype=cut.tensor.dtype,
        rows=len(cut.rows),
        tensor_rows=cut.tensor_rows,
        columns=cut.columns,
        bytes=cut.bytes,
        sha256=sha256,
    )
