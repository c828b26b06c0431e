"""What a model declares of its base models, and which models of the lake are meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from analysis.rows import fetch_dicts

COMMAND_LINE = "the command line"
# Relations of which the declared base's norms show nothing: the weights of an adapter are other weights.
NOT_IN_NORMS = {"adapter": "an adapter has no norms of its own"}
# As the macro `repo_of` has it, which a test compares with this.
OWNER_AND_NAME = r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*"
REPO = re.compile(
    rf"(?:https?://(?:www\.)?(?:huggingface|hf)\.co/+({OWNER_AND_NAME})(?:[/@?#].*)?"
    rf"|({OWNER_AND_NAME})/?(?:@.*)?)",
    re.ASCII,
)

BASES = """
select base, relation, read_from from declarations where model = $model
"""
STORED = """
select models.model, models.repo, models.commit, models.source
from _repo_names as names
join models using (model)
where name = lower($name)
"""
STORED_AS = """
select model, repo, commit, source from models where model = $name
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
    """`owner/name` of what people write: also the hub's address, with a revision or file or without."""
    found = REPO.fullmatch(text.strip())
    return (found[1] or found[2]) if found else None


def declared_bases(connection: duckdb.DuckDBPyConnection, model: str) -> list[Declared]:
    return [Declared(**row) for row in fetch_dicts(connection, BASES, {"model": model})]


def stored_model(connection: duckdb.DuckDBPyConnection, name: str) -> Stored | None:
    """The lake's model of that repo or, if there is none, of that name; for a duplicate, the stored one."""
    for query in (STORED, STORED_AS):
        if rows := fetch_dicts(connection, query, {"name": name}):
            return Stored(**rows[0])
    return None


def stored_base(connection: duckdb.DuckDBPyConnection, declared: Declared) -> Stored | None:
    """By its repo; by a name of this lake only on the command line: a card's `llama` may be another one."""
    if declared.read_from == COMMAND_LINE:
        return stored_model(connection, declared.repo or declared.base)
    rows = fetch_dicts(connection, STORED, {"name": declared.repo or declared.base})
    return Stored(**rows[0]) if rows else None


def stated_bases(names: Sequence[str]) -> list[Declared]:
    """The bases named on the command line, instead of the declared ones."""
    return [Declared(name, None, COMMAND_LINE) for name in dict.fromkeys(names)]
