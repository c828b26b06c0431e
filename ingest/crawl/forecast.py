"""`just crawl … --dry-run`: what a crawl would cost, from some of its repos, read and thrown away."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest.crawl.known import Known
from ingest.crawl.lists import Wish
from ingest.crawl.progress import duration, kind_seconds
from ingest.crawl.state import CrawlState
from ingest.crawl.work import Crawl
from ingest.hub.quotas import API, CDN, RESOLVERS
from ingest.hub.session import HttpSession
from warehouse.console.progress import size_text
from warehouse.lake import Lake
from warehouse.storage.commit import write_lock

SAMPLE = 16
NAMES = {API: "API", RESOLVERS: "resolver"}


async def forecast(session: HttpSession, lake: Lake, wishes: Sequence[Wish]) -> list[str]:
    """Lines for people. What the session did before was for the list, which is read again."""
    sample = wishes[:: -(-len(wishes) // SAMPLE)]
    # by itself and not measured, because what is needed once, such as DuckDB, is loaded for it
    first, others = (sample[:1], sample[1:]) if len(sample) > 1 else ([], sample)
    windows = session.quotas.windows
    listed = {kind: window.sent for kind, window in windows.items()}
    listed_bytes = session.bytes_read
    with tempfile.TemporaryDirectory(prefix="normhouse.") as folder:
        # its name decides what it may hold
        trial = Lake(lake.name, Path(folder) / lake.name)
        with write_lock(trial):
            crawl = Crawl(trial, session, Known(), CrawlState(trial, Path(folder)), is_trial=True)
            await crawl.read(first)
            before = {kind: window.sent for kind, window in windows.items()}
            bytes_before, began = session.bytes_read, time.monotonic()
            await crawl.read(others)
        stored = sum(file.stat().st_size for file in trial.folder.rglob("*.parquet"))
    times = len(wishes) / len(others)
    seconds = {"reading and storing them": (time.monotonic() - began) * times}
    requests = {kind: round((window.sent - before[kind]) * times) for kind, window in windows.items()}
    for kind, name in NAMES.items():
        seconds[f"the hub's quota of {name} requests"] = kind_seconds(session.quotas, kind, requests[kind])
        requests[kind] += listed[kind]
    bytes_read = (session.bytes_read - bytes_before) * times + listed_bytes
    reason, longest = max(seconds.items(), key=lambda item: item[1])
    counted = ", ".join(f"{requests[kind]:,} {name}{_quota(session, kind)}" for kind, name in NAMES.items())
    return [
        f"{len(wishes):,} repos to read into lake {lake.name}",
        f"requests: {sum(requests.values()):,}: {counted}, {requests[CDN]:,} to the CDN (not counted)",
        f"bytes: {size_text(bytes_read)} to read, {size_text(stored / len(sample) * len(wishes))} to store",
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
