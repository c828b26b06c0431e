"""Compares what the models of a lake declare with the families that their weights form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from analysis.lineage.pair import answered
from analysis.rows import fetch_dicts
from analysis.verify.families import MODELS_TIMES_WIDTH, SLICED, Groups, Link, find_links
from analysis.verify.verification import agreement
from warehouse.console.output import remark

# More declaring models than this take some seconds: say so.
REMARKED = 1_000

Row = Mapping[str, Any]

DECLARING = """
select width, list(model order by compared, model) as models
from (
    select distinct declared_pairs.model, compared, coalesce(width, 1) as width
    from declared_pairs
    left join sketches on sketches.model = compared
)
group by width
order by width
"""
DECLARED = """
from declared_lineage_of(models := $models)
order by model, base
"""
MODELS = """
select model, repo, renamed_to, model as stored from models
union all
select duplicates.model, repo, renamed_to, same_as as stored
from duplicates
join _copy_verdicts as copies on copies.model = same_as and copies.verdict = 'share weight history'
order by repo, model
"""


@dataclass(frozen=True)
class Undeclared:
    """A model that shares weight history with a family to which no declaration connects it."""

    model: str
    repo: str
    relative: str | None
    """Repo of the model by which it was found to belong to the family; None if a declared relative was."""
    z_eff: float | None
    by_chance: float | None
    identical: bool


@dataclass(frozen=True)
class Family:
    """Models that share weight history, directly or through others."""

    name: str
    """The base that most of them declare, which the lake need not have; else a model of it."""
    models: tuple[str, ...]
    """Repos."""
    undeclared: tuple[Undeclared, ...]


@dataclass(frozen=True)
class Audit:
    declared: Sequence[Row]
    """Rows of `declared_lineage`; slices are asked, too, where both models have them."""
    families: Sequence[Family]
    """Those of two models or more."""
    names: Mapping[str, str]
    """What the lake calls each repo."""

    @property
    def counts(self) -> dict[str, int]:
        agreements = ("consistent", "not shown", "nothing to check", "base not in lake", "cannot tell")
        return dict.fromkeys(agreements, 0) | Counter(row["agreement"] for row in self.declared)

    @property
    def undeclared(self) -> int:
        return sum(len(family.undeclared) for family in self.families)

    @property
    def exit_code(self) -> int:
        """As of `just verify`; a lake in which nothing can be tested is "cannot tell"."""
        if self.counts["not shown"]:
            return 3
        if self.undeclared:
            return 4
        return 0 if self.counts["consistent"] else 5


def audit(connection: duckdb.DuckDBPyConnection) -> Audit:
    declared = declared_lineage(connection)
    families = Groups()
    for row in declared:
        if row["agreement"] == "consistent":
            families.join(row["compared"], row["base_model"])
    links = find_links(connection, families)
    models = fetch_dicts(connection, MODELS)
    names = {model["repo"]: model["model"] for model in models}
    return Audit(declared, _families(models, declared, families, links), names)


def declared_lineage(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """The rows of the view, some models at a time, so that memory does not grow with the lake."""
    sliced = {model for (model,) in connection.sql(SLICED).fetchall()}
    rows: list[dict[str, Any]] = []
    for width, models in connection.sql(DECLARING).fetchall():
        if len(models) > REMARKED:
            remark(f"comparing {len(models):,} models with their declared bases")
        most = max(MODELS_TIMES_WIDTH // width, 1)
        for begin in range(0, len(models), most):
            rows += fetch_dicts(connection, DECLARED, {"models": models[begin : begin + most]})
    return [_with_slices(connection, row) if _has_both(row, sliced) else row for row in rows]


def _has_both(row: Row, sliced: set[str]) -> bool:
    return row["z_eff"] is not None and {row["compared"], row["base_model"]} <= sliced


def _with_slices(connection: duckdb.DuckDBPyConnection, row: Row) -> dict[str, Any]:
    answer = answered(connection, row["compared"], row["base_model"]).answer
    found = agreement(answer)
    if row["agreement"] == "nothing to check" and found != "consistent":
        return {**row, "verdict": answer}
    return {**row, "verdict": answer, "agreement": found}


def _families(
    models: Iterable[Row], declared: Sequence[Row], families: Groups, links: Sequence[Link]
) -> list[Family]:
    """Those with the most undeclared relatives first."""
    members: dict[str, list[Row]] = {}
    for model in models:
        members.setdefault(families.find(model["stored"]), []).append(model)
    related = [family for family in members.values() if len(family) > 1]
    fitting = [row for row in declared if row["agreement"] != "not shown"]
    connected = _connected(fitting, related)
    named = Counter(_node(row["base_repo"]) for row in fitting)
    repos = {_node(row["base_repo"]): row["base_repo"] for row in fitting}
    repos |= {_node(model["repo"]): model["repo"] for family in related for model in family}
    bases: dict[str, set[str]] = {}
    for row in fitting:
        bases.setdefault(row["model"], set()).add(_node(row["base_repo"]))
    strongest = _strongest(links)
    found = []
    for family in related:
        candidates = {_node(model["repo"]) for model in family}
        candidates = candidates.union(*(bases.get(model["model"], set()) for model in family))
        name = min(candidates, key=lambda one: (-named[one], one))
        apart = [model for model in family if connected.find(_node(model["repo"])) != connected.find(name)]
        repo_of = {model["model"]: model["repo"] for model in family}
        undeclared = tuple(_undeclared(model, strongest.get(model["model"]), repo_of) for model in apart)
        found.append(Family(repos[name], tuple(model["repo"] for model in family), undeclared))
    return sorted(found, key=lambda one: (-len(one.undeclared), -len(one.models), one.name))


def _connected(fitting: Iterable[Row], related: Iterable[Sequence[Row]]) -> Groups:
    """Repos that declarations connect: a model, its bases, and others that declare the same ones."""
    connected = Groups()
    for row in fitting:
        connected.join(_node(row["repo"]), _node(row["base_repo"]))
    for family in related:
        for model in family:
            if model["renamed_to"]:
                connected.join(_node(model["repo"]), _node(model["renamed_to"]))
    return connected


def _strongest(links: Iterable[Link]) -> dict[str, Link]:
    """The pair with the largest z of each model; a family is joined by few of its pairs."""
    found: dict[str, Link] = {}
    for link in sorted(links, key=lambda link: link.z_eff or 0.0):
        found |= {link.model_a: link, link.model_b: link}
    return found


def _node(repo: str) -> str:
    return repo.lower()


def _undeclared(model: Row, link: Link | None, repo_of: Mapping[str, str]) -> Undeclared:
    name, repo, stored = model["model"], model["repo"], model["stored"]
    if name != stored:
        return Undeclared(name, repo, repo_of.get(stored, stored), None, None, identical=True)
    if link is None:
        return Undeclared(name, repo, None, None, None, identical=False)
    relative = link.model_a if link.model_b == name else link.model_b
    return Undeclared(name, repo, repo_of[relative], link.z_eff, link.by_chance, identical=False)
