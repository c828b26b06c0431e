"""Opening a model: from a name or a folder to files at a fixed commit, and whether that is needed at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.files import INDEX, SINGLE, LocalFiles, ModelFiles, cached_snapshot
from ingest.hub.commit_lock import locked_commit
from ingest.hub.repo import HubFiles, repo_info
from ingest.hub.session import HttpSession
from ingest.registry import Model
from warehouse.errors import UsageError
from warehouse.lake import check_name
from warehouse.schemas import Source


@dataclass(frozen=True)
class Opened:
    """A model's files and where they come from. A folder has no commit before its bytes were read."""

    files: ModelFiles
    repo: str
    source: Source
    commit: str | None
    endpoint: str | None = None
    licence: str | None = None
    # whose commit to lock once it is in the lake
    lock: Model | None = None


async def open_hub_model(session: HttpSession, model: Model, *, update: bool) -> Opened:
    """At the locked commit if there is one; from the Hugging Face cache if it is complete there."""
    settings = session.settings
    locked = None if update else locked_commit(model)
    cached = None if update else cached_snapshot(settings.cache, model.repo, locked or model.revision)
    if cached and (settings.offline or cached[0] == locked):
        commit, folder = cached
        files: ModelFiles = LocalFiles(folder, model.repo)
        return Opened(files, model.repo, "hub", commit, settings.endpoint, lock=model)
    info = await repo_info(session, model.repo, locked or model.revision)
    if info.is_replica:
        files = HubFiles(session, info)
        return Opened(files, model.repo, "replica", info.commit, settings.endpoint, info.licence)
    cached = cached_snapshot(settings.cache, model.repo, info.commit)
    files = LocalFiles(cached[1], model.repo) if cached else HubFiles(session, info)
    return Opened(files, model.repo, "hub", info.commit, settings.endpoint, info.licence, lock=model)


def open_folder(folder: Path, source: Source) -> Opened:
    return Opened(LocalFiles(folder), folder.name, source, None)


def model_folders(folder: Path, alias: str | None) -> dict[str, Path]:
    """The models in a folder by alias: the folder itself, or each of its subfolders that is one."""
    folders = [folder] if _is_model(folder) else sorted(path for path in folder.iterdir() if _is_model(path))
    if not folders:
        raise UsageError(f"no {SINGLE} or {INDEX} in {folder} or a folder in it: give the folder of a model")
    if alias is not None and len(folders) > 1:
        raise UsageError(f"--alias {alias} is for one model, but {folder} has {len(folders)}: leave it out")
    return {check_name("alias", path.resolve().name if alias is None else alias): path for path in folders}


def _is_model(path: Path) -> bool:
    return path.is_dir() and ((path / INDEX).is_file() or (path / SINGLE).is_file())


def refuse_mixed(lake_name: str, stored: Sequence[str], source: Source) -> None:
    """Sources never mix inside a lake: replica rows among real ones would be evidence of nothing."""
    others = sorted(set(stored) - {source})
    if others:
        raise UsageError(
            f"lake {lake_name!r} holds models from {', '.join(others)}, this one is from {source}: "
            f"sources never mix, choose another lake with --lake NAME"
        )
