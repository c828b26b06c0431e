"""What a model declares of its base models, and which models of the lake are meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote

import duckdb

from analysis.rows import fetch_dicts
from warehouse.errors import UsageError

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
select base, relation, read_from
from declarations
where repo = $repo and (model = $model or not is_stored)
"""
# A duplicate has the norms of the model that is stored, and a repo of its own.
STORED = """
select
    models.model, models.source,
    coalesce(copies.repo, models.repo) as repo, coalesce(copies.commit, models.commit) as commit
from _repo_names as names
join models using (model)
left join duplicates as copies
    on
        copies.same_as = models.model and lower(models.repo) <> name
        and name in (lower(copies.repo), lower(copies.renamed_to))
where name = lower($name)
order by copies.repo
"""
STORED_AS = """
select model, repo, commit, source from models where model = $name
union all
select same_as, repo, commit, source from duplicates where model = $name and same_as is not null
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
    """The one that has its norms: for a duplicate, another."""
    repo: str
    commit: str
    source: str

    @property
    def name(self) -> str:
        """owner/name, or the name in the lake of a model from a disk: its "repo" is only a folder's name."""
        return self.repo if "/" in self.repo else self.model


def repo_of(text: str) -> str | None:
    """`owner/name` of what people write: also the hub's address, with a revision or file or without."""
    found = REPO.fullmatch(text.strip())
    return (found[1] or found[2]) if found else None


def is_path(name: str) -> bool:
    return name.startswith((".", "/", "~")) or name.endswith(".gguf")


def declared_bases(connection: duckdb.DuckDBPyConnection, model: Stored) -> list[Declared]:
    asked = {"model": model.model, "repo": model.repo}
    return [Declared(**row) for row in fetch_dicts(connection, BASES, asked)]


def stored_model(connection: duckdb.DuckDBPyConnection, name: str) -> Stored | None:
    """The lake's model of that repo or, if there is none, of that name; a name without owner is a name first.

    Models of a disk have a folder's name as their repo, which is the same for many folders.
    """
    for query in (STORED, STORED_AS) if "/" in name else (STORED_AS, STORED):
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
    for name in names:
        if is_path(name):
            raise UsageError(
                f"--base takes owner/name or a model of the lake, not the path {name}: run "
                f"`just ingest {quote(name)} --alias NAME` first, then say --base NAME"
            )
    return [Declared(name, None, COMMAND_LINE) for name in dict.fromkeys(names)]
