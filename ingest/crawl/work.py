"""The crawl itself: some models read side by side, each stored whole, as a duplicate, or named as failed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from ingest.crawl.known import Known
from ingest.crawl.lists import Wish
from ingest.crawl.state import CrawlState, Failure, failure_of
from ingest.hub.commit_lock import lock_commit
from ingest.hub.refusals import gated
from ingest.hub.session import HttpSession
from ingest.jobs import as_failure, read_model, stored_sources, write_tables
from ingest.model_rows import model_row
from ingest.packing import Packer
from ingest.reading import first_failure
from ingest.registry import Model, registry
from ingest.sources import Opened, open_hub_model, open_known, refuse_mixed
from warehouse.compact import PART_MODELS, compact
from warehouse.digests import norms_digest
from warehouse.errors import AccessDenied, FormatError, GaveUp, HubUnreachable, LakeError, NotOnHub
from warehouse.lake import Lake

# Enough to hide 30 ms of latency behind the work on other models, and to pack them in large batches.
MODELS_AT_ONCE = 32
# Parts that are half full are left alone, so that each model is moved once.
GATHER_AT = PART_MODELS // 2
# A hub that is gone, or a lake that takes nothing, fails every model: a crawl ends after so many in a row.
MOST_FAILURES_IN_A_ROW = 3 * MODELS_AT_ONCE


@dataclass
class Tally:
    """What became of the repos so far."""

    stored: int = 0
    duplicates: int = 0
    unchanged: int = 0
    failed: list[Failure] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.stored + self.duplicates + self.unchanged + len(self.failed)


class Crawl:
    """Into one lake, whose write lock the caller holds."""

    def __init__(
        self,
        lake: Lake,
        session: HttpSession,
        known: Known,
        state: CrawlState,
        *,
        update: bool = False,
        on_progress: Callable[[Tally], None] = lambda _tally: None,
    ) -> None:
        self.tally = Tally()
        self._lake = lake
        self._session = session
        self._known = known
        self._state = state
        self._update = update
        self._on_progress = on_progress
        self._packer = Packer()
        self._sources = stored_sources(lake)
        self._staged = len(lake.staged())
        self._failed_in_a_row = 0

    async def read(self, wishes: Iterable[Wish]) -> None:
        """All of them; a LakeError or a hub that is gone ends it."""
        waiting = iter(wishes)

        async def work() -> None:
            for wish in waiting:
                await self._one(wish)
                self._on_progress(self.tally)

        with first_failure():
            async with asyncio.TaskGroup() as group:
                for _ in range(MODELS_AT_ONCE):
                    group.create_task(work())

    async def _one(self, wish: Wish) -> None:
        try:
            await self._store(wish)
        except (LakeError, HubUnreachable):
            raise
        except Exception as error:
            failure = as_failure(error)
            self.tally.failed.append(failure_of(wish.repo, failure))
            self._state.add_failure(self.tally.failed[-1])
            of_the_repo = isinstance(failure, NotOnHub | AccessDenied | FormatError)
            self._failed_in_a_row = 0 if of_the_repo else self._failed_in_a_row + 1
            if self._failed_in_a_row >= MOST_FAILURES_IN_A_ROW:
                raise GaveUp(
                    f"the last {self._failed_in_a_row} repos failed, {wish.repo} with: {failure}"
                ) from None
        else:
            self._failed_in_a_row = 0

    async def _store(self, wish: Wish) -> None:
        name = self._known.name_of(wish)
        opened = await self._open(wish, name)
        refuse_mixed(self._lake.name, self._sources, opened.source)
        if self._known.has(wish, opened.commit):
            self.tally.unchanged += 1
            return
        opened, extract = await read_model(self._lake.name, opened, frozenset(), self._sources)
        assert opened.commit is not None  # of a hub
        row = model_row(name, opened, opened.commit, extract)
        row = replace(row, norms_digest=norms_digest(extract.vectors))
        packed = (
            None
            if self._is_duplicate(name, row.norms_digest)
            else await self._packer.pack(row, extract.vectors)
        )
        async with self._packer.one_writer:
            # others may have brought the same norms meanwhile
            if packed is None or self._is_duplicate(name, row.norms_digest):
                self._state.add_duplicate(row)
                self._known.add_duplicate(row)
                self.tally.duplicates += 1
                return
            await write_tables(self._lake, row, opened, extract, (), packed)
            self._known.add_stored(name, row.repo, row.commit, row.norms_digest)
            self._state.add_done(wish.repo)
            self.tally.stored += 1
            if opened.lock:
                lock_commit(opened.lock, opened.commit)
            await self._gather_if_many()

    async def _open(self, wish: Wish, name: str) -> Opened:
        """The registry's at the locked commit; of others the lake alone remembers which one it has."""
        settings = self._session.settings
        if wish.is_gated and not settings.token:
            raise gated(self._session, wish.repo)
        model = Model(name, wish.repo)
        if name in registry():
            return await open_hub_model(self._session, model, update=self._update)
        if wish.info:
            opened = open_known(self._session, model, wish.info)
        else:
            opened = await open_hub_model(self._session, model, update=self._update, use_cache=False)
        return replace(opened, lock=None)

    def _is_duplicate(self, name: str, digest: str | None) -> bool:
        """A stored model stays one, and the registry's are stored, because claims are about them."""
        return digest in self._known.holders and name not in self._known.stored and name not in registry()

    async def _gather_if_many(self) -> None:
        self._staged += 1
        if self._staged >= GATHER_AT:
            await asyncio.to_thread(compact, self._lake)
            self._state.flush()
            self._staged = 0
