"""Estimates how long a crawl takes: during it, and for `--dry-run` from a sample of its repos."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest.crawl.crawler import Crawl, Tally
from ingest.crawl.seen import Seen
from ingest.crawl.state import CrawlState
from ingest.crawl.targets import Target
from ingest.hub.quotas import API, CDN, RESOLVERS, Quotas
from ingest.hub.session import HttpSession
from warehouse.console.output import counted
from warehouse.console.progress import Progress, size_text
from warehouse.lake import Lake
from warehouse.storage.commit import write_lock

SECONDS_BETWEEN_LINES = 30.0


class CrawlProgress:
    """Reports the progress of a crawl: a bar on a terminal, else a line from time to time."""

    def __init__(self, progress: Progress, repos: int, quotas: Quotas) -> None:
        self._talk = progress
        self._repos = repos
        self._quotas = quotas
        self._began = self._said = time.monotonic()

    def __call__(self, tally: Tally) -> None:
        now = time.monotonic()
        left = self._repos - tally.done
        seconds = max((now - self._began) / tally.done * left, quota_seconds(self._quotas, left / tally.done))
        duplicates = counted(tally.duplicates, "duplicate")
        note = f"{tally.stored:,} stored, {duplicates}, {len(tally.failed):,} failed"
        if left:
            note += f"; {duration(seconds)} left"
        if self._talk.has_bars:
            self._talk.step("crawl", tally.done, self._repos, note)
        elif now - self._said > SECONDS_BETWEEN_LINES and left:
            self._said = now
            self._talk.say(f"{tally.done:,} of {self._repos:,}: {note}")


def quota_seconds(quotas: Quotas, times: float) -> float:
    """How long the quotas delay a multiple of the requests sent so far."""
    return max(kind_seconds(quotas, kind, quotas.windows[kind].sent * times) for kind in (API, RESOLVERS))


def kind_seconds(quotas: Quotas, kind: str, requests: float) -> float:
    """The rest of this window is free; further requests wait for the start of the next ones."""
    window = quotas.windows[kind]
    waiting = requests - max(window.left(), 0)
    if not window.quota or waiting <= 0:
        return 0.0
    rest = window.ends_at - time.monotonic()
    return (rest if rest > 0 else window.seconds) + (math.ceil(waiting / window.quota) - 1) * window.seconds


def duration(seconds: float) -> str:
    """A duration in at most two units."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} days {hours % 24} h"


SAMPLE = 16
NAMES = {API: "API", RESOLVERS: "resolver"}


async def forecast(session: HttpSession, lake: Lake, targets: Sequence[Target]) -> list[str]:
    """The lines to print. Requests sent before were for the list, which a crawl reads again."""
    sample = targets[:: -(-len(targets) // SAMPLE)]
    # not measured, because it loads what is needed once, such as DuckDB
    first, others = (sample[:1], sample[1:]) if len(sample) > 1 else ([], sample)
    windows = session.quotas.windows
    listed = {kind: window.sent for kind, window in windows.items()}
    listed_bytes = session.bytes_read
    with tempfile.TemporaryDirectory(prefix="normhouse.") as folder:
        # the name of a lake decides which sources it accepts
        trial = Lake(lake.name, Path(folder) / lake.name)
        with write_lock(trial):
            crawl = Crawl(trial, session, Seen(), CrawlState(trial, Path(folder)), is_trial=True)
            await crawl.read(first)
            before = {kind: window.sent for kind, window in windows.items()}
            bytes_before, began = session.bytes_read, time.monotonic()
            await crawl.read(others)
        stored = sum(file.stat().st_size for file in trial.folder.rglob("*.parquet"))
    times = len(targets) / len(others)
    seconds = {"reading and storing them": (time.monotonic() - began) * times}
    requests = {kind: round((window.sent - before[kind]) * times) for kind, window in windows.items()}
    for kind, name in NAMES.items():
        seconds[f"the hub's quota of {name} requests"] = kind_seconds(session.quotas, kind, requests[kind])
        requests[kind] += listed[kind]
    bytes_read = (session.bytes_read - bytes_before) * times + listed_bytes
    reason, longest = max(seconds.items(), key=lambda item: item[1])
    by_kind = ", ".join(f"{requests[kind]:,} {name}{_quota(session, kind)}" for kind, name in NAMES.items())
    return [
        f"{counted(len(targets), 'repo')} to read into lake {lake.name}",
        f"requests: {sum(requests.values()):,}: {by_kind}, {requests[CDN]:,} to the CDN (not counted)",
        f"bytes: {size_text(bytes_read)} to read, {size_text(stored / len(sample) * len(targets))} to store",
        f"time: {longest / 3600:.1f} hours ({duration(longest)}); what takes longest is {reason}",
        *_failures(crawl, len(sample)),
        f"estimated from {len(sample)} of them, read and thrown away; nothing was stored",
    ]


def _quota(session: HttpSession, kind: str) -> str:
    window = session.quotas.windows[kind]
    return f" (of {window.quota:,} in {window.seconds:.0f} s)" if window.quota else ""


def _failures(crawl: Crawl, sampled: int) -> Iterator[str]:
    failed = crawl.tally.failed
    if failed:
        yield f"{len(failed)} of the {sampled} looked at cannot be read, the first: {failed[0].reason}"
