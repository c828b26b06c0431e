"""How far a crawl is and how long it will take: a bar on a terminal, else a line from time to time."""

from __future__ import annotations

import math
import time

from ingest.crawl.work import Tally
from ingest.hub.quotas import API, RESOLVERS, Quotas
from warehouse.console.progress import Talk

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
    """This window's are free; further ones wait for its end, and come at the beginning of each window."""
    window = quotas.windows[kind]
    waiting = requests - max(window.left(), 0)
    if not window.quota or waiting <= 0:
        return 0.0
    rest = window.ends_at - time.monotonic()
    return (rest if rest > 0 else window.seconds) + (math.ceil(waiting / window.quota) - 1) * window.seconds


def duration(seconds: float) -> str:
    """For people: two units at most."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} days {hours % 24} h"
