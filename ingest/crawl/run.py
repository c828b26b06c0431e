"""One run of `just crawl`: reads the list, leaves out what is stored, and crawls the rest or estimates it."""

from __future__ import annotations

import asyncio
import math
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ingest.crawl.crawler import Crawl, Tally
from ingest.crawl.state import CrawlState, Failure, Seen, seen_in, state_of
from ingest.crawl.storing import compact_at_end
from ingest.crawl.targets import Choice, Listing, Target, list_problems, listed_targets, targets_in
from ingest.hub.quotas import API, CDN, RESOLVERS, Quotas
from ingest.hub.session import HttpSession
from ingest.hub.settings import hub_settings
from warehouse.console.output import counted
from warehouse.console.progress import Progress, size_text
from warehouse.duplicates import stored_duplicates
from warehouse.errors import NormhouseError
from warehouse.integrity.damage import refuse_broken_bundles
from warehouse.lake import Lake, lake_at, remember_current
from warehouse.storage.commit import write_lock

SHOWN_FAILURES = 5


@dataclass(frozen=True)
class Options:
    """What to do with repos that were read before, and whether to estimate only."""

    update: bool = False
    retry: bool = False
    dry_run: bool = False


def run(wanted: Path | Choice, lake_name: str, options: Options, *, quiet: bool) -> int:
    """Returns the exit code: 1 if a repo of the list is not in the lake at the end."""
    lake = lake_at(lake_name)
    with Progress(quiet=quiet) as progress:
        lines, code = asyncio.run(_run(wanted, lake, progress, options))
    print("\n".join(lines))
    return code


async def _run(
    wanted: Path | Choice, lake: Lake, progress: Progress, options: Options
) -> tuple[list[str], int]:
    locked = nullcontext if options.dry_run else partial(write_lock, lake)
    with locked():
        pass  # fail at once if another command writes the lake, but do not lock it while a long list is read
    async with HttpSession(hub_settings(), progress.say) as session:
        listing = Listing()
        if isinstance(wanted, Path):
            targets = targets_in(wanted)
        else:
            targets = await listed_targets(session, wanted, listing, progress.say)
        with locked():
            lines, code = await _read(targets, session, lake, progress, options)
        problems = list(list_problems(listing))
        return [*lines, *problems], 1 if problems and not options.dry_run else code


async def _read(
    targets: Sequence[Target], session: HttpSession, lake: Lake, progress: Progress, options: Options
) -> tuple[list[str], int]:
    refuse_broken_bundles(lake)
    state = state_of(lake)
    seen = seen_in(lake, [*stored_duplicates(lake), *state.duplicates.values()])
    left = [target for target in targets if not seen.is_done(target, update=options.update)]
    before = [] if options.retry else _failed_before(left, state)
    skipped = {failure.repo.lower() for failure in before}
    left = [target for target in left if target.repo.lower() not in skipped]
    there = len(targets) - len(left) - len(before)
    settings = session.settings
    token = "with a token" if settings.token else "without a token"
    progress.say(
        f"{counted(len(targets), 'repo')} at {settings.endpoint} {token}; "
        f"lake {lake.name}: {there:,} are there, {len(left):,} to read"
        + (f", {len(before):,} failed before (--retry asks again)" if before else "")
    )
    if options.dry_run:
        return (await forecast(session, lake, left) if left else ["nothing to read"]), 0
    tally = await _crawl(lake, session, seen, state, left, progress, update=options.update)
    return [*_summary(lake, session, state, tally, before)], 1 if tally.failed or before else 0


async def _crawl(
    lake: Lake,
    session: HttpSession,
    seen: Seen,
    state: CrawlState,
    left: Sequence[Target],
    progress: Progress,
    *,
    update: bool,
) -> Tally:
    crawl_progress = CrawlProgress(progress, len(left), session.quotas)
    crawl = Crawl(lake, session, seen, state, update=update, on_progress=crawl_progress)
    began = time.monotonic()
    try:
        await crawl.read(left)
    except NormhouseError as error:
        progress.warn(f"{crawl.tally.done:,} of {len(left):,} repos done; the same command resumes")
        raise error from None
    finally:
        state.flush()
        if seen.stored:
            remember_current(lake)
    compact_at_end(lake)
    if left:
        progress.say(f"done in {duration(time.monotonic() - began)}")
    return crawl.tally


def _failed_before(targets: Sequence[Target], state: CrawlState) -> list[Failure]:
    """Failures of earlier crawls that would occur again."""
    found = (state.failures.get(target.repo.lower()) for target in targets)
    return [failure for failure in found if failure and failure.is_permanent]


def _summary(
    lake: Lake, session: HttpSession, state: CrawlState, tally: Tally, before: Sequence[Failure]
) -> Iterator[str]:
    held, same = len(lake.model_names()), len(stored_duplicates(lake))
    yield (
        f"lake {lake.name}: {counted(held, 'model')}, and {counted(same, 'duplicate')} of them\n"
        f"this run: {tally.stored:,} stored, {counted(tally.duplicates, 'duplicate')}, "
        f"{tally.unchanged:,} unchanged, {len(tally.failed):,} failed; "
        f"{counted(session.requests, 'request')}, {size_text(session.bytes_read)} read"
    )
    failed = sorted([*tally.failed, *before], key=lambda failure: (failure.kind, failure.repo))
    if failed:
        kinds = ", ".join(
            f"{count:,} {kind}" for kind, count in Counter(one.kind for one in failed).most_common()
        )
        yield f"not in the lake: {len(failed):,} ({kinds}); all are in {state.failures_file}"
        yield from (f"  {failure.repo}: {failure.reason}" for failure in failed[:SHOWN_FAILURES])


SECONDS_BETWEEN_LINES = 30.0


class CrawlProgress:
    """Reports the progress of a crawl: a bar on a terminal, else a line from time to time."""

    def __init__(self, progress: Progress, repos: int, quotas: Quotas) -> None:
        self._progress = progress
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
        if self._progress.has_bars:
            self._progress.step("crawl", tally.done, self._repos, note)
        elif now - self._said > SECONDS_BETWEEN_LINES and left:
            self._said = now
            self._progress.say(f"{tally.done:,} of {self._repos:,}: {note}")


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
