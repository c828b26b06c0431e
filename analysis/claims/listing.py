"""What `just claims` prints: document by document, section by section, in words, 80 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from analysis.claims.run import Finding, Judged, Result, Run
from analysis.claims.show import AS_IF, STYLES, WIDTH, counts_lines, measured, number
from analysis.claims.verdicts import Reading
from warehouse.documents import documents
from warehouse.errors import UsageError
from warehouse.names import meant

INDENT = "    "
NOT_JUDGED = "rehearsed"


def show_listing(run: Run, to: Console, order: Sequence[str], *, as_if_hub: bool = False) -> None:
    """Every statement with its verdict and what was found, then our findings, then the counts of both."""
    place = {item: index for index, item in enumerate(order)}
    for group in dict.fromkeys(source.group for source in documents().values()):
        results = [_of_group(result, group) for result in run.results]
        results = [result for result in results if result.items]
        if results:
            _show_group(group, to)
        for result in sorted(results, key=lambda one: min(place.get(j.item.item, 0) for j in one.items)):
            _show_section(result, to, as_if_hub)
    if run.findings:
        to.print(Text("\nWhat the figures imply, by our own inference", "bold underline"))
    for finding in run.findings:
        _show_finding(finding, to, as_if_hub)
    for broken in run.broken:
        to.print(Text("\nbroken  ", STYLES["broken"]) + Text(f"{broken.name}: {broken.reason}"))
    to.print()
    for line in counts_lines(run):
        said = (AS_IF if as_if_hub else "") + line
        to.print(Text(textwrap.fill(said, WIDTH, subsequent_indent=INDENT)))
    if any(one.verdict == NOT_JUDGED for result in run.results for one in result.items):
        to.print(Text("rehearsed: about released weights, run on others, and not judged"))


def keys_of(name: str) -> set[str]:
    """The document of that name, or those of that group."""
    keys = {key for key, source in documents().items() if name in (key, source.group)}
    if not keys:
        known = dict.fromkeys([*(source.group for source in documents().values()), *documents()])
        raise UsageError(f"no document {name!r}: {meant(name, known)}")
    return keys


def of_documents(run: Run, keys: set[str]) -> Run:
    """What these documents say: of a claim that others make as well, their statements only."""
    groups = {documents()[key].group for key in keys}
    kept = [
        replace(result, items=tuple(one for one in result.items if one.item.group in groups))
        for result in run.results
    ]
    return Run([result for result in kept if result.items], [], run.broken)


def found_words(judged: Judged, note: str = "") -> str:
    """What was found, as a sentence would say it; nothing of what is only rehearsed."""
    if judged.verdict == "untestable":
        return note if "missing" in note else (judged.plain.statement or "cannot be computed")
    parts = []
    if judged.verdict != NOT_JUDGED:
        parts = [_found(reading, len(judged.readings) > 1) for reading in judged.readings]
    return "; ".join(part for part in (*parts, measured(judged.measured)) if part)


def _found(reading: Reading, is_named: bool) -> str:
    name = f"read as {reading.reading}: " if is_named and reading.reading != "plain" else ""
    figure = f"found {number(reading.observed)}"
    if reading.statement is None:
        figure += f", said {number(reading.expected)}"
    if reading.observed is None:
        return name + figure
    return f"{name}{figure}, which {'agrees' if reading.holds else 'does not agree'}"


def _of_group(result: Result, group: str) -> Result:
    return replace(result, items=tuple(one for one in result.items if one.item.group == group))


def _show_group(group: str, to: Console) -> None:
    to.print(Text(f"\n{group}", "bold underline"))
    for source in documents().values():
        if source.group == group:
            to.print(Text(source.name, "dim"))


def _show_section(result: Result, to: Console, as_if_hub: bool) -> None:
    to.print(Text(f"\n{result.claim.section}", "bold") + Text(f"  just claims {result.claim.id}", "dim"))
    if result.note and any(judged.verdict == NOT_JUDGED for judged in result.items):
        to.print(Text(textwrap.fill(result.note, WIDTH), "yellow"))
    for judged in result.items:
        _show_said(judged.verdict, judged.item.statement, to, as_if_hub)
        for line in textwrap.wrap(found_words(judged, result.note), WIDTH - 2 * len(INDENT)):
            to.print(Text(2 * INDENT + line, "dim"))


def _show_finding(finding: Finding, to: Console, as_if_hub: bool) -> None:
    _show_said(finding.verdict, f"{finding.claim.title} ({finding.claim.id})", to, as_if_hub)


def _show_said(verdict: str, statement: str, to: Console, as_if_hub: bool) -> None:
    """The verdict, and the words behind it with the lines below indented."""
    head = (AS_IF if as_if_hub else "") + verdict
    first, *rest = textwrap.wrap(f"{head}: {statement}", WIDTH, subsequent_indent=INDENT)
    to.print(Text(head, STYLES[verdict]) + Text(first.removeprefix(head)))
    for line in rest:
        to.print(Text(line))
