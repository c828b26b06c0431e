"""Reads the rows of a plan in order, with some requests ahead, and writes each matrix as it arrives."""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import AsyncIterator, Sequence

import numpy as np

from ingest.formats.dtypes import decode
from ingest.model_files import ModelFiles
from ingest.slices.plan import Cut, byte_range, row_groups
from warehouse.rows import Floats, SliceRow
from warehouse.storage.parquet import SLICE_GROUP_ROWS, SliceRowsWriter

# Limit of bytes requested or waiting for the writer, which bounds the memory.
AHEAD_BYTES = 24_000_000
REQUESTS_AHEAD = 64


async def read_cuts(files: ModelFiles, cuts: Sequence[Cut], writer: SliceRowsWriter) -> list[SliceRow]:
    """Writes the weights in the order of the cuts and returns the rows of `slices`."""
    rows = []
    pieces = _pieces(files, cuts)
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
                await asyncio.to_thread(_write, writer, cut, written, block)
                written += len(block)
                waiting = []
        rows.append(_slice_row(cut, digest.hexdigest()))
    return rows


def _write(writer: SliceRowsWriter, cut: Cut, begin: int, block: Floats) -> None:
    these = slice(begin, begin + len(block))
    anchors = cut.anchors[these] if cut.anchors is not None else None
    writer.write(cut.matrix, cut.layer, cut.expert, cut.rows[these], block, anchors)


def _rows_of(cut: Cut, group: Sequence[int], body: bytes) -> bytes:
    """The bytes of a group's rows, without the rows between them."""
    size = cut.row_bytes
    if cut.turned or len(body) == len(group) * size:
        return body
    return b"".join(body[(row - group[0]) * size : (row - group[0] + 1) * size] for row in group)


def _values(cut: Cut, raw: bytes, where: str) -> Floats:
    values = decode(cut.tensor.dtype, raw, f"{where}: {cut.tensor.name}")
    if cut.turned:
        neurons = values.reshape(cut.tensor.shape).T
        return np.ascontiguousarray(neurons[cut.first_row : cut.first_row + len(cut.rows)])
    return values.reshape(-1, cut.columns)


async def _pieces(files: ModelFiles, cuts: Sequence[Cut]) -> AsyncIterator[bytes]:
    """The bytes of all groups of all cuts in order; some are read ahead."""
    ranges = ((cut.shard, *byte_range(cut, group)) for cut in cuts for group in row_groups(cut))
    ahead: deque[tuple[int, asyncio.Task[bytes]]] = deque()
    coming = next(ranges, None)
    try:
        while ahead or coming:
            while coming and (not ahead or _has_room(ahead)):
                shard, begin, end = coming
                ahead.append((end - begin, asyncio.ensure_future(files.range(shard, begin, end))))
                coming = next(ranges, None)
            _, task = ahead.popleft()
            yield await task
    finally:
        for _, task in ahead:
            task.cancel()


def _has_room(ahead: deque[tuple[int, asyncio.Task[bytes]]]) -> bool:
    return len(ahead) < REQUESTS_AHEAD and sum(size for size, _ in ahead) < AHEAD_BYTES


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
