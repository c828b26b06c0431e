"""Commits models in batches by time, because a snapshot for every model would cost too much."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from warehouse.errors import LakeError
from warehouse.lake import Lake
from warehouse.storage.commit import Commit, as_lake_error, new_commit
from warehouse.storage.compaction import compact_if_many, take_out

# A killed run loses what it read since its last commit. Each snapshot of the last ten minutes has a catalog
# of 3 MB and a link to every file of the lake, so a long run commits less often.
FIRST_SECONDS, MOST_SECONDS = 1.0, 10.0
SHARE_OF_THE_RUN = 0.1


class Batch:
    """Models written since the last commit. Use one at a time, while holding the lake's write lock."""

    def __init__(self, lake: Lake, clock: Callable[[], float] = time.monotonic) -> None:
        self.pending: list[str] = []
        """Models with files that are written but not committed yet."""
        self._lake = lake
        self._clock = clock
        self._began = self._committed = clock()
        self._open: ExitStack | None = None
        self._commit: Commit | None = None
        self._whole: list[str] = []

    @contextmanager
    def change(self, models: Sequence[str], *, is_whole: bool) -> Iterator[Commit]:
        """Write files of some models: all of them enter the next commit, or none if the block fails.

        `is_whole` says that they replace all that the lake has of these models.
        """
        if self._commit is None:
            self._open = ExitStack()
            self._commit = self._open.enter_context(new_commit(self._lake))
        with as_lake_error(self._lake, "cannot write"), self._commit.all_or_nothing():
            yield self._commit
        self.pending += models
        if is_whole:
            self._whole += models

    @property
    def is_due(self) -> bool:
        now = self._clock()
        wait = min(max(FIRST_SECONDS, SHARE_OF_THE_RUN * (now - self._began)), MOST_SECONDS)
        return bool(self.pending) and now - self._committed >= wait

    def publish(self) -> None:
        """Commit the files written so far. If that fails, they are discarded."""
        if self._commit is None or self._open is None:
            return
        commit, stack, whole = self._commit, self._open, self._whole
        self._commit, self._open, self._whole, self.pending = None, None, [], []
        with stack:
            if not commit.has_changes:
                return
            take_out(commit, whole)
            commit.publish()
        self._committed = self._clock()
        # These models are committed. Damage that prevents a compaction is reported at the end of the run.
        with suppress(LakeError):
            compact_if_many(self._lake)
