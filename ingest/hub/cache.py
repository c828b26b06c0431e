"""Which commits of a repo the Hugging Face cache on this disk has in full."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from ingest.files import CONFIG, INDEX, SINGLE, json_object, shard_map
from ingest.local_files import folder_files, is_folder, read_small


def cached_snapshot(
    cache: Path, repo: str, revision: str, *, is_enough: Callable[[Sequence[str]], bool]
) -> tuple[str, Path] | None:
    """(commit, folder) of a complete snapshot in the Hugging Face cache, if there is one.

    Where no safetensors say what belongs to the model, `is_enough` decides by the names of the files.
    A config or index that cannot be read is a SourceError.
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
