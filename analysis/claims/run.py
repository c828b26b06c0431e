"""Runs claims on one read-only connection and judges them.

`reproduced`: every check holds. `contradicted`: at least one does not. `untestable`: a model it needs is not
in the lake, or every check that does not hold is undefined there. `rehearsed`: a claim about released weights
on a lake with replica models; the query ran and its numbers are shown, and nothing is judged, because the
replica is no evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Literal

import duckdb

from analysis.claims.claim_file import PROJECTIONS, Broken, BrokenClaim, Claim

Verdict = Literal["reproduced", "contradicted", "untestable", "rehearsed"]
VERDICTS: tuple[Verdict, ...] = ("reproduced", "contradicted", "untestable", "rehearsed")

NUMERIC = ("item", "expected", "tolerance", "observed")
QUALITATIVE = ("item", "statement", "holds", "observed")

# Decimal figures are binary fractions here: 0.37695 is not exactly half a digit from 0.3769. 1e-12 of the
# size of the figures is far below anything printed and far above the rounding of a double. A figure that is
# undefined or NaN never holds. `miss` counts tolerances.
JUDGE_NUMERIC = """
    with numbers as (
        select
            item::varchar as item,
            expected::double as expected,
            tolerance::double as tolerance,
            case when not isnan(observed::double) then observed::double end as observed
        from answer
    ), judged as (
        select
            *,
            abs(observed - expected) as distance,
            1e-12 * greatest(abs(observed), abs(expected)) as slack
        from numbers
    )
    select
        item,
        null as statement,
        expected,
        tolerance,
        observed,
        coalesce(distance <= tolerance + slack, false) as holds,
        case when distance <= slack then 0 when tolerance > 0 then distance / tolerance else 'inf' end as miss
    from judged
"""
JUDGE_QUALITATIVE = """
    select
        item::varchar,
        statement::varchar,
        null,
        null,
        case when not isnan(observed::double) then observed::double end as observed,
        coalesce(holds::boolean, false) as holds,
        null
    from answer
"""


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
    # Read once: a query over it then takes 0.6 ms instead of 1.1 ms, and most claims ask several times.
    # (The vectors as a temporary table gain nothing, by measuring: views read only what they filter.)
    connection.execute("create or replace temp table printed as from printed")
    models = _models(connection)
    trained_models = models
    if trained is not None:
        figures = connection.sql("from printed").to_arrow_table()  # noqa: F841  (read by name)
        trained.execute("create or replace temp table printed as from figures")
        trained_models = _models(trained)
    results, broken = [], []
    owner: dict[str, str] = {}
    for claim in claims:
        try:
            if claim.evidence == "toy" and trained is not None:
                result = _run(trained, claim, trained_models)
            else:
                result = _run(connection, claim, models)
            for check in result.checks:
                if check.item in owner:
                    raise BrokenClaim(f"item {check.item} is also an item of {owner[check.item]}: keep one")
            owner.update((check.item, claim.id) for check in result.checks)
            results.append(result)
        except BrokenClaim as error:
            broken.append(Broken(claim.id, str(error)))
    return results, broken


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
        judge = JUDGE_NUMERIC if "expected" in columns else JUDGE_QUALITATIVE
        rows = connection.execute(judge).fetchall()
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
