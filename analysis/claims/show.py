"""What the terminal shows of a run: a table of verdicts, one claim in full, JSON, or what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.claims.claim_file import Broken
from analysis.claims.ledger import Change
from analysis.claims.run import VERDICTS, Check, Result
from analysis.json_text import json_text

STYLES = {"reproduced": "green", "contradicted": "red", "untestable": "yellow", "rehearsed": "cyan"}
PIPED_WIDTH = 200


def console(file: TextIO) -> Console:
    """Wide when it is no terminal, so that nothing is folded in a file."""
    return Console(file=file, width=None if file.isatty() else PIPED_WIDTH, highlight=False)


def show_table(results: Sequence[Result], broken: Sequence[Broken], to: Console) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("verdict", "claim", "document, section"):
        table.add_column(heading, overflow="fold")
    table.add_column("hold", justify="right")
    table.add_column("worst miss", overflow="fold")
    for result in results:
        table.add_row(
            Text(result.verdict, STYLES[result.verdict]),
            Text(result.claim.id),
            Text(_where(result)),
            f"{result.holding}/{len(result.checks)}",
            Text(result.note or (describe(result.worst) if result.worst else "")),
        )
    for claim in broken:
        table.add_row(Text("broken", "bold red"), Text(claim.name), "", "", Text(claim.reason))
    to.print(table)
    to.print(Text(counts_line(results, broken)))


def show_claim(result: Result, to: Console) -> None:
    """Everything about one claim: words, checks, query."""
    claim = result.claim
    to.print(Text(f"{claim.id}  v{claim.version}  {claim.evidence}", "bold"))
    to.print(Text(claim.title))
    to.print(Text(_where(result), "dim"))
    if claim.reading:
        to.print(Text(f"Reading: {claim.reading}"))
    for line in claim.history:
        to.print(Text(f"History: {line}", "dim"))
    verdict = Text(f"Verdict: {result.verdict}", STYLES[result.verdict])
    to.print(verdict + Text(f", {result.holding} of {len(result.checks)} checks hold" + _dash(result.note)))
    table = Table(box=None, pad_edge=False, header_style="bold")
    qualitative = any(check.statement for check in result.checks)
    for heading in ("item", "statement") if qualitative else ("item", "expected"):
        table.add_column(heading, overflow="fold")
    for heading in ("observed", "holds"):
        table.add_column(heading)
    for check in result.checks:
        said = check.statement or f"{number(check.expected)} ± {number(check.tolerance)}"
        table.add_row(
            Text(check.item),
            Text(said),
            number(check.observed),
            Text("yes", "green") if check.holds else Text("no", "red"),
        )
    to.print(table)
    to.print(Text(f"\n{claim.query}\n", "dim"), soft_wrap=True)


def show_changes(changes: Sequence[Change], before: int, after: int, to: Console) -> None:
    if not changes:
        to.print(Text(f"nothing changed between run {before} and run {after}"))
        return
    table = Table(
        "claim", "item", "verdict", "observed", "moved", box=None, pad_edge=False, header_style="bold"
    )
    for change in changes:
        verdicts = (change.verdict_before or "–", change.verdict_after or "–")
        table.add_row(
            Text(change.claim),
            Text(change.item),
            Text(verdicts[0] if verdicts[0] == verdicts[1] else " → ".join(verdicts)),
            Text(f"{number(change.observed_before)} → {number(change.observed_after)}"),
            Text(change.moved),
        )
    to.print(table)
    to.print(Text(f"{len(changes)} checks differ between run {before} and run {after}"))


def as_json(
    results: Sequence[Result],
    broken: Sequence[Broken],
    changes: Sequence[Change] | None,
    about: Mapping[str, object],
) -> str:
    """One object: what `about` says of lake and run, counts, claims with their checks, broken, changes.

    A miss without bound, of a figure that allows no tolerance, is null like one of an undefined figure; which
    of the two it is shows in `observed`.
    """
    claims = [
        {
            **{name: value for name, value in asdict(result.claim).items() if name != "query"},
            "verdict": result.verdict,
            "note": result.note,
            "holding": result.holding,
            "checks": [asdict(check) for check in result.checks],
            "sha256": result.claim.sha256,
            "query": result.claim.query,
        }
        for result in results
    ]
    told = {
        **about,
        "counts": counts(results, broken),
        "claims": claims,
        "broken": [asdict(claim) for claim in broken],
    }
    if changes is not None:
        told["changes"] = [asdict(change) for change in changes]
    return json_text(told, indent=2)


def counts(results: Sequence[Result], broken: Sequence[Broken]) -> dict[str, int]:
    """Claims by verdict, every verdict named; `broken` last."""
    found = Counter(result.verdict for result in results)
    return {**{verdict: found[verdict] for verdict in VERDICTS}, "broken": len(broken)}


def counts_line(results: Sequence[Result], broken: Sequence[Broken]) -> str:
    parts = [f"{count} {verdict}" for verdict, count in counts(results, broken).items() if count]
    checks = sum(len(result.checks) for result in results)
    return f"{len(results) + len(broken)} claims, {checks} checks: {', '.join(parts) or 'none'}"


def describe(check: Check) -> str:
    """The item and how far off it is."""
    if check.statement is not None:
        return f"{check.item}: {number(check.observed)}"
    return f"{check.item}: {number(check.observed)} for {number(check.expected)}"


def number(value: float | None) -> str:
    """Six digits are enough to see a miss; NULL is undefined, never 0."""
    return "undefined" if value is None else f"{value:.6g}"


def _where(result: Result) -> str:
    return f"{', '.join(result.claim.documents) or 'normhouse'}: {result.claim.section}"


def _dash(note: str) -> str:
    return f"; {note}" if note else ""
