"""Opens a model: from a name or path to files at a fixed commit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import httpx

from ingest.extract_gguf import holds_gguf
from ingest.hub.repo import HubFiles, RepoInfo, repo_info
from ingest.hub.session import HttpSession
from ingest.hub.settings import HubSettings, hub_settings
from ingest.local_files import LocalFiles, cached_snapshot, is_folder, open_regular
from ingest.local_models import LocalModel
from ingest.metadata import bases_of_readme
from ingest.model_files import ModelFiles
from ingest.origin_marks import marked_card, replica_commit
from ingest.registry import Model, locked_commit, registry
from warehouse.console.progress import Progress
from warehouse.errors import HubUnreachable, SourceError, UsageError, did_you_mean, plain
from warehouse.rows import DeclaredBase, Source

CARD = "README.md"
# Its tags are at the top.
MOST_CARD_BYTES = 1_000_000


@dataclass(frozen=True)
class Opened:
    """A model's files and their origin. A folder has no commit until its norms are read."""

    files: ModelFiles
    repo: str
    source: Source
    commit: str | None
    endpoint: str | None = None
    licence: str | None = None
    # the current name of a renamed repo
    renamed_to: str | None = None
    # base models that the hub's metadata or the model card names
    declared_bases: Sequence[DeclaredBase] = ()
    # why the model card could not be read, or ""
    card_problem: str = ""
    # the model whose commit is locked once it is stored
    lock: Model | None = None
    # for cached files: opens the same model at the hub, in case they are damaged
    from_hub: Callable[[], Awaitable[Opened]] | None = None


async def open_hub_model(
    session: HttpSession, model: Model, *, update: bool, use_cache: bool = True
) -> Opened:
    """The model at its locked commit, from the Hugging Face cache if it is complete there."""
    settings = session.settings
    locked = None if update else locked_commit(model)
    may_be_cached = use_cache and not update
    cached = _cached(settings, model.repo, locked or model.revision) if may_be_cached else None
    from_hub = (
        None if settings.offline else partial(open_hub_model, session, model, update=update, use_cache=False)
    )
    if cached and (settings.offline or cached[0] == locked):
        commit, folder = cached
        files: ModelFiles = LocalFiles(folder, model.repo)
        opened = Opened(files, model.repo, "hub", commit, settings.endpoint, lock=model, from_hub=from_hub)
        opened = _with_card(opened, folder)
        return marked_as(opened, "replica") if commit == replica_commit(model.repo) else opened
    info = await repo_info(session, model.repo, locked or model.revision)
    opened = open_known(session, model, info)
    cached = _cached(settings, model.repo, info.commit) if use_cache and not info.is_replica else None
    return replace(opened, files=LocalFiles(cached[1], model.repo), from_hub=from_hub) if cached else opened


def open_known(session: HttpSession, model: Model, info: RepoInfo) -> Opened:
    """A repo whose commit and files are known."""
    opened = Opened(
        HubFiles(session, info),
        model.repo,
        "hub",
        info.commit,
        session.settings.endpoint,
        info.licence,
        renamed_to=info.name if info.name != model.repo else None,
        declared_bases=info.declared_bases,
        lock=model,
    )
    # without the replica's endpoint, whose port changes from run to run
    return marked_as(replace(opened, endpoint=None), "replica") if info.is_replica else opened


def is_cached(settings: HubSettings, model: Model) -> bool:
    """Whether the Hugging Face cache has everything that an ingest would read."""
    return _cached(settings, model.repo, locked_commit(model) or model.revision) is not None


def _cached(settings: HubSettings, repo: str, revision: str) -> tuple[str, Path] | None:
    """GGUF files are used offline only: otherwise it would depend on the cache which file is read."""

    def is_enough(names: Sequence[str]) -> bool:
        return bool(settings.offline) and holds_gguf(names)

    try:
        return cached_snapshot(settings.cache, repo, revision, is_enough=is_enough)
    except (SourceError, OSError) as error:
        if not settings.offline:
            return None  # damaged: read it from the hub
        raise SourceError(f"{error} (cached; {settings.offline} is set, so it cannot be fetched)") from None


def open_local(model: LocalModel, source: Source) -> Opened:
    opened = Opened(LocalFiles(model.folder, names=model.files), plain(model.name), source, None)
    return _with_card(opened, model.folder)


def _with_card(opened: Opened, folder: Path) -> Opened:
    """Adds what the model card in the folder says: the mark of synthetic weights, and declared bases."""
    card = folder / CARD
    if not card.exists() or is_folder(card):
        return opened
    with open_regular(card) as file:
        text = file.read(MOST_CARD_BYTES)
    bases, problem = bases_of_readme(text)
    return marked_as(replace(opened, declared_bases=bases, card_problem=problem), marked_card(text))


def marked_as(opened: Opened, marked: Source | None) -> Opened:
    """The same with the source that its files are marked with, if any; then no commit is locked."""
    return opened if marked is None else replace(opened, source=marked, lock=None)


def refuse_mixed(lake_name: str, stored: Collection[str], source: Source) -> None:
    """Refuses a source that differs from the lake's: replica rows among released ones would mislead."""
    others = sorted(set(stored) - {source})
    if others:
        raise UsageError(
            f"lake {lake_name!r} holds models from {', '.join(others)}, this one is from {source}: "
            f"sources never mix, choose another lake with --lake NAME"
        )
    if lake_name in ("hub", "local") and source in ("replica", "toy"):
        raise UsageError(
            f"lake {lake_name!r} is for released weights, and this model is marked as {source}: "
            f"choose another lake with --lake NAME"
        )


def hub_or_replica(models: Sequence[Model], progress: Progress) -> str:
    """`hub` if it gives any answer, or if the cache has everything offline; else `replica`, with a warning.

    An untrusted certificate is an error, and so is a model that the replica does not have.
    """
    settings = hub_settings()
    if settings.offline and all(is_cached(settings, model) for model in models):
        return "hub"

    async def ask() -> None:
        async with HttpSession(settings, progress.say) as session:
            await session.get(httpx.URL(f"{settings.endpoint}/api/models/{models[0].repo}"))

    try:
        asyncio.run(ask())
    except HubUnreachable as error:
        foreign = [model.repo for model in models if model.repo not in {m.repo for m in registry().values()}]
        if foreign:
            near = "" if "/" in foreign[0] else f"; {did_you_mean(foreign[0], registry())}"
            raise HubUnreachable(f"{error} (the replica does not have {foreign[0]}{near})") from None
        reason = f"{settings.endpoint} does not answer"
        if settings.offline:
            missing = next(model.repo for model in models if not is_cached(settings, model))
            reason = f"{settings.offline} is set and {missing} is not in the cache"
        progress.warn(f"{reason}: using the embedded replica instead of the hub.")
        return "replica"
    return "hub"
