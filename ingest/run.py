"""One run of `just ingest`: decide where to read, say so, read, and sum up what the lake now has."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, redirect_stdout
from pathlib import Path

import httpx

from ingest.hub.commit_lock import locked_commit
from ingest.hub.session import HttpSession
from ingest.hub.settings import HubSettings, hub_settings
from ingest.jobs import Opener, Outcome, Wanted, has_all, ingest_models
from ingest.local_models import LocalModel, local_models
from ingest.registry import Model, named_models, registry
from ingest.slices.wanted import SlicesWanted
from ingest.sources import Opened, is_cached, open_hub_model, open_local
from warehouse.console.did_you_mean import meant
from warehouse.console.progress import Talk, size_text
from warehouse.console.totals import totals
from warehouse.errors import HubUnreachable, LakeError, UsageError
from warehouse.lake import Lake, lake_at, remember_current
from warehouse.schemas import Source
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
    with Talk(quiet=quiet) as talk:
        if source in ("auto", "hub", "replica"):
            if toy:
                raise UsageError(f"--toy is for models in a folder, not for {source}: leave it out")
            models = named_models(names, alias)
            if source == "auto":
                source = _hub_or_replica(models, talk)
            lake = lake_at(source if lake_name is None else lake_name)
            run_hub = _from_replica if source == "replica" else _from_hub
            with write_lock(lake):
                outcome, cost = run_hub(lake, models, Wanted(projections, slices), update, talk)
                _complete(lake, outcome)
        else:
            found = local_models(_path(source, names), alias)
            kind: Source = "toy" if toy else "local"
            lake = lake_at(kind if lake_name is None else lake_name)
            with write_lock(lake):
                outcome, cost = _from_disk(lake, found, kind, Wanted(projections, slices), talk)
                _complete(lake, outcome)
    failures = list(outcome.failed.values())
    if not outcome.written and failures and all(isinstance(error, HubUnreachable) for error in failures):
        raise failures[0]  # one line, not one a model
    for model, error in outcome.failed.items():
        talk.complain(f"error: {model}: {error}")
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


SOURCES = ("auto", "hub", "replica")


def _path(source: str, names: Sequence[str]) -> Path:
    try:
        path = Path(source).expanduser()
        is_there = path.exists()
    except (OSError, RuntimeError) as error:  # too long, not allowed, or a home that nobody has
        why = error.strerror if isinstance(error, OSError) else str(error).rstrip(".")
        raise UsageError(f"{source!r} cannot be looked at ({why}): give an existing folder or file") from None
    if not is_there:
        if source.startswith((".", "/", "~")) or path.suffix in (".gguf", ".safetensors"):
            raise UsageError(f"no folder or file {source!r}: give an existing one")
        known = source in registry() or "/" in source
        hint = f"for a model of the hub say `just ingest hub {source}`"
        if not known:
            hint = meant(source, (*SOURCES, *registry()), "give an existing folder")
        raise UsageError(f"{source!r} is neither auto, hub, replica nor a folder or file: {hint}")
    if names:
        raise UsageError(
            f"a folder or file needs no model names ({' '.join(names)}): its alias is its name, or --alias"
        )
    return path


def _hub_or_replica(models: Sequence[Model], talk: Talk) -> str:
    """Any answer of the hub counts as a hub; else the replica, if it has what is asked for.

    Offline the cache counts as the hub, if all is there. A hub that cannot be trusted is an error.
    """
    settings = hub_settings()
    if settings.offline and all(is_cached(settings, model) for model in models):
        return "hub"

    async def ask() -> None:
        async with HttpSession(settings, talk.say) as session:
            await session.get(httpx.URL(f"{settings.endpoint}/api/models/{models[0].repo}"))

    try:
        asyncio.run(ask())
    except HubUnreachable as error:
        foreign = [model.repo for model in models if model.repo not in {m.repo for m in registry().values()}]
        if foreign:
            near = "" if "/" in foreign[0] else f"; {meant(foreign[0], registry())}"
            raise HubUnreachable(f"{error} (the replica does not have {foreign[0]}{near})") from None
        reason = f"{settings.endpoint} does not answer"
        if settings.offline:
            missing = next(model.repo for model in models if not is_cached(settings, model))
            reason = f"{settings.offline} is set and {missing} is not in the cache"
        talk.complain(f"{reason}: using the embedded replica instead of the hub.")
        return "replica"
    return "hub"


def _from_hub(
    lake: Lake, models: Sequence[Model], wanted: Wanted, update: bool, talk: Talk
) -> tuple[Outcome, str]:
    settings = hub_settings()
    stale = [model for model in models if update or not _has_locked(lake, model, wanted)]
    if not stale:
        return Outcome(current=[model.alias for model in models]), "no request needed"
    outcome, cost = _from_endpoint(lake, stale, settings, wanted, update, talk)
    outcome.current += [model.alias for model in models if model not in stale]
    return outcome, cost


def _has_locked(lake: Lake, model: Model, wanted: Wanted) -> bool:
    commit = locked_commit(model)
    return commit is not None and has_all(lake, model.alias, commit, wanted)


def _from_replica(
    lake: Lake, models: Sequence[Model], wanted: Wanted, _update: bool, talk: Talk
) -> tuple[Outcome, str]:
    from ingest.replica.running import serve_in_process

    with ExitStack() as stack:
        hub = stack.enter_context(serve_in_process())
        talk.complain(CAUTION)
        settings = HubSettings(endpoint=hub.endpoint, use_proxies=False)
        return _from_endpoint(lake, models, settings, wanted, False, talk)


def _from_endpoint(
    lake: Lake,
    models: Sequence[Model],
    settings: HubSettings,
    wanted: Wanted,
    update: bool,
    talk: Talk,
) -> tuple[Outcome, str]:
    aliases = ", ".join(model.alias for model in models)
    talk.say(f"reading {aliases} from {settings.endpoint}, token: {'yes' if settings.token else 'no'}")

    async def work() -> tuple[Outcome, str]:
        async with HttpSession(settings, talk.say) as session:

            def opener(model: Model) -> Opener:
                return lambda: open_hub_model(session, model, update=update)

            openers = {model.alias: opener(model) for model in models}
            outcome = await ingest_models(lake, openers, wanted, talk)
            return outcome, f"{session.requests:,} requests, {size_text(session.bytes_read)} read"

    return asyncio.run(work())


def _from_disk(
    lake: Lake, found: Mapping[str, LocalModel], source: Source, wanted: Wanted, talk: Talk
) -> tuple[Outcome, str]:
    talk.say(f"reading {', '.join(found)} from this disk")

    def opener(model: LocalModel) -> Opener:
        async def open_it() -> Opened:
            if model.problem:
                raise model.problem
            return open_local(model, source)

        return open_it

    openers = {alias: opener(model) for alias, model in found.items()}
    return asyncio.run(ingest_models(lake, openers, wanted, talk)), "read from disk"


def _summary(lake: Lake, outcome: Outcome, cost: str, seconds: float) -> str:
    held = totals(lake)
    written = f"{len(outcome.written)} written" if outcome.written else "nothing written"
    return (
        f"lake {lake.name}: {held.models:,} models, {held.vectors:,} vectors, {held.values:,} values, "
        f"fingerprint {held.fingerprint}\n"
        f"this run: {written}, {len(outcome.current)} already there, {len(outcome.failed)} failed; "
        f"{cost} (the model files have {size_text(held.file_bytes)}), {seconds:.1f} s"
    )
