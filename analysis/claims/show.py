"""What the terminal shows of a run, in 80 columns: summary, list, one claim in full, or changes."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.claims.headlines import Headline
from analysis.claims.ledger import Change
from analysis.claims.results import (
    NOT_JUDGED,
    Finding,
    Judged,
    Reading,
    Result,
    Run,
    counts_lines,
    measured,
    verdict_words,
)
from warehouse.documents import documents
from warehouse.errors import plain

STYLES = {
    "reproduced": "green",
    "depends on the reading": "blue",
    "contradicted": "red",
    "figures disagree": "magenta",
    "by definition": "dim",
    "untestable": "yellow",
    "not judged": "cyan",
    "shown": "green",
    "not shown": "yellow",
    "broken": "bold red",
}
WIDTH = 80
INDENT = "    "
FAILED = ("contradicted", "figures disagree")
MOST_FAILED = 7  # statements of the summary that do not hold


def console(file: TextIO) -> Console:
    """Equally wide on a terminal and in a file."""
    return Console(file=file, width=WIDTH, highlight=False)


def show_summary(run: Run, lines: Sequence[Headline], to: Console) -> None:
    """About one screen: the counts, the first headlines, and what does not hold."""
    _show_counts(run, to)
    first = [line for line in lines if line.planned.is_first]
    _show_headlines(first, run, to)
    if len(lines) > len(first):
        to.print(Text(f"and {len(lines) - len(first)} more: `--all`"))
    if failed := _failed(run):
        to.print(Text("\nWhat does not hold", "bold"))
    for verdict, statement in failed[:MOST_FAILED]:
        _show_said(verdict, statement, run, to)
    if len(failed) > MOST_FAILED:
        more = f"and {len(failed) - MOST_FAILED} more"
        to.print(Text(f"{more}: `--verdict contradicted` or `figures-disagree`"))
    _show_broken(run, to)
    to.print(Text("\nMore: --all, --document NAME, --verdict NAME, or the id of a claim or item", "dim"))


def _failed(run: Run) -> list[tuple[str, str]]:
    """Verdict and words of all that does not hold, the groups of documents in turn, so that none is first."""
    found: list[tuple[int, str, str]] = []
    turns: Counter[str] = Counter()
    for judged in (one for result in run.results for one in result.items):
        if judged.verdict in FAILED:
            group = judged.item.group
            found.append((turns[group], judged.verdict, f"{group}: {judged.item.statement}"))
            turns[group] += 1
    found.sort(key=lambda one: one[0])
    failed = [(verdict, words) for _, verdict, words in found]
    return failed + [(one.verdict, one.claim.title) for one in run.findings if one.verdict == "not shown"]


def show_listing(run: Run, lines: Sequence[Headline], to: Console, order: Sequence[str]) -> None:
    """The headlines, every statement with what was found, then our findings, then the counts of both."""
    _show_headlines(lines, run, to)
    place = {item: index for index, item in enumerate(order)}
    for group in dict.fromkeys(source.group for source in documents().values()):
        results = [
            replace(one, items=tuple(judged for judged in one.items if judged.item.group == group))
            for one in run.results
            if any(judged.item.group == group for judged in one.items)
        ]
        if results:
            to.print(Text(f"\n{group}", "bold underline"))
        for source in documents().values():
            if results and source.group == group:
                to.print(Text(source.name, "dim"))
        for result in sorted(results, key=lambda one: min(place.get(j.item.item, 0) for j in one.items)):
            _show_section(result, run, to)
    if run.findings:
        to.print(Text("\nWhat the figures imply, by our own inference", "bold underline"))
    for finding in run.findings:
        _show_said(finding.verdict, f"{finding.claim.title} ({finding.claim.id})", run, to)
    _show_broken(run, to)
    to.print()
    _show_counts(run, to)


def show_in_full(one: Result | Finding, run: Run, to: Console) -> None:
    """Everything about one claim or finding: verdicts and readings, how words were read, query."""
    claim = one.claim
    to.print(Text(f"{claim.id}  v{claim.version}  {claim.evidence}", "bold"))
    to.print(Text(claim.title))
    to.print(Text(f"{', '.join(claim.documents) or 'normhouse'}: {claim.section}", "dim"))
    if isinstance(one, Finding):
        to.print(_verdict(one.verdict, run) + _text(f"; {one.note}" if one.note else ""))
        _show_readings(one.readings, one.verdict, to, first="check")
    else:
        _show_items(one, run, to)
    if claim.reading:
        to.print(Text(f"Reading: {claim.reading}"))
    for line in claim.history:
        to.print(Text(f"History: {line}", "dim"))
    to.print(Text(f"\n{claim.query}\n", "dim"), soft_wrap=True)


def _show_items(result: Result, run: Run, to: Console) -> None:
    if result.note:
        to.print(_text(result.note, "yellow"))
    for judged in result.items:
        line = _verdict(judged.verdict, run) + _text(f"  {judged.item.statement}")
        to.print(line + Text(f"  {judged.item.item}", "dim"))
        _show_readings(judged.readings, judged.verdict, to, first="reading")
        if judged.measured:
            to.print(_text(f"  {measured(judged.measured)}"))


def show_changes(changes: Sequence[Change], before: str, after: str, to: Console) -> None:
    if not changes:
        to.print(Text(f"nothing changed between {before} and {after}"))
        return
    for change in changes:
        verdicts = (change.verdict_before or "–", change.verdict_after or "–")
        to.print(Text(f"{change.item}, {change.reading} reading", "bold") + Text(f"  {change.claim}", "dim"))
        verdict = verdicts[0] if verdicts[0] == verdicts[1] else " → ".join(verdicts)
        figures = f"{number(change.observed_before)} → {number(change.observed_after)}"
        to.print(Text(f"    {verdict}; {figures}; moved: {change.moved}"))
    to.print(Text(f"{len(changes)} readings differ between {before} and {after}"))


def found_words(judged: Judged, note: str = "") -> str:
    """What was found, in words; without figures if nothing is judged."""
    if judged.verdict == "untestable":
        return note if "missing" in note else (judged.plain.statement or "cannot be computed")
    parts = []
    if judged.verdict != NOT_JUDGED:
        parts = [_found(reading, len(judged.readings) > 1) for reading in judged.readings]
    return "; ".join(part for part in (*parts, measured(judged.measured)) if part)


def said(reading: Reading) -> str:
    return reading.statement or f"{number(reading.expected)} ± {number(reading.tolerance)}"


def number(value: float | None) -> str:
    """Six digits; NULL is undefined, never 0."""
    return "undefined" if value is None else f"{value:.6g}"


def _show_counts(run: Run, to: Console) -> None:
    for line in counts_lines(run):
        to.print(Text(textwrap.fill(_as_if(run) + line, WIDTH, subsequent_indent=INDENT)))


def _show_headlines(lines: Sequence[Headline], run: Run, to: Console) -> None:
    if lines:
        to.print(Text("\nHeadlines", "bold"))
    for line in lines:
        _show_said(line.verdict, f"{line.planned.by} {line.planned.said}", run, to)


def _show_broken(run: Run, to: Console) -> None:
    for broken in run.broken:
        to.print(Text("\nbroken  ", STYLES["broken"]) + _text(f"{broken.name}: {broken.reason}"))


def _show_section(result: Result, run: Run, to: Console) -> None:
    to.print(Text(f"\n{result.claim.section}", "bold") + Text(f"  just claims {result.claim.id}", "dim"))
    if result.note and any(judged.verdict == NOT_JUDGED for judged in result.items):
        to.print(Text(textwrap.fill(_plain(result.note), WIDTH), "yellow"))
    for judged in result.items:
        _show_said(judged.verdict, judged.item.statement, run, to)
        for line in textwrap.wrap(_plain(found_words(judged, result.note)), WIDTH - 2 * len(INDENT)):
            to.print(Text(2 * INDENT + line, "dim"))


def _show_said(verdict: str, statement: str, run: Run, to: Console) -> None:
    """The verdict and a statement, with further lines indented."""
    head = _as_if(run) + verdict
    first, *rest = textwrap.wrap(f"{head}: {_plain(statement)}", WIDTH, subsequent_indent=INDENT)
    to.print(Text(head, STYLES[verdict]) + Text(first.removeprefix(head)))
    for line in rest:
        to.print(Text(line))


def _found(reading: Reading, is_named: bool) -> str:
    name = f"read as {reading.reading}: " if is_named and reading.reading != "plain" else ""
    figure = number(reading.observed)
    if reading.statement is not None:
        answer = "undefined" if reading.observed is None else f"{_yes(reading.holds)}, found {figure}"
        return f"{name}asked whether {reading.statement}: {answer}"
    figure = f"found {figure}, said {number(reading.expected)}"
    if reading.observed is None:
        return name + figure
    return f"{name}{figure}, which {'agrees' if reading.holds else 'does not agree'}"


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _show_readings(readings: Sequence[Reading], verdict: str, to: Console, *, first: str) -> None:
    """Of what is not judged only what the weights of this lake gave, without saying whether it holds."""
    is_judged = verdict != NOT_JUDGED
    table = Table(box=None, pad_edge=False, header_style="bold")
    indent = "  " if first == "reading" else ""
    for heading in (indent + first, "expected", *(("observed", "holds") if is_judged else ("on this lake",))):
        table.add_column(heading, overflow="fold")
    for reading in readings:
        holds = Text("yes", "green") if reading.holds else Text("no", "red")
        row = (_text(indent + (reading.reading if indent else reading.item)), _text(said(reading)))
        cells = [holds if not reading.is_undefined else Text("–")] if is_judged else []
        table.add_row(*row, number(reading.observed), *cells)
    to.print(table)


def _verdict(verdict: str, run: Run) -> Text:
    return Text(_as_if(run) + verdict_words(verdict, run), STYLES[verdict])


def _as_if(run: Run) -> str:
    return "as if from the hub: " if run.as_if_hub else ""


def _text(text: str, style: str = "") -> Text:
    return Text(_plain(text), style)


def _plain(text: str) -> str:
    """A text that may quote a lake: nothing in it may control the terminal or begin a line."""
    return plain(text, len(text))
