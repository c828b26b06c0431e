"""The lock file: which commit of each repo this project reads, so that figures can be run again.

`commits.lock.json` stands beside the data folder, outside of it: it survives a deleted lake and may be
committed. Keys are `repo@revision`; a hub and its mirrors share them. The replica is not in it: its commits
follow from the version of its generator.
"""

from __future__ import annotations

import json
import re

from filelock import FileLock

from ingest.markers import is_replica_commit
from ingest.registry import Model
from warehouse.errors import FormatError
from warehouse.lake import data_root, write_text_atomically

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
    """None for the replica's as well, which an earlier version could take for the hub's."""
    commit = locked_commits().get(_key(model))
    return None if is_replica_commit(model.repo, commit) else commit


def lock_commit(model: Model, commit: str) -> None:
    """Record the commit; two ingests into different lakes do not lose each other's entries."""
    with FileLock(data_root() / ".work" / f"{FILE}.lock"):
        commits = {**locked_commits(), _key(model): commit}
        text = json.dumps(commits, indent=2, sort_keys=True) + "\n"
        write_text_atomically(data_root().parent / FILE, text)


def _key(model: Model) -> str:
    return f"{model.repo}@{model.revision}"
