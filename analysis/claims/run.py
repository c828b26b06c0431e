"""Runs claims and findings on a lake: each query on its own cursor, a verdict for each item.

A statement about released weights is judged only on models that came from the registry's repo at a hub: the
replica is synthetic, and a folder may hold anything under any name. Otherwise the verdict is `not judged` and
the note says why. `as_if_hub`, a development aid, judges all the same, and every output says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import duckdb

from analysis.claims.claim_file import PROJECTIONS, Broken, BrokenClaim, Claim
from analysis.claims.lock import ClaimFiles
from analysis.claims.results import (
    DEFINITION,
    NOT_JUDGED,
    PLAIN,
    UNTESTABLE,
    Finding,
    Item,
    Judged,
    Measurement,
    Reading,
    Result,
    Run,
    Verdict,
    judge,
    judge_finding,
    read_items,
)
from warehouse.catalog.definitions import read_query
from warehouse.documents import ITEMS_CSV

NUMERIC = ("item", "reading", "expected", "tolerance", "observed")
QUALITATIVE = ("item", "reading", "statement", "holds", "observed")
SYNTHETIC = "synthetic"
"""What `unreleased` says of the replica."""


def run_files(
    connection: duckdb.DuckDBPyConnection,
    files: ClaimFiles,
    trained: duckdb.DuckDBPyConnection | None = None,
    *,
    as_if_hub: bool = False,
) -> Run:
    """Run what `read_locked` read; in a complete run, an item that no claim returns is an error."""
    run = run_claims(
        connection,
        files.claims,
        trained,
        findings=files.findings,
        items=files.items,
        as_if_hub=as_if_hub,
    )
    run.broken += files.broken
    if files.is_complete:
        run.broken += _unjudged(run, files.items)
    return run


def run_claims(
    connection: duckdb.DuckDBPyConnection,
    claims: Iterable[Claim],
    trained: duckdb.DuckDBPyConnection | None = None,
    *,
    findings: Iterable[Claim] = (),
    items: Mapping[str, Item] | None = None,
    as_if_hub: bool = False,
) -> Run:
    """Run claims and findings in their order; those that cannot be run or judged are in `broken`.

    Claims of evidence `toy` run on `trained`, the lake of the models trained here.
    """
    inventory = read_items() if items is None else items
    run = Run(as_if_hub=as_if_hub)
    owner: dict[str, str] = {}
    with asking(connection) as own, asking(connection if trained is None else trained) as own_trained:
        models, trained_models = _models(own), _models(own_trained)
        measured = _measured(own)
        run.is_synthetic = {why for why in models.values() if why} == {SYNTHETIC}
        for claim, is_finding in [(c, False) for c in claims] + [(c, True) for c in findings]:
            is_toy = claim.evidence == "toy"
            place, there = (own_trained, trained_models) if is_toy else (own, models)
            is_judged = as_if_hub or claim.evidence not in ("weights", "slices")
            unreleased = {} if is_judged else _unreleased(claim, there)
            try:
                lacking = missing(place, claim, there)
                readings = readings_of(place, claim)
                if not readings and not lacking:
                    raise BrokenClaim(
                        "the query returns no rows: begin with the printed figures, left join the rest"
                    )
                if is_finding:
                    run.findings.append(_finding(claim, readings, lacking, unreleased))
                    continue
                result = _result(claim, readings, lacking, unreleased, inventory, measured)
                for judged in result.items:
                    name = judged.item.item
                    if other := owner.get(name):
                        raise BrokenClaim(f"item {name} is returned by {other} too: remove it from one")
                owner.update((judged.item.item, claim.id) for judged in result.items)
                run.results.append(result)
            except BrokenClaim as error:
                run.broken.append(Broken(claim.id, str(error)))
    return run


def readings_of(connection: duckdb.DuckDBPyConnection, claim: Claim) -> tuple[Reading, ...]:
    """The rows of the answer, in order. BrokenClaim says what to change in the file."""
    try:
        if len(connection.extract_statements(claim.query)) != 1:
            raise BrokenClaim("there is more than one statement: keep one select")
        connection.execute(f"create or replace temp table answer as\n{claim.query}")
        columns = tuple(name for name, *_ in connection.execute("from answer limit 0").description or ())
        if sorted(columns) not in (sorted(NUMERIC), sorted(QUALITATIVE)):
            wanted = f"{', '.join(NUMERIC)} or {', '.join(QUALITATIVE)}"
            raise BrokenClaim(f"returns {', '.join(columns)}: return {wanted}")
        judging = "judging/figures" if "expected" in columns else "judging/statements"
        rows = connection.execute(read_query(judging)).fetchall()
    except duckdb.Error as error:
        raise BrokenClaim(f"the query fails: {str(error).strip().splitlines()[0]}") from error
    readings = tuple(Reading(*row) for row in rows)
    _check_readings(readings)
    return readings


def missing(connection: duckdb.DuckDBPyConnection, claim: Claim, models: Collection[str]) -> str:
    """What the lake lacks for this claim and the command that brings it; empty if nothing is missing."""
    needed = [model for model in claim.needs if model != PROJECTIONS]
    lacking = [model for model in needed if model not in models]
    command = (
        "just toy --size published" if claim.evidence == "toy" else f"just ingest hub {' '.join(lacking)}"
    )
    if PROJECTIONS in claim.needs:
        rows = connection.execute(
            "select distinct model from vector_stats where ln_type = 'k_proj'"
        ).fetchall()
        lacking += [f"k_proj and v_proj of {model}" for model in needed if (model,) not in rows]
        command = f"just ingest hub {' '.join(needed)} --projections 10,20,30"
    pronoun = "it" if len(lacking) == 1 else "them"
    return f"{', '.join(lacking)} missing; `{command}` brings {pronoun}" if lacking else ""


@contextmanager
def asking(connection: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor with its own temporary tables, so that nothing is shadowed on the caller's connection.

    It copies `printed`, which most claims read several times: a query then takes 0.6 ms instead of 2.4 ms.
    """
    with connection.cursor() as own:
        own.execute("create temp table printed as from main.printed")
        yield own


def _unjudged(run: Run, items: Mapping[str, Item]) -> list[Broken]:
    """An error if an item is returned by no claim, and no claim failed that might return it."""
    if run.broken or not all(result.items for result in run.results):
        return []
    judged = {one.item.item for result in run.results for one in result.items}
    left = [name for name in items if name not in judged]
    if not left:
        return []
    more = f" (and {len(left) - 1} more)" if len(left) > 1 else ""
    reason = f"no claim returns item {left[0]}{more}: return it from a claim, or delete its row"
    return [Broken(ITEMS_CSV.name, reason)]


def _models(connection: duckdb.DuckDBPyConnection) -> dict[str, str | None]:
    """For each model, why it is not a released one; None if it is."""
    return dict(connection.execute(read_query("judging/unreleased")).fetchall())


def _unreleased(claim: Claim, models: Mapping[str, str | None]) -> dict[str, str]:
    """The models that a claim is about (all, if it names none) which are not released ones, and why."""
    about = [model for model in claim.needs if model in models] or models
    return {model: why for model in about if (why := models[model])}


def _why_not_judged(unreleased: Mapping[str, str]) -> str:
    """Empty if all models are synthetic, which the lake's caution says."""
    named = [f"{model} is {why}" for model, why in unreleased.items() if why != SYNTHETIC]
    if not named:
        return ""
    command = f"just ingest hub {' '.join(unreleased)} --lake hub"
    return f"not judged: {', '.join(named)}, not from the registry's repo at a hub; `{command}` brings it"


def _measured(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[Measurement, ...]]:
    """Measurements by item; several rows of one document count once."""
    found: dict[str, list[Measurement]] = {}
    query = "select distinct item, source, measured, agrees, is_own from measured_elsewhere order by all"
    for item, *row in connection.execute(query).fetchall():
        found.setdefault(item, []).append(Measurement(*row))
    return {item: tuple(rows) for item, rows in found.items()}


def _check_readings(readings: tuple[Reading, ...]) -> None:
    seen = set()
    for row in readings:
        if not row.item or not row.reading:
            raise BrokenClaim("a row has no item or no reading: name each")
        if (row.item, row.reading) in seen:
            raise BrokenClaim(f"{row.reading} reading of {row.item} comes twice: return one row a reading")
        if row.statement is None and (row.expected is None or row.tolerance is None):
            raise BrokenClaim(f"item {row.item} lacks expected figure, tolerance or statement: fill it in")
        seen.add((row.item, row.reading))
    if lacking := sorted({item for item, _ in seen} - {item for item, reading in seen if reading == PLAIN}):
        raise BrokenClaim(f"item {lacking[0]} has no plain reading: say what its author most likely meant")


def _result(
    claim: Claim,
    readings: Sequence[Reading],
    lacking: str,
    unreleased: Mapping[str, str],
    inventory: Mapping[str, Item],
    measured: Mapping[str, tuple[Measurement, ...]],
) -> Result:
    by_item: dict[str, list[Reading]] = {}
    for reading in readings:
        by_item.setdefault(reading.item, []).append(reading)
    judged = []
    for name, rows in by_item.items():
        item = inventory.get(name)
        if item is None:
            raise BrokenClaim(f"item {name} is not in items.csv: add it there with its statement")
        if item.evidence not in (claim.evidence, DEFINITION, UNTESTABLE):
            raise BrokenClaim(f"item {name} has evidence {item.evidence} in items.csv: judge it by that")
        rows.sort(key=lambda row: row.reading != "plain")
        if item.evidence == UNTESTABLE and not all(row.is_undefined for row in rows):
            raise BrokenClaim(f"item {name} is untestable and yet decided: return NULL or change it")
        verdict: Verdict = judge(rows, item.evidence)
        if lacking:
            verdict = "untestable"
        elif item.evidence == DEFINITION and not all(row.holds for row in rows):
            raise BrokenClaim(f"item {name} follows from the definitions but does not hold: repair the query")
        elif unreleased and verdict not in ("by definition", "untestable"):
            verdict = NOT_JUDGED
        judged.append(Judged(item, verdict, tuple(rows), measured.get(name, ())))
    undefined = sum(one.verdict == "untestable" for one in judged)
    note = lacking or _why_not_judged(unreleased)
    if not note and undefined:
        note = f"{undefined} of {len(judged)} cannot be decided here"
    return Result(claim, tuple(judged), note)


def _finding(
    claim: Claim, readings: tuple[Reading, ...], lacking: str, unreleased: Mapping[str, str]
) -> Finding:
    if lacking:
        return Finding(claim, "untestable", readings, lacking)
    if unreleased:
        return Finding(claim, NOT_JUDGED, readings, _why_not_judged(unreleased))
    return Finding(claim, judge_finding(readings), readings)
