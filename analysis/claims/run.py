"""Runs claims and findings on a lake: each query on a cursor of its own, a verdict for each item.

On a lake with replica models nothing about released weights is judged, because the replica is no evidence;
`as_if_hub`, a development aid, judges all the same, and whatever shows it says so.
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
            rehearsed = claim.evidence == "weights" and "replica" in there.values() and not as_if_hub
            try:
                lacking = missing(place, claim, there)
                readings = readings_of(place, claim)
                if not readings and not lacking:
                    raise BrokenClaim(
                        "the query returns no rows: begin with the printed figures, left join the rest"
                    )
                if is_finding:
                    run.findings.append(_finding(claim, readings, lacking, rehearsed))
                    continue
                result = _result(claim, readings, lacking, rehearsed, inventory, measured)
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


def _models(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    return dict(connection.execute("select model, source from models").fetchall())


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
    rehearsed: bool,
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
        elif rehearsed and verdict not in ("by definition", "untestable"):
            verdict = "rehearsed"
        judged.append(Judged(item, verdict, tuple(rows), measured.get(name, ())))
    undefined = sum(one.verdict == "untestable" for one in judged)
    note = lacking or (f"{undefined} of {len(judged)} cannot be decided here" if undefined else "")
    return Result(claim, tuple(judged), note)


def _finding(claim: Claim, readings: tuple[Reading, ...], lacking: str, rehearsed: bool) -> Finding:
    if lacking or rehearsed:
        return Finding(claim, "untestable" if lacking else "rehearsed", readings, lacking)
    return Finding(claim, judge_finding(readings), readings)
