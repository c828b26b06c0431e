"""The argument in a dozen lines, each with its verdict: for the report, `just claims` and the README.

The lines are in `sql/documents/headlines.toml`. `just readme` writes the first ones into README.md, between
two comment lines. It reads the replica lake, so that anybody can repeat it: statements about released weights
are not judged, and the replica's figures are not shown. No run is recorded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.claims.claim_file import BrokenClaim
from analysis.claims.lock import read_locked
from analysis.claims.results import (
    NOT_JUDGED,
    Finding,
    Judged,
    Measurement,
    Result,
    Run,
    counts_lines,
    measured,
    verdict_words,
)
from analysis.claims.run import run_files
from analysis.lakes import trained_catalog
from analysis.languages import Language, Observed, in_language, read_texts
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import SQL
from warehouse.documents import HEADLINES
from warehouse.errors import FormatError
from warehouse.integrity.damage import refuse_damaged
from warehouse.lake import Lake, existing_lake

README = Path(__file__).parents[2] / "README.md"
BETWEEN = re.compile(
    r"(?<=<!-- verdicts: `just readme` writes these lines -->\n).*?(?=<!-- end -->)", re.DOTALL
)


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
    """Items that decide it."""
    measured: str = ""
    """The item whose published measurements are shown; without it, the first of `items`."""
    finding: str = ""
    """Or a finding of ours that answers it."""
    step: str = ""
    """Of the dispute, on the main page."""
    is_first: bool = False
    """Whether the terminal and the README show it, too."""


@dataclass(frozen=True)
class Headline:
    """One line with its verdict, what was found, and the claims behind it."""

    planned: Planned
    verdict: str
    found: str
    claims: tuple[str, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    """Published ones of the first item."""


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
        return Headline(line, "untestable", f"{line.finding} gave no result.")
    figures = {reading.item: Observed(reading.observed) for reading in finding.readings}
    found = f"{finding.note}." if finding.note else line.found.format(**figures)
    return Headline(line, finding.verdict, found, (finding.claim.id,))


def _by_items(line: Planned, owner: dict[str, tuple[Result, Judged]]) -> Headline:
    if absent := [item for item in (*line.items, line.measured) if item and item not in owner]:
        return Headline(line, "untestable", f"{', '.join(absent)} gave no result.")
    deciding = [owner[item] for item in line.items]
    claims = tuple(dict.fromkeys(result.claim.id for result, _ in deciding))
    items = [judged for _, judged in deciding]
    verdicts = [judged.verdict for judged in items]
    verdict = NOT_JUDGED if NOT_JUDGED in verdicts else verdicts[0]  # the first one decides
    found = line.found.format(*(Observed(judged.plain.observed) for judged in items))
    for result, judged in deciding:
        if judged.verdict == "untestable" and "missing" in result.note:
            verdict, found = "untestable", f"{result.note}."
    measured_item = owner[line.measured or line.items[0]][1]
    return Headline(line, verdict, found, claims, measured_item.measured)


def verdict_table(run: Run) -> str:
    """The first headlines as a Markdown table, and the counts of items and findings."""
    lines = ["| who says what | verdict | what was found |", "| --- | --- | --- |"]
    for line in headlines(run, [line for line in planned() if line.is_first]):
        found = [] if line.verdict == NOT_JUDGED else [line.found]
        elsewhere = measured(line.measurements)
        said = f"**{line.planned.by}** {line.planned.said}"
        told = " ".join(
            [*found, line.planned.shows, *([f"{elsewhere[0].upper()}{elsewhere[1:]}."] if elsewhere else [])]
        )
        lines.append(f"| {said} | {verdict_words(line.verdict, run)} | {told} |")
    counts = [f"- {line}" for line in counts_lines(run)]
    terms = "an item is one statement of one document; [sql/README.md](sql/README.md) defines the verdicts"
    return "\n".join([*lines, "", f"In all ({terms}):", "", *counts, ""])


def with_table(text: str, table: str) -> str:
    if not BETWEEN.search(text):
        raise FormatError(f"{README} has lost the two comment lines around its verdicts: restore them")
    return BETWEEN.sub(lambda _: table, text)


def run_of(lake: Lake, sql: Path = SQL) -> Run:
    with open_catalog(lake) as connection, trained_catalog(lake) as trained:
        return run_files(connection, read_locked(sql), trained)


def main_readme() -> int:
    rewrite(existing_lake("replica"))
    return 0


def rewrite(lake: Lake, readme: Path = README, sql: Path = SQL) -> None:
    """Writes the table into the README; refuses a damaged lake and a broken claim."""
    refuse_damaged(lake)
    run = run_of(lake, sql)
    if run.broken:
        first, *others = run.broken
        more = f" (and {len(others)} more; `just claims` names them)" if others else ""
        raise BrokenClaim(f"{readme.name} is left as it is: {first.name} is broken{more}: {first.reason}")
    text = readme.read_text("utf-8")
    readme.write_text(with_table(text, verdict_table(run)), "utf-8")
