"""What was read of some repos, stored together: new norms as models, known ones as duplicates."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingest.crawl.known import Known
from ingest.crawl.state import CrawlState
from ingest.extract import Extract
from ingest.hub.commit_lock import lock_commit
from ingest.jobs import write_tables
from ingest.packing import pack_all
from ingest.registry import registry
from ingest.sources import Opened
from warehouse.arrivals import Arrival, write_arrivals
from warehouse.compact import PART_MODELS, compact
from warehouse.lake import Lake
from warehouse.schemas import ModelRow

# Parts that are half full are left alone, so that each model is moved once.
GATHER_AT = PART_MODELS // 2
# So many small parts are not worth gathering at the end of a crawl.
FEW_PARTS = 8


@dataclass(frozen=True)
class Reading:
    """A model that was read; its row has the digest of its norms."""

    row: ModelRow
    opened: Opened
    extract: Extract


class Storer:
    """Of one lake, whose write lock the caller holds."""

    def __init__(self, lake: Lake, known: Known, state: CrawlState) -> None:
        self._lake = lake
        self._known = known
        self._state = state
        self._one_at_a_time = asyncio.Lock()
        self._small = len(lake.staged()) + sum(map(len, small_parts(lake)))

    async def store(self, readings: Sequence[Reading]) -> int:
        """How many of them are duplicates. What fails fails for all that are not stored yet."""
        async with self._one_at_a_time:
            new, again, same = self._sorted_out(readings)
            await self._write_new(new)
            self._is_stored(new)
            for reading in again:
                await self._write_again(reading)
                self._is_stored([reading])
            for reading in same:
                self._state.add_duplicate(reading.row)
                self._known.add_duplicate(reading.row)
            self._small += len(new) + len(again)
            if self._small >= GATHER_AT:
                await asyncio.to_thread(compact, self._lake)
                self._state.flush()
                self._small = 0
            return len(same)

    def _is_stored(self, readings: Iterable[Reading]) -> None:
        for reading in readings:
            row = reading.row
            self._known.add_stored(row.model, row.repo, row.commit, row.norms_digest)
            self._state.add_done(row.repo)
            if reading.opened.lock:
                lock_commit(reading.opened.lock, row.commit)

    def _sorted_out(self, readings: Iterable[Reading]) -> tuple[list[Reading], list[Reading], list[Reading]]:
        """New models, such as the lake has under the same name, and duplicates.

        The registry's are stored in any case, because claims are about them.
        """
        new: list[Reading] = []
        again: list[Reading] = []
        same: list[Reading] = []
        digests = set(self._known.holders)
        for reading in readings:
            if reading.row.model in self._known.stored:
                again.append(reading)
            elif reading.row.norms_digest in digests and reading.row.model not in registry():
                same.append(reading)
            else:
                new.append(reading)
                digests.add(str(reading.row.norms_digest))
        return new, again, same

    async def _write_new(self, readings: Sequence[Reading]) -> None:
        if readings:
            models = [(one.row, one.extract.vectors) for one in readings]
            packed = await asyncio.to_thread(pack_all, models)
            arrivals = [Arrival(*model, rows) for model, rows in zip(models, packed, strict=True)]
            await asyncio.to_thread(write_arrivals, self._lake, arrivals)

    async def _write_again(self, reading: Reading) -> None:
        [packed] = await asyncio.to_thread(pack_all, [(reading.row, reading.extract.vectors)])
        await write_tables(self._lake, reading.row, reading.opened, reading.extract, (), packed)


def small_parts(lake: Lake) -> list[dict[str, int]]:
    """The models of parts that are less than half full."""
    return [models for part in lake.parts() if len(models := lake.models_in(part)) < GATHER_AT]


def gather_at_end(lake: Lake) -> None:
    if len(lake.staged()) + len(small_parts(lake)) > FEW_PARTS:
        compact(lake)
