"""What a model declares of its base models, and which models of the lake are meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import duckdb

from analysis.rows import fetch_dicts

# Relations of which the declared base's norms show nothing: the weights of an adapter are other weights.
NOT_IN_NORMS = {"adapter": "an adapter has no norms of its own"}
REPO = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9][A-Za-z0-9_.-]*")

BASES = """
select base, relation, read_from from declarations where model = $model
"""
STORED = """
select model, repo, commit, source
from models
where lower(repo) = lower($name) or lower(renamed_to) = lower($name) or model = $name
order by lower(repo) = lower($name) desc, model
limit 1
"""
STORED_AS_ANOTHER = """
select models.model, models.repo, models.commit, models.source
from duplicates
join models on models.model = duplicates.same_as
where lower(duplicates.repo) = lower($name) or duplicates.model = $name
limit 1
"""


@dataclass(frozen=True)
class Declared:
    """One declared base, as it is written."""

    base: str
    relation: str | None
    read_from: str

    @property
    def repo(self) -> str | None:
        """`owner/name` without address and revision; None if this names no repo."""
        return repo_of(self.base)


@dataclass(frozen=True)
class Stored:
    """A model of the lake."""

    model: str
    repo: str
    commit: str
    source: str


def repo_of(text: str) -> str | None:
    """`owner/name` of what people write: with or without the hub's address, a revision or a file."""
    if "://" in text:
        try:
            parts = urlsplit(text).path.strip("/").split("/")
        except ValueError:
            return None
        text = "/".join(parts[:2])
    text = text.partition("@")[0].strip().rstrip("/")
    return text if REPO.fullmatch(text) else None


def declared_bases(connection: duckdb.DuckDBPyConnection, model: str) -> list[Declared]:
    return [Declared(**row) for row in fetch_dicts(connection, BASES, {"model": model})]


def stored_model(connection: duckdb.DuckDBPyConnection, name: str) -> Stored | None:
    """The lake's model of that name or repo, or the one with the same norms that a crawl kept instead."""
    for query in (STORED, STORED_AS_ANOTHER):
        if rows := fetch_dicts(connection, query, {"name": name}):
            return Stored(**rows[0])
    return None


def stored_base(connection: duckdb.DuckDBPyConnection, declared: Declared) -> Stored | None:
    return stored_model(connection, declared.repo or declared.base)


def stated_bases(names: Sequence[str]) -> list[Declared]:
    """The bases named on the command line, instead of the declared ones."""
    return [Declared(name, None, "the command line") for name in dict.fromkeys(names)]
