"""The headline verdicts: what was said and what holds, from `headlines.toml` and the claims' results."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.claims.run import Check, Result, Verdict
from warehouse.documents import HEADLINES


@dataclass(frozen=True)
class Headline:
    """One line: a sentence of the argument, its verdict, what was observed, and the claims behind it."""

    said: str
    verdict: Verdict
    found: str
    claims: tuple[str, ...]


@dataclass(frozen=True)
class Planned:
    """A line as `headlines.toml` has it."""

    said: str
    found: str
    checks: tuple[str, ...] = ()
    claim: str = ""


class Observed(float):
    """A figure that prints as asked, or as undefined: never as 0 or nan."""

    def __new__(cls, value: float | None) -> Observed:
        return super().__new__(cls, float("nan") if value is None else value)

    def __format__(self, form: str) -> str:
        return super().__format__(form or ".4g") if self == self else "undefined"


def planned(file: Path = HEADLINES) -> list[Planned]:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))["headline"]
    return [Planned(**{**table, "checks": tuple(table.get("checks", ()))}) for table in tables]


def headlines(results: Iterable[Result], lines: Sequence[Planned] | None = None) -> list[Headline]:
    """The lines with their verdicts, in order; one whose claim gave no result is untestable."""
    by_claim = {result.claim.id: result for result in results}
    owner = {check.item: result for result in by_claim.values() for check in result.checks}
    return [_judged(line, by_claim, owner) for line in (planned() if lines is None else lines)]


def _judged(line: Planned, by_claim: dict[str, Result], owner: dict[str, Result]) -> Headline:
    asked = [by_claim.get(line.claim)] if line.claim else [owner.get(item) for item in line.checks]
    deciding = list(dict.fromkeys(result for result in asked if result))
    if len(deciding) == 0 or None in asked:
        missing = line.claim or ", ".join(item for item in line.checks if item not in owner)
        return Headline(line.said, "untestable", f"{missing} gave no result.", ())
    claims = tuple(result.claim.id for result in deciding)
    for result in deciding:
        if result.verdict == "untestable":
            return Headline(line.said, "untestable", f"{result.note}.", claims)
    named = {check.item: check for result in deciding for check in result.checks}
    shown = [named[item] for item in line.checks if item in named]
    counted = [check for result in deciding for check in result.checks] if line.claim else shown
    return Headline(line.said, _verdict(deciding, counted), _found(line.found, shown, counted), claims)


def _verdict(deciding: Sequence[Result], counted: Sequence[Check]) -> Verdict:
    """Rehearsed if anything was; else what the counted checks say."""
    if any(result.verdict == "rehearsed" for result in deciding):
        return "rehearsed"
    return "reproduced" if all(check.holds for check in counted) else "contradicted"


def _found(text: str, shown: Sequence[Check], counted: Sequence[Check]) -> str:
    holding = sum(check.holds for check in counted)
    return text.format(*(Observed(check.observed) for check in shown), holding=holding, total=len(counted))
