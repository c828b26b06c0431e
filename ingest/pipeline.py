"""One run of `just ingest`: chooses where to read, stores the models, and prints what the lake has."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from ingest.concurrency import in_thread, repeating
from ingest.hub.session import HttpSession
from ingest.hub.settings import HubSettings, hub_settings
from ingest.local_models import SOURCES, LocalModel, local_models, path_of
from ingest.open_model import Opened, hub_or_replica, open_hub_model, open_local
from ingest.registry import Model, locked_commit, named_models
from ingest.replica.running import serve_in_process
from ingest.shared_run import FeatureBuilder, SharedRun
from ingest.slices.job import has_slices, store_slices
from ingest.slices.wanted import SliceNeighbours, SlicesWanted, earlier_slices
from ingest.store_model import Wanted, as_failure, is_current, store_model, stored_sources
from warehouse.catalog.catalog import totals
from warehouse.console.output import counted
from warehouse.console.progress import Progress, size_text
from warehouse.errors import HubUnreachable, LakeError, NormhouseError, SourceError
from warehouse.lake import Lake, lake_at, remember_current
from warehouse.rows import Source
from warehouse.storage.batches import FIRST_SECONDS, Batch
from warehouse.storage.commit import write_lock
from warehouse.storage.compaction import compact_if_many

CAUTION = (
    "REPLICA: these weights are synthetic, planted with published statistics. They show that the machinery "
    "works; they are no evidence about the released models."
)


T = TypeVar("T")

Opener = Callable[[], Awaitable[Opened]]


@dataclass
class Outcome:
    """What became of each model of a run."""

    written: list[str] = field(default_factory=list)
    current: list[str] = field(default_factory=list)
    failed: dict[str, NormhouseError] = field(default_factory=dict)


def run(
    source: str,
    names: Sequence[str],
    wanted: Wanted,
    *,
    lake_name: str | None,
    alias: str | None = None,
    update: bool = False,
    toy: bool = False,
    quiet: bool = False,
) -> int:
    """Returns the exit code."""
    started = time.monotonic()
    with Progress(quiet=quiet) as progress:
        if source in SOURCES:
            models = named_models(names, alias)
            if source == "auto":
                source = hub_or_replica(models, progress)
            lake = lake_at(source if lake_name is None else lake_name)
            run_hub = _from_replica if source == "replica" else _from_hub
            with write_lock(lake):
                outcome, cost = run_hub(lake, models, wanted, update, progress)
                _complete(lake, outcome)
        else:
            found = local_models(path_of(source, names), alias, progress.say)
            kind: Source = "toy" if toy else "local"
            lake = lake_at(kind if lake_name is None else lake_name)
            with write_lock(lake):
                outcome, cost = _from_disk(lake, found, kind, wanted, progress)
                _complete(lake, outcome)
    failures = list(outcome.failed.values())
    if not outcome.written and failures and all(isinstance(error, HubUnreachable) for error in failures):
        raise failures[0]  # one line instead of one for each model
    for model, error in outcome.failed.items():
        progress.warn(f"error: {model}: {error}")
    if outcome.written or outcome.current:
        print(_summary(lake, outcome, cost, time.monotonic() - started))
    return 1 if outcome.failed else 0


def ingest_folder(
    folder: Path, lake_name: str, *, toy: bool = False, slices: SlicesWanted | None = None
) -> None:
    """Stores the models of a folder that we wrote. All messages go to stderr: stdout is the caller's."""
    with redirect_stdout(sys.stderr):
        failed = run(
            str(folder.resolve()),
            (),
            Wanted(slices=slices, replace=True),
            lake_name=lake_name,
            toy=toy,
            quiet=True,
        )
    if failed:
        raise LakeError(f"ingest of {folder} into lake {lake_name!r} failed: see the message above")


def _complete(lake: Lake, outcome: Outcome) -> None:
    """Compacts the lake and makes it the default, if any model is stored."""
    if outcome.written or outcome.current:
        compact_if_many(lake)
        remember_current(lake)


def _from_hub(
    lake: Lake, models: Sequence[Model], wanted: Wanted, update: bool, progress: Progress
) -> tuple[Outcome, str]:
    settings = hub_settings()
    stale = [model for model in models if update or not _has_locked(lake, model, wanted)]
    if not stale:
        return Outcome(current=[model.alias for model in models]), "no request needed"
    outcome, cost = _from_endpoint(lake, stale, settings, wanted, update, progress)
    outcome.current += [model.alias for model in models if model not in stale]
    return outcome, cost


def _has_locked(lake: Lake, model: Model, wanted: Wanted) -> bool:
    commit = locked_commit(model)
    return commit is not None and has_all(lake, model.alias, commit, wanted)


def _from_replica(
    lake: Lake, models: Sequence[Model], wanted: Wanted, _update: bool, progress: Progress
) -> tuple[Outcome, str]:
    with serve_in_process() as hub:
        progress.warn(CAUTION)
        settings = HubSettings(endpoint=hub.endpoint, use_proxies=False)
        return _from_endpoint(lake, models, settings, wanted, False, progress)


def _from_endpoint(
    lake: Lake,
    models: Sequence[Model],
    settings: HubSettings,
    wanted: Wanted,
    update: bool,
    progress: Progress,
) -> tuple[Outcome, str]:
    aliases = ", ".join(model.alias for model in models)
    progress.say(
        f"reading {aliases} from {settings.endpoint} {'with' if settings.token else 'without'} a token"
    )

    async def work() -> tuple[Outcome, str]:
        async with HttpSession(settings, progress.say) as session:

            def opener(model: Model) -> Opener:
                return lambda: open_hub_model(session, model, update=update)

            openers = {model.alias: opener(model) for model in models}
            outcome = await ingest_models(lake, openers, wanted, progress)
            return outcome, f"{counted(session.requests, 'request')}, {size_text(session.bytes_read)} read"

    return asyncio.run(work())


def _from_disk(
    lake: Lake, found: Mapping[str, LocalModel], source: Source, wanted: Wanted, progress: Progress
) -> tuple[Outcome, str]:
    progress.say(f"reading {', '.join(found)} from this disk")

    def opener(model: LocalModel) -> Opener:
        async def open_it() -> Opened:
            if model.problem:
                raise model.problem
            return open_local(model, source)

        return open_it

    openers = {alias: opener(model) for alias, model in found.items()}
    return asyncio.run(ingest_models(lake, openers, wanted, progress)), "read from disk"


def _summary(lake: Lake, outcome: Outcome, cost: str, seconds: float) -> str:
    held = totals(lake)
    written = f"{len(outcome.written)} written" if outcome.written else "nothing written"
    return (
        f"lake {lake.name}: {counted(held.models, 'model')}, {counted(held.vectors, 'vector')}, "
        f"{held.values:,} values, fingerprint {held.fingerprint}\n"
        f"this run: {written}, {len(outcome.current)} already there, {len(outcome.failed)} failed; "
        f"{cost} (the model files have {size_text(held.file_bytes)}), {seconds:.1f} s"
    )


async def ingest_models(
    lake: Lake, openers: Mapping[str, Opener], wanted: Wanted, progress: Progress
) -> Outcome:
    """Store these models; call while holding the lake's write lock. A failure stops only its model.

    Norms are read concurrently. Slices follow model by model, in the order of `openers`, because the layers
    to read depend on those of the models before.
    """
    outcome = Outcome()
    run = SharedRun(lake, progress, Batch(lake), FeatureBuilder(), stored_sources(lake))
    neighbours = SliceNeighbours(lake)
    stored: dict[str, tuple[Opened, str, SlicesWanted | None]] = {}

    async def publish() -> None:
        """Models whose commit fails have failed, even if they were reported as written."""
        models = run.batch.pending
        try:
            await in_thread(run.batch.publish)
        except Exception as error:
            outcome.failed |= dict.fromkeys(models, as_failure(error))

    async def publish_if_due() -> None:
        async with run.writing:
            if run.batch.is_due:
                await publish()

    async def store_norms(alias: str, opener: Opener) -> None:
        with _noting_failure(alias, outcome, progress):
            before = earlier_slices(lake, alias)
            opened = await opener()
            note = await _from_hub_if_damaged(
                alias, opened, lambda opened: store_model(run, alias, opened, wanted), progress
            )
            stored[alias] = opened, note, wanted.slices or (before if note else None)

    async def add_slices(alias: str, opened: Opened, slices: SlicesWanted) -> str:
        async with run.writing:
            if alias in run.batch.pending:
                await publish()
        if alias in outcome.failed:
            raise outcome.failed[alias]
        return await _from_hub_if_damaged(
            alias, opened, lambda opened: store_slices(run, alias, opened, slices, neighbours), progress
        )

    try:
        async with repeating(publish_if_due, FIRST_SECONDS / 4):
            async with asyncio.TaskGroup() as group:
                for alias, opener in openers.items():
                    group.create_task(store_norms(alias, opener))
            for alias in [alias for alias in openers if alias in stored]:
                opened, note, slices = stored[alias]
                with _noting_failure(alias, outcome, progress):
                    if slices:
                        note = "; ".join(filter(None, (note, await add_slices(alias, opened, slices))))
                    (outcome.written if note else outcome.current).append(alias)
                    progress.finished(alias, note or "already there, nothing written")
    finally:
        await publish()
        outcome.written = [alias for alias in outcome.written if alias not in outcome.failed]
    return outcome


@contextmanager
def _noting_failure(alias: str, outcome: Outcome, progress: Progress) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        outcome.failed[alias] = as_failure(error)
        progress.finished(alias, "failed")


async def _from_hub_if_damaged(
    alias: str, opened: Opened, work: Callable[[Opened], Awaitable[T]], progress: Progress
) -> T:
    """Does the work again with the hub's files if those in the Hugging Face cache cannot be read."""
    try:
        return await work(opened)
    except SourceError as error:
        if opened.from_hub is None:
            raise
        progress.warn(
            f"{alias}: its copy in the Hugging Face cache cannot be read ({error}); reading it from the hub"
        )
        return await work(await opened.from_hub())


def has_all(lake: Lake, alias: str, commit: str, wanted: Wanted) -> bool:
    """Whether everything wanted of this commit is stored."""
    sliced = wanted.slices is None or has_slices(lake, alias, commit, wanted.slices)
    return sliced and is_current(lake, alias, commit, wanted.projections)
