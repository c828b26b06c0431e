"""What the terminal shows of a run: one claim in full, what changed, and the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.claims.claim_file import Claim
from analysis.claims.ledger import Change
from analysis.claims.run import Finding, Measurement, Result, Run
from analysis.claims.verdicts import SHOWN, VERDICTS, Reading
from warehouse.documents import short_name

STYLES = {
    "reproduced": "green",
    "depends on the reading": "blue",
    "contradicted": "red",
    "documents disagree": "magenta",
    "by definition": "dim",
    "untestable": "yellow",
    "rehearsed": "cyan",
    "shown": "green",
    "not shown": "yellow",
    "broken": "bold red",
}
WIDTH = 80
AS_IF = "as if from the hub: "


def console(file: TextIO) -> Console:
    """As wide on a terminal as in a file, so that both read the same."""
    return Console(file=file, width=WIDTH, highlight=False)


def show_claim(result: Result, to: Console, *, as_if_hub: bool = False) -> None:
    """Everything about one claim: words, items with their readings, query."""
    _show_header(result.claim, to)
    if result.note:
        to.print(Text(result.note, "yellow"))
    for judged in result.items:
        line = _verdict(judged.verdict, as_if_hub) + Text(f"  {judged.item.statement}")
        to.print(line + Text(f"  {judged.item.item}", "dim"))
        _show_readings(judged.readings, to, named=False, is_judged=judged.verdict != "rehearsed")
    to.print(Text(f"\n{result.claim.query}\n", "dim"), soft_wrap=True)


def show_finding(finding: Finding, to: Console, *, as_if_hub: bool = False) -> None:
    _show_header(finding.claim, to)
    to.print(_verdict(finding.verdict, as_if_hub) + Text(f"; {finding.note}" if finding.note else ""))
    _show_readings(finding.readings, to, named=True, is_judged=finding.verdict != "rehearsed")
    to.print(Text(f"\n{finding.claim.query}\n", "dim"), soft_wrap=True)


def show_changes(changes: Sequence[Change], before: int, after: int, to: Console) -> None:
    if not changes:
        to.print(Text(f"nothing changed between run {before} and run {after}"))
        return
    for change in changes:
        verdicts = (change.verdict_before or "–", change.verdict_after or "–")
        to.print(Text(f"{change.item}, {change.reading} reading", "bold") + Text(f"  {change.claim}", "dim"))
        verdict = verdicts[0] if verdicts[0] == verdicts[1] else " → ".join(verdicts)
        figures = f"{number(change.observed_before)} → {number(change.observed_after)}"
        to.print(Text(f"    {verdict}; {figures}; moved: {change.moved}"))
    to.print(Text(f"{len(changes)} readings differ between run {before} and run {after}"))


def counts(run: Run) -> dict[str, int]:
    """Items of the documents by verdict, every verdict named; `broken` counts files."""
    found = Counter(judged.verdict for result in run.results for judged in result.items)
    return {**{verdict: found[verdict] for verdict in VERDICTS}, "broken": len(run.broken)}


def finding_counts(findings: Sequence[Finding]) -> dict[str, int]:
    found = Counter(finding.verdict for finding in findings)
    return {verdict: found[verdict] for verdict in SHOWN}


def counts_lines(run: Run) -> list[str]:
    """The documents' items and our findings, each counted by itself."""
    items = sum(len(result.items) for result in run.results)
    lines = [f"documents: {items} items in {len(run.results)} claims: {_counted(counts(run))}"]
    if run.findings:
        lines.append(f"our findings: {len(run.findings)}: {_counted(finding_counts(run.findings))}")
    return lines


def measured(measurements: Sequence[Measurement]) -> str:
    """What others published from the released weights, and whether it agrees with what is said."""
    words = []
    for agrees, verb in ((True, "agree"), (False, "disagree")):
        by_source: dict[str, list[float]] = {}
        for one in measurements:
            if one.agrees == agrees:
                by_source.setdefault(short_name(one.source), []).append(one.value)
        if by_source:
            figures = ", ".join(f"{source} {_span(values)}" for source, values in by_source.items())
            words.append(f"published measurements {verb} ({figures})")
    return "; ".join(words)


def _span(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"


def said(reading: Reading) -> str:
    return reading.statement or f"{number(reading.expected)} ± {number(reading.tolerance)}"


def number(value: float | None) -> str:
    """Six digits are enough to see a miss; NULL is undefined, never 0."""
    return "undefined" if value is None else f"{value:.6g}"


def _counted(amounts: dict[str, int]) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in amounts.items() if count) or "none"


def _show_header(claim: Claim, to: Console) -> None:
    to.print(Text(f"{claim.id}  v{claim.version}  {claim.evidence}", "bold"))
    to.print(Text(claim.title))
    to.print(Text(f"{', '.join(claim.documents) or 'normhouse'}: {claim.section}", "dim"))
    if claim.reading:
        to.print(Text(f"Reading: {claim.reading}"))
    for line in claim.history:
        to.print(Text(f"History: {line}", "dim"))


def _show_readings(readings: Sequence[Reading], to: Console, *, named: bool, is_judged: bool) -> None:
    """Of what is only rehearsed, what the weights at hand gave, without a word on whether that holds."""
    observed = ("observed", "holds") if is_judged else ("on this lake",)
    table = _table("check" if named else "  reading", "expected", *observed)
    for reading in readings:
        holds = Text("yes", "green") if reading.holds else Text("no", "red")
        table.add_row(
            Text(reading.item if named else f"  {reading.reading}"),
            Text(said(reading)),
            number(reading.observed),
            *([holds] if is_judged else []),
        )
    to.print(table)


def _verdict(verdict: str, as_if_hub: bool = False) -> Text:
    return Text((AS_IF if as_if_hub else "") + verdict, STYLES[verdict])


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
