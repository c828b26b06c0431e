"""Compares a model with its declared bases and with the lake, and gives one answer.

Every statement about two models is the lineage test's (`analysis/lineage/pair.py`). Nothing here claims a
direction or an intent: a parent, a child and a sibling look alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import duckdb

from analysis.lineage.nearest import LIKELY_BY_CHANCE, compare_likely
from analysis.lineage.pair import answered
from analysis.rows import fetch_dicts
from analysis.verify.declared import NOT_IN_NORMS, Declared, Stored, declared_bases, stored_base

SHARE = "share weight history"
NO_SIGN = "no sign"

COPIES = "select coalesce(max(verdict), 'cannot tell: no norms') from _copy_verdicts where model = $model"

REPO = "select repo from models where model = $model"

Status = Literal["consistent", "not shown", "undeclared relative", "cannot tell"]
EXIT_CODES: dict[Status, int] = {"consistent": 0, "not shown": 3, "undeclared relative": 4, "cannot tell": 5}
HIDES = "folded, permuted, retrained from reset norms, or distilled models leave no sign"


@dataclass(frozen=True)
class BaseCheck:
    """One declared base and what the weights say of it."""

    declared: Declared
    status: Literal["consistent", "not shown", "cannot tell", "nothing to check"]
    why: str
    stored: Stored | None = None
    row: Mapping[str, Any] = field(default_factory=dict)
    """The lineage test's row; empty if it was not asked."""


@dataclass(frozen=True)
class Relative:
    """A model of the lake, not declared as a base, that shares weight history with the one in question."""

    stored: Stored
    z_eff: float | None
    identical: bool
    by_chance: float | None
    explained_by: str
    """Why it is expected; the empty string if nothing explains it."""


@dataclass(frozen=True)
class Verification:
    model: Stored
    bases: tuple[BaseCheck, ...]
    relatives: tuple[Relative, ...]
    searched: int
    """Models of the same width in the lake, which were searched for relatives."""
    unread: str = ""
    """Why the model could not be read."""

    @property
    def undeclared(self) -> list[Relative]:
        return [relative for relative in self.relatives if not relative.explained_by]

    @property
    def status(self) -> Status:
        found = {base.status for base in self.bases}
        if "not shown" in found:
            return "not shown"
        if self.undeclared:
            return "undeclared relative"
        return "consistent" if "consistent" in found else "cannot tell"


def unreadable(name: str, why: str) -> Verification:
    return Verification(Stored(name, name, "unknown", "unknown"), (), (), 0, why)


def verify(
    connection: duckdb.DuckDBPyConnection,
    model: Stored,
    bases: Sequence[Declared] | None = None,
    missing: Mapping[str, str] | None = None,
) -> Verification:
    """`bases`: instead of the declared ones; `missing`: why a base is not in the lake, by declared name."""
    declared = declared_bases(connection, model) if bases is None else bases
    checks = tuple(_check(connection, model, one, (missing or {}).get(one.base, "")) for one in declared)
    likely = compare_likely(connection, model.model)
    relatives = _relatives(connection, model, checks, [*_twin(connection, model), *likely])
    return Verification(model, checks, relatives, next((row["searched"] for row in likely), 0))


def _check(
    connection: duckdb.DuckDBPyConnection, model: Stored, declared: Declared, missing: str
) -> BaseCheck:
    not_in_norms = NOT_IN_NORMS.get((declared.relation or "").lower())
    stored = stored_base(connection, declared)
    if stored is None and not_in_norms:
        return BaseCheck(declared, "nothing to check", not_in_norms)
    if stored is None:
        return BaseCheck(declared, "cannot tell", missing or "the lake does not have it")
    if stored.repo.lower() == model.repo.lower():
        return BaseCheck(declared, "cannot tell", "it is the model itself", stored)
    if stored.model == model.model:
        answer = _of_equal_norms(connection, model)
        return BaseCheck(declared, agreement(answer), f"{answer} (the same norms, value for value)", stored)
    pair = answered(connection, model.model, stored.model)
    row = {**pair.row, "verdict": pair.answer, "verdict_of_norms": pair.row["verdict"]}
    status = agreement(pair.answer)
    if not_in_norms and status != "consistent":  # else it was merged into its base, whose norms it has
        return BaseCheck(declared, "nothing to check", not_in_norms, stored)
    return BaseCheck(declared, status, pair.answer, stored, row)


def agreement(answer: str) -> Literal["consistent", "not shown", "cannot tell"]:
    """What the lineage test's answer means for a declaration."""
    if answer.startswith(SHARE):
        return "consistent"
    return "not shown" if answer.startswith(NO_SIGN) else "cannot tell"


def _of_equal_norms(connection: duckdb.DuckDBPyConnection, model: Stored) -> str:
    """What the lineage test says of a model and another with its norms, value for value."""
    [[answer]] = connection.execute(COPIES, {"model": model.model}).fetchall()
    return str(answer)


def _twin(connection: duckdb.DuckDBPyConnection, model: Stored) -> list[dict[str, Any]]:
    """For a duplicate, the stored model that has its norms, as a search would find it."""
    [[repo]] = connection.execute(REPO, {"model": model.model}).fetchall()
    if repo == model.repo:
        return []
    verdict = _of_equal_norms(connection, model)
    return [{"model": model.model, "verdict": verdict, "z_eff": None, "identical": True, "by_chance": None}]


def _relatives(
    connection: duckdb.DuckDBPyConnection,
    model: Stored,
    checks: Sequence[BaseCheck],
    rows: Iterable[Mapping[str, Any]],
) -> tuple[Relative, ...]:
    bases = {check.stored.model for check in checks if check.stored}
    confirmed = [check.stored for check in checks if check.stored and check.status == "consistent"]
    found = [row for row in rows if _is_relative(row) and row["model"] not in bases]
    if not found:
        return ()
    stored = {
        row["model"]: Stored(**row)
        for row in fetch_dicts(
            connection,
            "select model, repo, commit, source from models where list_contains($models, model)",
            {"models": [row["model"] for row in found]},
        )
    }
    kin = _kin(connection, [model, *stored.values()], checks)
    siblings = {base.model: _sharing(connection, base, [*stored]) for base in confirmed}
    return tuple(
        Relative(
            stored[row["model"]],
            row["z_eff"],
            bool(row["identical"]),
            row["by_chance"],
            kin.get(row["model"]) or _through(row["model"], confirmed, siblings),
        )
        for row in found
    )


def _is_relative(row: Mapping[str, Any]) -> bool:
    """Whether the search found more than chance finds among so many models."""
    by_chance = row["by_chance"]
    return str(row["verdict"]).startswith(SHARE) and (by_chance is None or by_chance < LIKELY_BY_CHANCE)


def _kin(
    connection: duckdb.DuckDBPyConnection, models: Sequence[Stored], checks: Sequence[BaseCheck]
) -> dict[str, str]:
    """Which of these models are related to the first by what they declare themselves."""
    model, *others = models
    own = {_name(check.declared): check.declared.base for check in checks if check.status != "not shown"}
    grandparents = {
        _name(one): check.stored.name
        for check in checks
        if check.stored and check.status == "consistent"
        for one in declared_bases(connection, check.stored)
    }
    kin: dict[str, str] = {}
    for other in others:
        named = {_name(one) for one in declared_bases(connection, other)}
        if {model.repo.lower(), model.model} & named:
            kin[other.model] = f"it declares {model.name} as its base"
        elif shared := sorted(named & own.keys()):
            kin[other.model] = f"it declares the same base, {own[shared[0]]}"
        elif other.repo.lower() in grandparents:
            kin[other.model] = f"{grandparents[other.repo.lower()]} declares it as its base"
    return kin


def _name(declared: Declared) -> str:
    return (declared.repo or declared.base).lower()


def _sharing(connection: duckdb.DuckDBPyConnection, base: Stored, models: list[str]) -> set[str]:
    rows = fetch_dicts(
        connection,
        "select model_b as model, verdict from lineage_verdicts(among := $among, around := $base)",
        {"among": [*models, base.model], "base": base.model},
    )
    return {row["model"] for row in rows if str(row["verdict"]).startswith(SHARE)}


def _through(model: str, confirmed: Sequence[Stored], siblings: Mapping[str, set[str]]) -> str:
    base = next((base for base in confirmed if model in siblings[base.model]), None)
    return f"it shares weight history with {base.name}, too" if base else ""
