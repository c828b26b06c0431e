"""Reads many models concurrently; each is stored, counted as a duplicate, or listed as failed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from ingest.concurrency import repeating, together
from ingest.crawl.state import CrawlState, Failure, Seen, failure_of
from ingest.crawl.storing import ReadModel, Storer
from ingest.crawl.targets import Target
from ingest.hub.responses import gated
from ingest.hub.session import HttpSession
from ingest.open_model import Opened, open_hub_model, open_known, refuse_mixed
from ingest.registry import Model, registry
from ingest.store_model import as_failure, model_row, read_model, stored_sources
from warehouse.errors import (
    AccessDenied,
    FormatError,
    GaveUp,
    HubUnreachable,
    LakeError,
    NormhouseError,
    NotOnHub,
)
from warehouse.lake import Lake
from warehouse.storage.batches import FIRST_SECONDS
from warehouse.storage.digests import norms_digest

# Enough to work on other models during 30 ms of latency, and to store some while others are read.
MODELS_AT_ONCE = 64
# Stored together, to share the cost of queries and files. As many may wait for the next time.
TOGETHER = 24
# How long a model waits for others to be stored with it.
LONGEST_UNSTORED_SECONDS = 10.0
# If the hub is gone or the lake full, every model fails: a crawl ends after so many failures in a row.
MOST_FAILURES_IN_A_ROW = 2 * MODELS_AT_ONCE


@dataclass
class Tally:
    """The results so far."""

    stored: int = 0
    duplicates: int = 0
    unchanged: int = 0
    failed: list[Failure] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.stored + self.duplicates + self.unchanged + len(self.failed)


class Crawl:
    """Crawls into one lake. The caller holds its write lock."""

    def __init__(
        self,
        lake: Lake,
        session: HttpSession,
        seen: Seen,
        state: CrawlState,
        *,
        update: bool = False,
        is_trial: bool = False,
        on_progress: Callable[[Tally], None] = lambda _tally: None,
    ) -> None:
        self.tally = Tally()
        self._lake = lake
        self._session = session
        self._seen = seen
        self._state = state
        self._update = update
        self._is_trial = is_trial
        self._on_progress = on_progress
        self._sources = stored_sources(lake)
        self._storer = Storer(lake, seen, state)
        self._failed_in_a_row = 0

    async def read(self, targets: Iterable[Target]) -> None:
        """Reads all targets. A LakeError or an unreachable hub ends the crawl."""
        waiting = iter(targets)
        unstored: asyncio.Queue[ReadModel | None] = asyncio.Queue(TOGETHER)

        async def read_some() -> None:
            for target in waiting:
                if reading := await self._read(target):
                    await unstored.put(reading)
                else:
                    self._on_progress(self.tally)

        async def read_all() -> None:
            await together(read_some() for _ in range(MODELS_AT_ONCE))
            await unstored.put(None)

        try:
            async with repeating(self._storer.publish_if_due, FIRST_SECONDS / 4):
                await together([read_all(), self._store_from(unstored)])
        finally:
            await self._storer.publish()

    async def _store_from(self, unstored: asyncio.Queue[ReadModel | None]) -> None:
        """Stores what was read, some models at a time, until a None says that nothing follows."""
        batch: list[ReadModel | None] = []
        while None not in batch:
            batch = []
            with suppress(TimeoutError):
                async with asyncio.timeout(LONGEST_UNSTORED_SECONDS):
                    while len(batch) < TOGETHER and None not in batch:
                        batch.append(await unstored.get())
            if readings := [reading for reading in batch if reading]:
                await self._store(readings)
                self._on_progress(self.tally)

    async def _read(self, target: Target) -> ReadModel | None:
        """None if there is nothing to store; the tally has the reason."""
        try:
            reading = await self._try_to_read(target)
        except HubUnreachable:
            raise
        except Exception as error:
            self._failed(target.repo, as_failure(error))
            return None
        self._failed_in_a_row = 0
        self.tally.unchanged += reading is None
        return reading

    async def _try_to_read(self, target: Target) -> ReadModel | None:
        """None if the lake has this commit."""
        name = self._seen.name_of(target)
        opened = await self._open(target, name)
        refuse_mixed(self._lake.name, self._sources, opened.source)
        if self._seen.has(target.repo, opened.commit):
            return None
        opened, extract = await read_model(self._lake.name, opened, frozenset(), self._sources)
        assert opened.commit is not None  # of a hub
        row = model_row(name, opened, opened.commit, extract)
        return ReadModel(replace(row, norms_digest=norms_digest(extract.vectors)), opened, extract)

    def _failed(self, repo: str, error: NormhouseError) -> None:
        self.tally.failed.append(failure_of(repo, error))
        self._state.add_failure(self.tally.failed[-1])
        of_the_repo = isinstance(error, NotOnHub | AccessDenied | FormatError)
        self._failed_in_a_row = 0 if of_the_repo else self._failed_in_a_row + 1
        if self._failed_in_a_row >= MOST_FAILURES_IN_A_ROW:
            raise GaveUp(f"the last {self._failed_in_a_row} repos failed, {repo} with: {error}") from None

    async def _store(self, readings: Sequence[ReadModel]) -> None:
        try:
            await self._store_together(readings)
        except LakeError:
            raise
        except Exception:
            # one of them caused an unexpected error: store each by itself
            for reading in readings:
                await self._store_alone(reading)

    async def _store_together(self, readings: Sequence[ReadModel]) -> None:
        duplicates = await self._storer.store(readings)
        self.tally.duplicates += duplicates
        self.tally.stored += len(readings) - duplicates

    async def _store_alone(self, reading: ReadModel) -> None:
        if self._seen.has(reading.row.repo, reading.row.commit):
            self.tally.stored += 1
            return
        try:
            await self._store_together([reading])
        except LakeError:
            raise
        except Exception as error:
            self._failed(reading.row.repo, as_failure(error))

    async def _open(self, target: Target, name: str) -> Opened:
        """Models of the registry at their locked commit; for others, and in a trial, none is locked."""
        settings = self._session.settings
        if target.is_gated and not settings.token:
            raise gated(settings, target.repo)
        model = Model(name, target.repo)
        if name in registry() and not self._is_trial:
            return await open_hub_model(self._session, model, update=self._update)
        if target.info:
            opened = open_known(self._session, model, target.info)
        else:
            opened = await open_hub_model(self._session, model, update=self._update, use_cache=False)
        return replace(opened, lock=None)
