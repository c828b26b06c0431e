"""Stores the models that a crawl has read, in batches: new norms as models, known norms as duplicates."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingest.concurrency import in_thread, together
from ingest.crawl.state import CrawlState, Seen
from ingest.extract import Extract
from ingest.open_model import Opened
from ingest.registry import lock_commit, registry
from ingest.shared_run import FeatureBuilder
from ingest.store_model import write_tables
from warehouse.errors import LakeError
from warehouse.lake import Lake
from warehouse.rows import ModelRow
from warehouse.storage.batches import Batch
from warehouse.storage.compaction import BUNDLE_MODELS, NewModel, compact, write_new_models

# Bundles that are half full are not compacted again, so that each model is moved once.
COMPACT_AT = BUNDLE_MODELS // 2
# Up to this many small bundles are left as they are at the end of a crawl.
FEW_BUNDLES = 8


@dataclass(frozen=True)
class ReadModel:
    """A model that was read. Its row includes the digest of its norms."""

    row: ModelRow
    opened: Opened
    extract: Extract


class Storer:
    """Writes into one lake. The caller holds its write lock, and calls `publish` at the end."""

    def __init__(self, lake: Lake, seen: Seen, state: CrawlState) -> None:
        self._lake = lake
        self._seen = seen
        self._state = state
        self._batch = Batch(lake)
        self._features = FeatureBuilder()
        self._uncommitted: list[ReadModel] = []
        self._duplicates: list[ReadModel] = []
        """Duplicates of models that may not be committed yet."""
        self._failed: LakeError | None = None
        self._one_at_a_time = asyncio.Lock()
        self._small = len(lake.single_models()) + sum(map(len, small_bundles(lake)))

    async def store(self, readings: Sequence[ReadModel]) -> int:
        """Stores these and returns how many are duplicates. An error concerns all that are not stored."""
        async with self._one_at_a_time:
            if self._failed:
                raise self._failed
            new, again, same = self._sorted_out(readings)
            if any(one.row.model in self._batch.pending for one in again):
                await self._publish()
            await self._write_new(new)
            self._are_written(new)
            for reading in again:
                await self._write_again(reading)
                self._are_written([reading])
            for reading in same:
                self._seen.add_duplicate(reading.row)
            self._duplicates += same
            self._small += len(new) + len(again)
            if self._small >= COMPACT_AT:
                await self._publish()
                await in_thread(compact, self._lake)
                self._state.flush()
                self._small = 0
            return len(same)

    async def publish(self) -> None:
        """Commits what is written."""
        async with self._one_at_a_time:
            if self._failed:
                raise self._failed
            await self._publish()

    async def publish_if_due(self) -> None:
        """Called in the background: a failure is raised by the next call of `store`."""
        async with self._one_at_a_time:
            try:
                if self._batch.is_due:
                    await self._publish()
            except LakeError as error:
                self._failed = error

    async def _publish(self) -> None:
        await in_thread(self._batch.publish)
        for reading in self._uncommitted:
            self._state.add_done(reading.row.repo)
            if reading.opened.lock:
                lock_commit(reading.opened.lock, reading.row.commit)
        for reading in self._duplicates:
            self._state.add_duplicate(reading.row)
        self._uncommitted, self._duplicates = [], []

    def _are_written(self, readings: Sequence[ReadModel]) -> None:
        self._uncommitted += readings
        for reading in readings:
            row = reading.row
            self._seen.add_stored(row.model, row.repo, row.commit, row.norms_digest)

    def _sorted_out(
        self, readings: Iterable[ReadModel]
    ) -> tuple[list[ReadModel], list[ReadModel], list[ReadModel]]:
        """New models, models that replace one of the same name, and duplicates.

        Models of the registry are always stored, because claims are about them.
        """
        new: list[ReadModel] = []
        again: list[ReadModel] = []
        same: list[ReadModel] = []
        digests = set(self._seen.holders)
        for reading in readings:
            if reading.row.model in self._seen.stored:
                again.append(reading)
            elif reading.row.norms_digest in digests and reading.row.model not in registry():
                same.append(reading)
            else:
                new.append(reading)
                digests.add(str(reading.row.norms_digest))
        return new, again, same

    async def _write_new(self, readings: Sequence[ReadModel]) -> None:
        if readings:
            built = await together(self._features.build(one.row, one.extract.vectors) for one in readings)
            models = [
                NewModel(one.row, one.extract.vectors, features)
                for one, features in zip(readings, built, strict=True)
            ]
            with self._batch.change([one.row.model for one in readings], is_whole=False) as commit:
                await in_thread(write_new_models, commit, models)

    async def _write_again(self, reading: ReadModel) -> None:
        features = await self._features.build(reading.row, reading.extract.vectors)
        with self._batch.change([reading.row.model], is_whole=True) as commit:
            await write_tables(commit, reading.row, reading.opened, reading.extract, (), features)


def small_bundles(lake: Lake) -> list[dict[str, int]]:
    """The models of bundles that are less than half full."""
    return [models for bundle in lake.bundles() if len(models := lake.models_in(bundle)) < COMPACT_AT]


def compact_at_end(lake: Lake) -> None:
    if len(lake.single_models()) + len(small_bundles(lake)) > FEW_BUNDLES:
        compact(lake)
