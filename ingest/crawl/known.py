"""What a lake has already, as a crawl asks it: by repo, by name and by digest of the norms.

A repo is done if one of the lake's models was read from it, or if it is a duplicate of one that is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ingest.crawl.keys import model_key, other_key
from ingest.crawl.lists import Wish
from warehouse.lake import Lake
from warehouse.schemas import ModelRow


@dataclass
class Known:
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

    def is_done(self, wish: Wish, *, update: bool) -> bool:
        """As far as can be told without asking: with `update`, where the hub's list told the commit."""
        _, commit = self.by_repo.get(wish.repo.lower(), ("", ""))
        return bool(commit) and (not update or (wish.info is not None and wish.info.commit == commit))

    def has(self, repo: str, commit: str | None) -> bool:
        return self.by_repo.get(repo.lower(), ("", ""))[1] == commit

    def name_of(self, wish: Wish) -> str:
        """What the model is called, or will be."""
        repo = wish.repo.lower()
        if repo in self.by_repo:
            return self.by_repo[repo][0]
        key = model_key(repo)
        return key if self.stored.get(key, repo) == repo else other_key(repo)


def known_of(lake: Lake, duplicates: Iterable[ModelRow]) -> Known:
    """What a lake has; a duplicate counts while a stored model has its norms."""
    known = Known()
    for model, repo, commit, norms_digest in lake.columns("model", "repo", "commit", "norms_digest"):
        known.add_stored(model, repo, commit, norms_digest)
    for row in duplicates:
        if row.norms_digest in known.holders:
            known.add_duplicate(row)
    return known
