"""What a crawl finds in the lake: models by repo, by name and by digest of their norms.

A repo is done if a model of the lake was read from it, or if it is a duplicate of a stored model. A model is
named after its repo: `Qwen/Qwen2.5-0.5B` becomes `qwen--qwen2.5-0.5b`, in lower case because file systems and
the hub ignore case. The hub allows no `--` in names, so this is one to one; other names get a digest at the
end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from ingest.crawl.targets import Target
from ingest.registry import registry
from warehouse.lake import Lake
from warehouse.rows import ModelRow

BETWEEN = "--"
LONGEST = 100
LONGEST_START = 70
DIGITS = 16
# names that begin with a digit get the prefix `m_`, so no owner may begin with both
PLAIN = re.compile(r"(?!m_\d)[a-z0-9](?:[a-z0-9_.-]*[a-z0-9_.])?")


def model_key(repo: str) -> str:
    """The name of a repo's model: the registry's alias, or made from the repo; case is ignored."""
    repo = repo.lower()
    known = {model.repo.lower(): alias for alias, model in registry().items()}
    if repo in known:
        return known[repo]
    parts = repo.split("/")
    key = BETWEEN.join(parts)
    key = f"m_{key}" if key[0].isdigit() else key
    is_plain = len(parts) == 2 and all(PLAIN.fullmatch(part) and BETWEEN not in part for part in parts)
    return key if is_plain and len(key) <= LONGEST else other_key(repo)


def other_key(repo: str) -> str:
    """The name for a repo without a plain key, or if the plain key is another model's --alias.

    It has `--` twice; a plain key has it once.
    """
    text = repo.lower()
    start = re.sub(r"[^a-z0-9_.]+", "-", text)[:LONGEST_START].strip("-.")
    return f"x{BETWEEN}{start}{BETWEEN}{sha256(text.encode()).hexdigest()[:DIGITS]}"


@dataclass
class Seen:
    """Repos are in lower case, because the hub ignores case."""

    # by repo: name in the lake, and commit
    by_repo: dict[str, tuple[str, str]] = field(default_factory=dict)
    # the repo of each stored model
    stored: dict[str, str] = field(default_factory=dict)
    # by digest of the norms: the stored model
    holders: dict[str, str] = field(default_factory=dict)

    def add_stored(self, model: str, repo: str, commit: str, norms_digest: str | None) -> None:
        self.stored[model] = repo.lower()
        self.by_repo[repo.lower()] = model, commit
        if norms_digest:
            self.holders.setdefault(norms_digest, model)

    def add_duplicate(self, row: ModelRow) -> None:
        self.by_repo.setdefault(row.repo.lower(), (row.model, row.commit))

    def is_done(self, target: Target, *, update: bool) -> bool:
        """Whether no request is needed; with `update`, only if the hub's list has the same commit."""
        _, commit = self.by_repo.get(target.repo.lower(), ("", ""))
        return bool(commit) and (not update or (target.info is not None and target.info.commit == commit))

    def has(self, repo: str, commit: str | None) -> bool:
        return self.by_repo.get(repo.lower(), ("", ""))[1] == commit

    def name_of(self, target: Target) -> str:
        """The name of the model in the lake, also before it is stored."""
        repo = target.repo.lower()
        if repo in self.by_repo:
            return self.by_repo[repo][0]
        key = model_key(repo)
        return key if self.stored.get(key, repo) == repo else other_key(repo)


def seen_in(lake: Lake, duplicates: Iterable[ModelRow]) -> Seen:
    """What a lake has. A duplicate counts only while a stored model has its norms."""
    seen = Seen()
    for model, repo, commit, norms_digest in lake.columns("model", "repo", "commit", "norms_digest"):
        seen.add_stored(model, repo, commit, norms_digest)
    for row in duplicates:
        if row.norms_digest in seen.holders:
            seen.add_duplicate(row)
    return seen
