"""One run of `just ingest`: decide where to read, say so, read, and sum up what the lake now has."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

from ingest.concurrency import in_thread, repeating
from ingest.features import Packer
from ingest.hub.commits import lock_commit, locked_commit
from ingest.hub.session import HttpSession
from ingest.hub.settings import HubSettings, hub_settings
from ingest.local_models import LocalModel, local_models
from ingest.open_model import Opened, hub_or_replica, open_hub_model, open_local, path_of
from ingest.registry import Model, named_models
from ingest.slices.job import has_slices, store_slices
from ingest.slices.wanted import SlicesWanted, earlier_slices
from ingest.store_model import as_failure, is_current, store_model, stored_sources
from warehouse.catalog.summary import totals
from warehouse.console.progress import Progress, size_text
from warehouse.errors import HubUnreachable, LakeError, NormhouseError, SourceError, UsageError
from warehouse.lake import Lake, lake_at, remember_current
from warehouse.rows import Source
from warehouse.storage.batches import FIRST_SECONDS, Batch
from warehouse.storage.commit import write_lock
from warehouse.storage.compaction import compact_if_many

CAUTION = (
    "REPLICA: these weights are synthetic, planted with published statistics. They show that the machinery "
    "works; they are no evidence about the released models."
)


def run(
    source: str,
    names: Sequence[str],
    *,
    lake_name: str | None,
    alias: str | None,
    projections: frozenset[int],
    update: bool,
    toy: bool,
    quiet: bool,
    slices: SlicesWanted | None = None,
) -> int:
    """Returns the exit code."""
    started = time.monotonic()
    with Progress(quiet=quiet) as progress:
        if source in ("auto", "hub", "replica"):
            if toy:
                raise UsageError(f"--toy is for models in a folder, not for {source}: leave it out")
            models = named_models(names, alias)
            if source == "auto":
                source = hub_or_replica(models, progress)
            lake = lake_at(source if lake_name is None else lake_name)
            run_hub = _from_replica if source == "replica" else _from_hub
            with write_lock(lake):
                outcome, cost = run_hub(lake, models, Wanted(projections, slices), update, progress)
                _complete(lake, outcome)
        else:
            found = local_models(path_of(source, names), alias)
            kind: Source = "toy" if toy else "local"
            lake = lake_at(kind if lake_name is None else lake_name)
            with write_lock(lake):
                outcome, cost = _from_disk(lake, found, kind, Wanted(projections, slices), progress)
                _complete(lake, outcome)
    failures = list(outcome.failed.values())
    if not outcome.written and failures and all(isinstance(error, HubUnreachable) for error in failures):
        raise failures[0]  # one line, not one a model
    for model, error in outcome.failed.items():
        progress.warn(f"error: {model}: {error}")
    if outcome.written or outcome.current:
        print(_summary(lake, outcome, cost, time.monotonic() - started))
    return 1 if outcome.failed else 0


def ingest_folder(
    folder: Path, lake_name: str, *, toy: bool = False, slices: SlicesWanted | None = None
) -> None:
    """The models of a folder that we wrote; what is said goes to stderr, stdout is the caller's."""
    with redirect_stdout(sys.stderr):
        failed = run(
            str(folder.resolve()),
            (),
            lake_name=lake_name,
            alias=None,
            projections=frozenset(),
            update=False,
            toy=toy,
            quiet=True,
            slices=slices,
        )
    if failed:
        raise LakeError(f"ingest of {folder} into lake {lake_name!r} failed: its message is above")


def _complete(lake: Lake, outcome: Outcome) -> None:
    """What a lake has besides its models; only once it has one."""
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
    from ingest.replica.running import serve_in_process

    with ExitStack() as stack:
        hub = stack.enter_context(serve_in_process())
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
    progress.say(f"reading {aliases} from {settings.endpoint}, token: {'yes' if settings.token else 'no'}")

    async def work() -> tuple[Outcome, str]:
        async with HttpSession(settings, progress.say) as session:

            def opener(model: Model) -> Opener:
                return lambda: open_hub_model(session, model, update=update)

            openers = {model.alias: opener(model) for model in models}
            outcome = await ingest_models(lake, openers, wanted, progress)
            return outcome, f"{session.requests:,} requests, {size_text(session.bytes_read)} read"

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
        f"lake {lake.name}: {held.models:,} models, {held.vectors:,} vectors, {held.values:,} values, "
        f"fingerprint {held.fingerprint}\n"
        f"this run: {written}, {len(outcome.current)} already there, {len(outcome.failed)} failed; "
        f"{cost} (the model files have {size_text(held.file_bytes)}), {seconds:.1f} s"
    )


Opener = Callable[[], Awaitable[Opened]]


@dataclass(frozen=True)
class Wanted:
    """What of a model is asked for besides its norms."""

    projections: frozenset[int] = frozenset()
    slices: SlicesWanted | None = None


@dataclass
class Outcome:
    """What became of each model of a run."""

    written: list[str] = field(default_factory=list)
    current: list[str] = field(default_factory=list)
    failed: dict[str, NormhouseError] = field(default_factory=dict)


async def ingest_models(
    lake: Lake, openers: Mapping[str, Opener], wanted: Wanted, progress: Progress
) -> Outcome:
    """Bring these models into the lake; call while holding its write lock. A failure stops only its model."""
    outcome = Outcome()
    packer = Packer()
    sources = stored_sources(lake)
    batch = Batch(lake)

    async def publish() -> None:
        """Models that could not be committed have failed, whatever was said of them."""
        models = batch.pending
        try:
            await in_thread(batch.publish)
        except Exception as error:
            for model in models:
                outcome.failed[model] = as_failure(error)
            outcome.written = [model for model in outcome.written if model not in models]

    async def store(alias: str, opened: Opened, earlier: SlicesWanted | None) -> str:
        opened, note = await store_model(
            lake, alias, opened, wanted.projections, progress, packer, sources, batch
        )
        if opened.lock and opened.commit:
            lock_commit(opened.lock, opened.commit)
        slices = wanted.slices or (earlier if note else None)
        if slices:
            async with packer.one_writer:
                if alias in batch.pending:  # its row is read below
                    await publish()
            if alias in outcome.failed:
                raise outcome.failed[alias]
            is_fixed = opened.commit is not None
            sliced = await store_slices(
                lake,
                lake.model(alias),
                opened.files,
                slices,
                progress,
                packer.one_writer,
                batch,
                is_fixed=is_fixed,
            )
            note = "; ".join(filter(None, (note, sliced)))
        return note

    async def one(alias: str, opener: Opener) -> None:
        try:
            earlier = earlier_slices(lake, alias)
            opened = await opener()
            try:
                note = await store(alias, opened, earlier)
            except SourceError as error:
                if opened.anew is None:
                    raise
                progress.warn(
                    f"{alias}: its copy in the Hugging Face cache cannot be read ({error}); "
                    f"reading it from the hub"
                )
                note = await store(alias, await opened.anew(), earlier)
        except Exception as error:
            outcome.failed[alias] = as_failure(error)
            progress.finished(alias, "failed")
        else:
            if alias not in outcome.failed:
                (outcome.written if note else outcome.current).append(alias)
            progress.finished(alias, note or "already there, nothing written")

    async def publish_if_due() -> None:
        async with packer.one_writer:
            if batch.is_due:
                await publish()

    try:
        async with repeating(publish_if_due, FIRST_SECONDS / 4), asyncio.TaskGroup() as group:
            for alias, opener in openers.items():
                group.create_task(one(alias, opener))
    finally:
        await publish()
    return outcome


def has_all(lake: Lake, alias: str, commit: str, wanted: Wanted) -> bool:
    """Whether nothing of this commit is left to be read."""
    sliced = wanted.slices is None or has_slices(lake, alias, commit, wanted.slices)
    return sliced and is_current(lake, alias, commit, wanted.projections)
