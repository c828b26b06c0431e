"""How far a crawl is and how long it will take: a bar on a terminal, else a line from time to time."""

from __future__ import annotations

import time

from ingest.crawl.work import Tally
from ingest.hub.quotas import API, RESOLVERS, Quotas
from warehouse.talk import Talk

SECONDS_BETWEEN_LINES = 30.0


class Progress:
    """Of a crawl of so many repos."""

    def __init__(self, talk: Talk, repos: int, quotas: Quotas) -> None:
        self._talk = talk
        self._repos = repos
        self._quotas = quotas
        self._began = self._said = time.monotonic()

    def __call__(self, tally: Tally) -> None:
        now = time.monotonic()
        left = self._repos - tally.done
        seconds = max((now - self._began) / tally.done * left, quota_seconds(self._quotas, left / tally.done))
        note = f"{tally.stored:,} stored, {tally.duplicates:,} duplicates, {len(tally.failed):,} failed"
        if left:
            note += f"; {duration(seconds)} left"
        if self._talk.has_bars:
            self._talk.step("crawl", tally.done, self._repos, note)
        elif now - self._said > SECONDS_BETWEEN_LINES and left:
            self._said = now
            self._talk.say(f"{tally.done:,} of {self._repos:,}: {note}")


def quota_seconds(quotas: Quotas, times: float) -> float:
    """How long the quotas make one wait for so many times the requests made up to now."""
    return max(kind_seconds(quotas, kind, quotas.windows[kind].sent * times) for kind in (API, RESOLVERS))


def kind_seconds(quotas: Quotas, kind: str, requests: float) -> float:
    """The first window's are free, those of each further one come at its beginning."""
    window = quotas.windows[kind]
    if not window.quota:
        return 0.0
    return max(0.0, requests - max(window.left(), 0)) / window.quota * window.seconds


def duration(seconds: float) -> str:
    """For people: two units at most."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} days {hours % 24} h"
