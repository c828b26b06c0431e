"""Runs claims and findings on a lake: each query on a cursor of its own, a verdict for each item.

A statement about released weights is judged only of models that came from the registry's repo at a hub: the
replica is no evidence, and a folder may hold anything under any name. All else is rehearsed, and the note
says why; `as_if_hub`, a development aid, judges all the same, and whatever shows it says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import duckdb

from analysis.claims.answers import missing, readings_of
from analysis.claims.claim_file import Broken, BrokenClaim, Claim
from analysis.claims.items import DEFINITION, Item, read_items
from analysis.claims.verdicts import VERDICTS, Reading, Shown, Verdict, judge, judge_finding
from warehouse.definitions import read_query

SYNTHETIC = "synthetic"
"""What `unreleased` says of the replica."""


@dataclass(frozen=True)
class Measurement:
    """What others published of the same quantity, from the released weights; it changes no verdict."""

    source: str
    value: float
    agrees: bool


@dataclass(frozen=True)
class Judged:
    """One item of a claim: how each reading fared, and what that comes to."""

    item: Item
    verdict: Verdict
    readings: tuple[Reading, ...]
    measured: tuple[Measurement, ...] = ()

    @property
    def plain(self) -> Reading:
        return self.readings[0]


@dataclass(frozen=True)
class Result:
    """A claim file and its items; `note` says what is missing and which command brings it."""

    claim: Claim
    items: tuple[Judged, ...]
    note: str = ""

    @property
    def readings(self) -> tuple[Reading, ...]:
        return tuple(reading for judged in self.items for reading in judged.readings)

    @property
    def counts(self) -> dict[Verdict, int]:
        """Its items by verdict, in the order of the verdicts, only those that occur."""
        found = Counter(judged.verdict for judged in self.items)
        return {verdict: found[verdict] for verdict in VERDICTS if found[verdict]}


@dataclass(frozen=True)
class Finding:
    """An inference of ours: shown or not shown by all its checks together."""

    claim: Claim
    verdict: Shown
    readings: tuple[Reading, ...]
    note: str = ""


@dataclass
class Run:
    """What a run of claims and findings came to."""

    results: list[Result] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)

    @property
    def answered(self) -> list[Result | Finding]:
        """All that gave an answer, whoever says it."""
        return [*self.results, *self.findings]


def run_claims(
    connection: duckdb.DuckDBPyConnection,
    claims: Iterable[Claim],
    trained: duckdb.DuckDBPyConnection | None = None,
    *,
    findings: Iterable[Claim] = (),
    items: Mapping[str, Item] | None = None,
    as_if_hub: bool = False,
) -> Run:
    """In the order given; what cannot be run or judged is broken, by id.

    `trained` is the lake of the models trained here; claims of evidence toy are asked there, since sources
    never mix and the lake at hand has none of them.
    """
    inventory = read_items() if items is None else items
    run = Run()
    owner: dict[str, str] = {}
    with asking(connection) as own, asking(connection if trained is None else trained) as own_trained:
        models, trained_models = _models(own), _models(own_trained)
        measured = _measured(own)
        for claim, is_finding in [(c, False) for c in claims] + [(c, True) for c in findings]:
            is_toy = claim.evidence == "toy"
            place, there = (own_trained, trained_models) if is_toy else (own, models)
            is_judged = as_if_hub or claim.evidence != "weights"
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
                    if other := owner.get(judged.item.item):
                        raise BrokenClaim(f"item {judged.item.item} is also an item of {other}: keep one")
                owner.update((judged.item.item, claim.id) for judged in result.items)
                run.results.append(result)
            except BrokenClaim as error:
                run.broken.append(Broken(claim.id, str(error)))
    return run


@contextmanager
def asking(connection: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor with temporary tables of its own, so that nothing is shadowed on the caller's connection.

    `printed` is read into one: most claims ask it several times, and a query then takes 0.6 ms, not 2.4 ms.
    (The vectors as a temporary table gain nothing, by measuring: views read only what they filter.)
    """
    with connection.cursor() as own:
        own.execute("create temp table printed as from main.printed")
        yield own


def _models(connection: duckdb.DuckDBPyConnection) -> dict[str, str | None]:
    """By name; why it is not a released model, if it is not."""
    return dict(connection.execute(read_query("judging/unreleased")).fetchall())


def _unreleased(claim: Claim, models: Mapping[str, str | None]) -> dict[str, str]:
    """Of the models that a claim is about (all, if it names none), those that are not released, and why."""
    about = [model for model in claim.needs if model in models] or models
    return {model: why for model in about if (why := models[model])}


def _why_rehearsed(unreleased: Mapping[str, str]) -> str:
    """Nothing where all is synthetic: the lake's own caution says that."""
    named = [f"{model} is {why}" for model, why in unreleased.items() if why != SYNTHETIC]
    if not named:
        return ""
    command = f"just ingest hub {' '.join(unreleased)} --lake hub"
    return f"not judged: {', '.join(named)}, not from the registry's repo at a hub; `{command}` brings it"


def _measured(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[Measurement, ...]]:
    """By item; several rows of one document count once."""
    found: dict[str, list[Measurement]] = {}
    query = "select distinct item, source, measured, agrees from measured_elsewhere order by all"
    for item, *row in connection.execute(query).fetchall():
        found.setdefault(item, []).append(Measurement(*row))
    return {item: tuple(rows) for item, rows in found.items()}


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
        if item.evidence not in (claim.evidence, DEFINITION):
            raise BrokenClaim(f"item {name} has evidence {item.evidence} in items.csv: judge it by that")
        rows.sort(key=lambda row: row.reading != "plain")
        verdict: Verdict = judge(rows, item.evidence)
        if lacking:
            verdict = "untestable"
        elif item.evidence == DEFINITION and not all(row.holds for row in rows):
            raise BrokenClaim(f"item {name} follows from the definitions and yet fails: repair the query")
        elif unreleased and verdict not in ("by definition", "untestable"):
            verdict = "rehearsed"
        judged.append(Judged(item, verdict, tuple(rows), measured.get(name, ())))
    undefined = sum(one.verdict == "untestable" for one in judged)
    note = lacking or _why_rehearsed(unreleased)
    if not note and undefined:
        note = f"{undefined} of {len(judged)} cannot be decided here"
    return Result(claim, tuple(judged), note)


def _finding(
    claim: Claim, readings: tuple[Reading, ...], lacking: str, unreleased: Mapping[str, str]
) -> Finding:
    if lacking:
        return Finding(claim, "untestable", readings, lacking)
    if unreleased:
        return Finding(claim, "rehearsed", readings, _why_rehearsed(unreleased))
    return Finding(claim, judge_finding(readings), readings)
