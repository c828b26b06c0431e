"""What the main page says: the answer, the dispute, and the headlines with what was found for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from analysis.claims.results import NOT_JUDGED, Finding, Judged, Measurement, Result, Run, measured
from analysis.languages import Language, Observed, filled, in_language, read_texts
from analysis.report.links import texts
from analysis.rows import fetch_dicts
from warehouse.catalog.definitions import read_query
from warehouse.documents import HEADLINES, short_name

HERO = ("measured",)
"""Figures of the first screen."""

OWN: dict[Language, str] = {"en": "own output, ", "ko": "자체 출력, "}
AGREEING: dict[Language, tuple[str, str]] = {"en": ("agrees", "differs"), "ko": ("일치", "불일치")}


def answer_figures(connection: duckdb.DuckDBPyConnection) -> dict[str, float | None]:
    [found] = fetch_dicts(connection, read_query("report/answer"))
    return found


def answer(figures: Mapping[str, float | None], about: Mapping[str, Any], language: Language) -> list[str]:
    """What was claimed, what holds, what norms cannot tell; figures of a replica are never findings."""
    told = texts("main", language)["answer"]
    caution = about["caution"] or ""
    case = "absent" if figures["cosine"] is None else "others" if caution else "read"
    if caution.startswith("synthetic"):
        case = "replica"
    holds = f"{told['cosine']} {told['measured']} {told['weights'][case]}"
    values = {**figures, "lake": about["lake"]}
    return [filled(text, values) for text in (told["claimed"], holds, told["limit"])]


def dispute(run: Run, figures: Mapping[str, float | None], language: Language) -> list[dict[str, Any]]:
    """The steps, each with the headlines that belong to it."""
    lines = headlines(run, planned(language))
    return [
        {
            **step,
            "said": filled(step["said"], figures),
            "lines": [line for line in lines if line.planned.step == step["key"]],
        }
        for step in texts("main", language)["step"]
    ]


def measured_words(measurements: tuple[Measurement, ...], language: Language) -> str:
    """What others published, in a few words of the language."""
    by_source = dict.fromkeys(
        f"{short_name(one.source)} {one.value:.4g} "
        f"({OWN[language] if one.is_own else ''}{AGREEING[language][0 if one.agrees else 1]})"
        for one in measurements
    )
    return ", ".join(by_source)


@dataclass(frozen=True)
class Planned:
    """A line as `headlines.toml` has it, in one language."""

    by: str
    """Who says it, and to whom it answers."""
    said: str
    found: str
    shows: str
    """What that does and does not show."""
    items: tuple[str, ...] = ()
    """Items that decide it; the first one's measurements are shown."""
    finding: str = ""
    """Or a finding of ours that answers it."""
    step: str = ""
    """Of the dispute, on the main page."""


@dataclass(frozen=True)
class Headline:
    """One line with its verdict, what was found, and the claims behind it."""

    planned: Planned
    verdict: str
    found: str
    measured: str
    claims: tuple[str, ...]
    measurements: tuple[Measurement, ...] = ()
    """What `measured` says, one by one."""


def planned(language: Language = "en", file: Path = HEADLINES) -> list[Planned]:
    tables = in_language(read_texts(file)["headline"], language)
    return [Planned(**{**table, "items": tuple(table.get("items", ()))}) for table in tables]


def headlines(run: Run, lines: Sequence[Planned] | None = None) -> list[Headline]:
    """The lines with their verdicts, in order; one with an item that gave no result is untestable."""
    owner = {one.item.item: (result, one) for result in run.results for one in result.items}
    found = {finding.claim.id: finding for finding in run.findings}
    return [
        _by_finding(line, found.get(line.finding)) if line.finding else _by_items(line, owner)
        for line in (planned() if lines is None else lines)
    ]


def _by_finding(line: Planned, finding: Finding | None) -> Headline:
    if finding is None:
        return Headline(line, "untestable", f"{line.finding} gave no result.", "", ())
    if finding.note:
        return Headline(line, finding.verdict, f"{finding.note}.", "", (finding.claim.id,))
    figures = {reading.item: Observed(reading.observed) for reading in finding.readings}
    return Headline(line, finding.verdict, line.found.format(**figures), "", (finding.claim.id,))


def _by_items(line: Planned, owner: dict[str, tuple[Result, Judged]]) -> Headline:
    if absent := [item for item in line.items if item not in owner]:
        return Headline(line, "untestable", f"{', '.join(absent)} gave no result.", "", ())
    deciding = [owner[item] for item in line.items]
    claims = tuple(dict.fromkeys(result.claim.id for result, _ in deciding))
    items = [judged for _, judged in deciding]
    elsewhere = measured(items[0].measured)
    for result, judged in deciding:
        if judged.verdict == "untestable" and "missing" in result.note:
            return Headline(line, "untestable", f"{result.note}.", elsewhere, claims)
    figures = [Observed(judged.plain.observed) for judged in items]
    found = line.found.format(*figures)
    return Headline(line, _verdict(items), found, elsewhere, claims, items[0].measured)


def _verdict(items: Sequence[Judged]) -> str:
    """Not judged if anything was not; else the first item's, which decides."""
    verdicts = [judged.verdict for judged in items]
    return NOT_JUDGED if NOT_JUDGED in verdicts else verdicts[0]
