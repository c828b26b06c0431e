"""Which commits of a repo are fixed by the lock file, and which the Hugging Face cache has in full.

`commits.lock.json` is beside the data folder, not in it, so it survives a deleted lake and may be committed.
It names the commit of each repo that this project reads, so that figures can be computed again. Keys are
`repo@revision`; a hub and its mirrors share them. The replica is not in it: its commits follow from the
version of its generator.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from filelock import FileLock

from ingest.local_files import folder_files, is_folder, read_small
from ingest.model_files import CONFIG, INDEX, SINGLE, json_object, shard_map
from ingest.registry import Model
from warehouse.errors import FormatError
from warehouse.lake import write_text_atomically
from warehouse.paths import data_root


def cached_snapshot(
    cache: Path, repo: str, revision: str, *, is_enough: Callable[[Sequence[str]], bool]
) -> tuple[str, Path] | None:
    """(commit, folder) of a complete snapshot in the Hugging Face cache, or None.

    `is_enough` may accept a snapshot by its file names, for models without safetensors. Raises SourceError
    for a config or index that cannot be read.
    """
    repo_folder = cache / f"models--{repo.replace('/', '--')}"
    commit = revision
    if not re.fullmatch("[0-9a-f]{40}", revision):
        ref = repo_folder / "refs" / revision
        commit = read_small(ref).decode(errors="replace").strip() if ref.is_file() else ""
    folder = repo_folder / "snapshots" / commit
    if not re.fullmatch("[0-9a-f]{40}", commit) or not is_folder(folder):
        return None
    if is_enough(folder_files(folder)):
        return commit, folder
    if not (folder / CONFIG).is_file():
        return None
    json_object(read_small(folder / CONFIG), f"{folder}/{CONFIG}")
    if (folder / INDEX).is_file():
        shards = shard_map(json_object(read_small(folder / INDEX), f"{folder}/{INDEX}"), str(folder))
        return (commit, folder) if all((folder / shard).is_file() for shard in shards) else None
    return (commit, folder) if (folder / SINGLE).is_file() else None


FILE = "commits.lock.json"


def locked_commits() -> dict[str, str]:
    path = data_root().parent / FILE
    if not path.exists():
        return {}
    try:
        commits = json.loads(path.read_text("utf-8"))
        valid = all(re.fullmatch("[0-9a-f]{40}", commit) for commit in commits.values())
    except (ValueError, AttributeError, TypeError):
        valid = False
    if not valid:
        raise FormatError(f"{path} does not map repos to 40-digit commits: restore or delete it")
    return dict(commits)


def locked_commit(model: Model) -> str | None:
    return locked_commits().get(_key(model))


def lock_commit(model: Model, commit: str) -> None:
    """Records the commit, under a lock, because other ingests may write other entries."""
    with FileLock(data_root() / ".work" / f"{FILE}.lock"):
        commits = {**locked_commits(), _key(model): commit}
        text = json.dumps(commits, indent=2, sort_keys=True) + "\n"
        write_text_atomically(data_root().parent / FILE, text)


def _key(model: Model) -> str:
    return f"{model.repo}@{model.revision}"
