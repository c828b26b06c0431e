"""What a lake has already, as a crawl asks it: by repo, by name and by digest of the norms.

A repo is done if one of the lake's models was read from it, or if it is a duplicate of one that is there.
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
# `m_` is put before a digit, so no owner may begin with both
PLAIN = re.compile(r"(?!m_\d)[a-z0-9](?:[a-z0-9_.-]*[a-z0-9_.])?")


def model_key(repo: str) -> str:
    """The registry's alias for its repos; the same for the same repo, whatever the case."""
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
    """For a repo that has no plain key, or whose own was given to another model with --alias.

    It has `--` twice, a plain key once.
    """
    text = repo.lower()
    start = re.sub(r"[^a-z0-9_.]+", "-", text)[:LONGEST_START].strip("-.")
    return f"x{BETWEEN}{start}{BETWEEN}{sha256(text.encode()).hexdigest()[:DIGITS]}"


@dataclass
class Seen:
    """Repos are in small letters: the hub takes `A` for `a`."""

    # what was read from a repo: name in the lake, and commit
    by_repo: dict[str, tuple[str, str]] = field(default_factory=dict)
    # the repo of each stored model
    stored: dict[str, str] = field(default_factory=dict)
    # the stored model that has these norms
    holders: dict[str, str] = field(default_factory=dict)

    def add_stored(self, model: str, repo: str, commit: str, norms_digest: str | None) -> None:
        self.stored[model] = repo.lower()
        self.by_repo[repo.lower()] = model, commit
        if norms_digest:
            self.holders.setdefault(norms_digest, model)

    def add_duplicate(self, row: ModelRow) -> None:
        self.by_repo.setdefault(row.repo.lower(), (row.model, row.commit))

    def is_done(self, target: Target, *, update: bool) -> bool:
        """As far as can be told without asking: with `update`, where the hub's list told the commit."""
        _, commit = self.by_repo.get(target.repo.lower(), ("", ""))
        return bool(commit) and (not update or (target.info is not None and target.info.commit == commit))

    def has(self, repo: str, commit: str | None) -> bool:
        return self.by_repo.get(repo.lower(), ("", ""))[1] == commit

    def name_of(self, target: Target) -> str:
        """What the model is called, or will be."""
        repo = target.repo.lower()
        if repo in self.by_repo:
            return self.by_repo[repo][0]
        key = model_key(repo)
        return key if self.stored.get(key, repo) == repo else other_key(repo)


def seen_in(lake: Lake, duplicates: Iterable[ModelRow]) -> Seen:
    """What a lake has; a duplicate counts while a stored model has its norms."""
    seen = Seen()
    for model, repo, commit, norms_digest in lake.columns("model", "repo", "commit", "norms_digest"):
        seen.add_stored(model, repo, commit, norms_digest)
    for row in duplicates:
        if row.norms_digest in seen.holders:
            seen.add_duplicate(row)
    return seen
