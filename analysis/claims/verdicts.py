"""The verdict of an item, from how its readings fared. A claim file has none of its own.

    reproduced                every reading holds
    depends on the reading    some hold, some do not
    contradicted              none holds, and weights, trained models or mathematics say so
    documents disagree        none holds, because printed figures cannot all be right; nobody is named wrong
    by definition             it follows from the definitions and cannot fail; no evidence for anything
    untestable                a model is missing, or no reading can be computed
    rehearsed                 about released weights, run on others: shown, not judged

A finding of ours is `shown` when every check holds, else `not shown`; or untestable or rehearsed likewise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Verdict = Literal[
    "reproduced",
    "depends on the reading",
    "contradicted",
    "documents disagree",
    "by definition",
    "untestable",
    "rehearsed",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

Shown = Literal["shown", "not shown", "untestable", "rehearsed"]
SHOWN: tuple[Shown, ...] = get_args(Shown)

PLAIN = "plain"
"""The reading that the author most likely meant, hedges included."""


@dataclass(frozen=True)
class Reading:
    """One row of an answer: an item under one reading; `miss` is |observed - expected| in tolerances."""

    item: str
    reading: str
    statement: str | None
    expected: float | None
    tolerance: float | None
    observed: float | None
    holds: bool
    miss: float | None

    @property
    def is_undefined(self) -> bool:
        """Nothing could be computed, which is no evidence against anybody."""
        return self.observed is None and not self.holds


def judge(readings: Sequence[Reading], evidence: str) -> Verdict:
    """Of an item whose models are there; readings that cannot be computed are left aside."""
    holding = [reading.holds for reading in readings if not reading.is_undefined]
    if not holding:
        return "untestable"
    if evidence == "definition":
        return "by definition"
    if all(holding):
        return "reproduced"
    if any(holding):
        return "depends on the reading"
    return "documents disagree" if evidence == "printed" else "contradicted"


def judge_finding(readings: Sequence[Reading]) -> Shown:
    if any(reading.is_undefined for reading in readings):
        return "untestable"
    return "shown" if all(reading.holds for reading in readings) else "not shown"
