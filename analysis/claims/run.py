"""Runs claims on one read-only connection and judges them.

`reproduced`: every check holds. `contradicted`: at least one does not. `untestable`: a model it needs is not
in the lake, or every check that does not hold is undefined there. `rehearsed`: a claim about released weights
on a lake with replica models; the query ran and its numbers are shown, and nothing is judged, because the
replica is no evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Literal

import duckdb

from analysis.claims.claim_file import PROJECTIONS, Broken, BrokenClaim, Claim
from warehouse.definitions import read_query

Verdict = Literal["reproduced", "contradicted", "untestable", "rehearsed"]
VERDICTS: tuple[Verdict, ...] = ("reproduced", "contradicted", "untestable", "rehearsed")

NUMERIC = ("item", "expected", "tolerance", "observed")
QUALITATIVE = ("item", "statement", "holds", "observed")


@dataclass(frozen=True)
class Check:
    """One row of a claim's answer; `miss` is |observed - expected| in tolerances."""

    item: str
    statement: str | None
    expected: float | None
    tolerance: float | None
    observed: float | None
    holds: bool
    miss: float | None


@dataclass(frozen=True)
class Result:
    """One claim's verdict; `note` says what is missing and which command brings it."""

    claim: Claim
    verdict: Verdict
    checks: tuple[Check, ...]
    note: str = ""

    @property
    def holding(self) -> int:
        return sum(check.holds for check in self.checks)

    @property
    def worst(self) -> Check | None:
        """The failing check that is furthest off, undefined and qualitative ones before measured ones."""
        failing = (check for check in self.checks if not check.holds)
        return max(failing, key=lambda check: inf if check.miss is None else check.miss, default=None)


def run_claims(
    connection: duckdb.DuckDBPyConnection,
    claims: Iterable[Claim],
    trained: duckdb.DuckDBPyConnection | None = None,
) -> tuple[list[Result], list[Broken]]:
    """Results in the order of the claims; those that cannot be run or judged are broken, by id.

    `trained` is the lake of the models trained here; claims of evidence toy are asked there, since sources
    never mix and the lake at hand has none of them.
    """
    with asking(connection) as own, asking(connection if trained is None else trained) as own_trained:
        models, trained_models = _models(own), _models(own_trained)
        owner: dict[str, str] = {}
        results, broken = [], []
        for claim in claims:
            is_toy = claim.evidence == "toy"
            try:
                result = _run(own_trained, claim, trained_models) if is_toy else _run(own, claim, models)
                for check in result.checks:
                    if check.item in owner:
                        raise BrokenClaim(
                            f"item {check.item} is also an item of {owner[check.item]}: keep one"
                        )
                owner.update((check.item, claim.id) for check in result.checks)
                results.append(result)
            except BrokenClaim as error:
                broken.append(Broken(claim.id, str(error)))
    return results, broken


@contextmanager
def asking(connection: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor with temporary tables of its own, so that nothing is shadowed on the caller's connection.

    `printed` is read into one: most claims ask it several times, and a query then takes 0.6 ms, not 2.4 ms.
    (The vectors as a temporary table gain nothing, by measuring: views read only what they filter.)
    """
    with connection.cursor() as own:
        own.execute("create temp table printed as from main.printed")
        yield own


def _models(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    return dict(connection.execute("select model, source from models").fetchall())


def _run(connection: duckdb.DuckDBPyConnection, claim: Claim, models: Mapping[str, str]) -> Result:
    missing = _missing(connection, claim, models)
    checks = _checks(connection, claim)
    if missing:
        return Result(claim, "untestable", checks, missing)
    if not checks:
        raise BrokenClaim("the query returns no rows: begin with the printed figures and left join the rest")
    if claim.evidence == "weights" and "replica" in models.values():
        return Result(claim, "rehearsed", checks)
    failing = [check for check in checks if not check.holds]
    undefined = [check for check in failing if check.observed is None]
    if failing and undefined == failing:
        note = f"{len(undefined)} of {len(checks)} figures cannot be computed from this lake"
        return Result(claim, "untestable", checks, note)
    return Result(claim, "contradicted" if failing else "reproduced", checks)


def _checks(connection: duckdb.DuckDBPyConnection, claim: Claim) -> tuple[Check, ...]:
    try:
        if len(connection.extract_statements(claim.query)) != 1:
            raise BrokenClaim("there is more than one statement: keep one select")
        connection.execute(f"create or replace temp table answer as\n{claim.query}")
        columns = tuple(name for name, *_ in connection.execute("from answer limit 0").description or ())
        if sorted(columns) not in (sorted(NUMERIC), sorted(QUALITATIVE)):
            wanted = f"{', '.join(NUMERIC)} or {', '.join(QUALITATIVE)}"
            raise BrokenClaim(f"returns {', '.join(columns)}: return {wanted}")
        judge = "judging/figures" if "expected" in columns else "judging/statements"
        rows = connection.execute(read_query(judge)).fetchall()
    except duckdb.Error as error:
        raise BrokenClaim(f"the query fails: {_first_line(error)}") from error
    checks = tuple(Check(*row) for row in rows)
    seen = set()
    for check in checks:
        if not check.item:
            raise BrokenClaim("a row has no item: name each")
        if check.item in seen:
            raise BrokenClaim(f"item {check.item} comes twice: return one row per item")
        if check.statement is None and (check.expected is None or check.tolerance is None):
            raise BrokenClaim(f"item {check.item} lacks expected figure, tolerance or statement: fill it in")
        seen.add(check.item)
    return checks


def _missing(connection: duckdb.DuckDBPyConnection, claim: Claim, models: Mapping[str, str]) -> str:
    """What the lake lacks for this claim and the command that brings it; empty when it lacks nothing."""
    needed = [model for model in claim.needs if model != PROJECTIONS]
    lacking = [model for model in needed if model not in models]
    command = "just toy" if claim.evidence == "toy" else f"just ingest hub {' '.join(lacking)}"
    if PROJECTIONS in claim.needs:
        rows = connection.execute(
            "select distinct model from vector_stats where ln_type = 'k_proj'"
        ).fetchall()
        lacking += [f"k_proj and v_proj of {model}" for model in needed if (model,) not in rows]
        command = f"just ingest hub {' '.join(needed)} --projections 10,20,30"
    pronoun = "it" if len(lacking) == 1 else "them"
    return f"{', '.join(lacking)} missing; `{command}` brings {pronoun}" if lacking else ""


def _first_line(error: duckdb.Error) -> str:
    return str(error).strip().splitlines()[0]
