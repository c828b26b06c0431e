"""One run of `just crawl`: reads the list, leaves out what is stored, crawls the rest, prints the result."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from ingest.crawl.crawler import Crawl, Tally
from ingest.crawl.forecast import CrawlProgress, duration, forecast
from ingest.crawl.seen import Seen, seen_in
from ingest.crawl.state import CrawlState, Failure, state_of
from ingest.crawl.storing import compact_at_end
from ingest.crawl.targets import Target, list_problems, listed_targets, targets_in
from ingest.hub.listing import Choice, Listing
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


def run(
    wanted: Path | Choice,
    *,
    lake_name: str,
    update: bool,
    retry: bool,
    dry_run: bool,
    quiet: bool,
) -> int:
    """Returns the exit code: 1 if a repo of the list is not in the lake at the end."""
    lake = lake_at(lake_name)
    with Progress(quiet=quiet) as progress:
        lines, code = asyncio.run(_run(wanted, lake, progress, update=update, retry=retry, dry_run=dry_run))
    print("\n".join(lines))
    return code


async def _run(
    wanted: Path | Choice, lake: Lake, progress: Progress, *, update: bool, retry: bool, dry_run: bool
) -> tuple[list[str], int]:
    locked = nullcontext if dry_run else partial(write_lock, lake)
    with locked():
        pass  # fail at once if another command writes the lake, but do not lock it while a long list is read
    async with HttpSession(hub_settings(), progress.say) as session:
        listing = Listing()
        if isinstance(wanted, Path):
            targets = targets_in(wanted)
        else:
            targets = await listed_targets(session, wanted, listing, progress.say)
        with locked():
            lines, code = await _read(
                targets, session, lake, progress, update=update, retry=retry, dry_run=dry_run
            )
        problems = list(list_problems(listing))
        return [*lines, *problems], 1 if problems and not dry_run else code


async def _read(
    targets: Sequence[Target],
    session: HttpSession,
    lake: Lake,
    progress: Progress,
    *,
    update: bool,
    retry: bool,
    dry_run: bool,
) -> tuple[list[str], int]:
    refuse_broken_bundles(lake)
    state = state_of(lake)
    seen = seen_in(lake, [*stored_duplicates(lake), *state.duplicates.values()])
    left = [target for target in targets if not seen.is_done(target, update=update)]
    before = [] if retry else _failed_before(left, state)
    skipped = {failure.repo.lower() for failure in before}
    left = [target for target in left if target.repo.lower() not in skipped]
    there = len(targets) - len(left) - len(before)
    settings = session.settings
    progress.say(
        f"{counted(len(targets), 'repo')} at {settings.endpoint}, token: "
        f"{'yes' if settings.token else 'no'}; lake {lake.name}: {there:,} are there, {len(left):,} to read"
        + (f", {len(before):,} failed before (--retry asks again)" if before else "")
    )
    if dry_run:
        return (await forecast(session, lake, left) if left else ["nothing to read"]), 0
    tally = await _crawl(lake, session, seen, state, left, progress, update=update)
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
    return [failure for failure in found if failure and failure.is_lasting]


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
