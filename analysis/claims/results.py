"""The results of a run: items with their verdicts, findings, counts, and everything as JSON.

The inventory `sql/documents/items.csv` has one row per statement of the documents:

    item        its id, which begins with the group of its document
    group       whose statement it is
    evidence    as that of the claim that judges it (`claim_file.Evidence`); or `definition`: it follows
                from the definitions and cannot fail, so it is shown and not counted as evidence; or
                `untestable`: nothing here can decide it, whatever else its claim judges
    statement   what the document says, in our words, with its hedges; readers see it beside the verdict
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

from analysis.claims.claim_file import Broken, Claim, Evidence
from warehouse.console.output import counted
from warehouse.documents import ITEMS_CSV, documents, read_rows, short_name
from warehouse.errors import FormatError

if TYPE_CHECKING:  # the ledger imports Arrow, which takes longer than many a claim
    from analysis.claims.ledger import Change

Verdict = Literal[
    "reproduced",
    "depends on the reading",
    "contradicted",
    "figures disagree",
    "by definition",
    "untestable",
    "not judged",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

Shown = Literal["shown", "not shown", "untestable", "not judged"]
SHOWN: tuple[Shown, ...] = get_args(Shown)

NOT_JUDGED: Final = "not judged"
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
        """Nothing could be computed, which counts neither for nor against the statement."""
        return self.observed is None and not self.holds


def judge(readings: Sequence[Reading], evidence: str) -> Verdict:
    """The verdict on an item whose models the lake has; readings that cannot be computed do not count."""
    holding = [reading.holds for reading in readings if not reading.is_undefined]
    if not holding:
        return "untestable"
    if evidence == "definition":
        return "by definition"
    if all(holding):
        return "reproduced"
    if any(holding):
        return "depends on the reading"
    return "figures disagree" if evidence == "printed" else "contradicted"


def judge_finding(readings: Sequence[Reading]) -> Shown:
    if any(reading.is_undefined for reading in readings):
        return "untestable"
    return "shown" if all(reading.holds for reading in readings) else "not shown"


DEFINITION, UNTESTABLE = "definition", "untestable"
EVIDENCES = (*get_args(Evidence), DEFINITION)


@dataclass(frozen=True)
class Item:
    """One statement of one document."""

    item: str
    group: str
    evidence: str
    statement: str


@dataclass(frozen=True)
class Measurement:
    """A published figure of the same quantity from the released weights; it changes no verdict."""

    source: str
    value: float
    agrees: bool
    is_own: bool = False
    """Measured by the party that made the statement."""


@dataclass(frozen=True)
class Judged:
    """One item of a claim with its readings, and the verdict that follows from them."""

    item: Item
    verdict: Verdict
    readings: tuple[Reading, ...]
    measured: tuple[Measurement, ...] = ()

    @property
    def plain(self) -> Reading:
        return self.readings[0]


@dataclass(frozen=True)
class Result:
    """A claim file and its items; `note` says which models are missing and which command brings them."""

    claim: Claim
    items: tuple[Judged, ...]
    note: str = ""

    @property
    def readings(self) -> tuple[Reading, ...]:
        return tuple(reading for judged in self.items for reading in judged.readings)

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many items have each verdict; only verdicts that occur."""
        found = Counter(judged.verdict for judged in self.items)
        return {verdict: found[verdict] for verdict in VERDICTS if found[verdict]}


@dataclass(frozen=True)
class Finding:
    """An inference of ours: shown if all its checks hold."""

    claim: Claim
    verdict: Shown
    readings: tuple[Reading, ...]
    note: str = ""


@dataclass
class Run:
    """The results of claims and findings, and what could not be run."""

    results: list[Result] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    as_if_hub: bool = False
    """Whether statements about released weights are judged on any weights, a development aid."""
    is_synthetic: bool = False
    """Whether synthetic weights are the reason for every `not judged`."""

    @property
    def answered(self) -> list[Result | Finding]:
        """Claims and findings that gave an answer."""
        return [*self.results, *self.findings]


def read_items(path: Path = ITEMS_CSV) -> Mapping[str, Item]:
    """All items by id, in the order of the file; FormatError names a wrong line."""
    found: dict[str, Item] = {}
    for line, row in read_rows(path, tuple(column.name for column in fields(Item))):
        where = f"{path.name} line {line}"
        if empty := [name for name, text in row.items() if not text]:
            raise FormatError(f"{where}: {' and '.join(empty)} is empty; fill it in")
        if row["evidence"] not in EVIDENCES:
            raise FormatError(
                f"{where}: unknown evidence {row['evidence']!r}; use one of {', '.join(EVIDENCES)}"
            )
        if row["item"] in found:
            raise FormatError(f"{where}: item {row['item']} is there twice; keep one")
        found[row["item"]] = Item(**row)
    return found


def selected(run: Run, is_asked: Callable[[str, str, str, str], bool]) -> Run:
    """The run with what is asked for, by claim, item, group and verdict; no claim without items."""
    results = [
        replace(
            one,
            items=tuple(j for j in one.items if is_asked(one.claim.id, j.item.item, j.item.group, j.verdict)),
        )
        for one in run.results
    ]
    findings = [one for one in run.findings if is_asked(one.claim.id, "", one.claim.group, one.verdict)]
    return replace(run, results=[one for one in results if one.items], findings=findings)


def counts(run: Run, kinds: Collection[str] = ("document",)) -> dict[str, int]:
    """Items of documents of those kinds by verdict, every verdict named; `broken` counts files.

    A `document` belongs to the argument; a `method` of others does not, and is counted apart.
    """
    found = Counter(one.verdict for result in run.results for one in result.items if _kind(one) in kinds)
    return {**{verdict: found[verdict] for verdict in VERDICTS}, "broken": len(run.broken)}


def _kind(judged: Judged) -> str:
    """Of the documents of an item's group."""
    return next((one.kind for one in documents().values() if one.group == judged.item.group), "document")


def is_of_a_method(claim: Claim) -> bool:
    """Whether a claim judges methods of others only, which are counted apart."""
    kinds = {documents()[key].kind for key in claim.documents}
    return kinds == {"method"}


def finding_counts(findings: Sequence[Finding]) -> dict[str, int]:
    found = Counter(finding.verdict for finding in findings)
    return {verdict: found[verdict] for verdict in SHOWN}


def counts_lines(run: Run) -> list[str]:
    """One line that counts the documents' items; then methods of others and our findings, if any."""
    methods: dict[str, int] = {verdict: counts(run, ("method",))[verdict] for verdict in VERDICTS}
    claims = [one for one in run.results if not all(_kind(judged) == "method" for judged in one.items)]
    items = sum(len(one.items) for one in claims)
    how_many = f"{counted(items, 'item')} in {counted(len(claims), 'claim')}"
    lines = [f"documents: {how_many}: {_counted(counts(run), run)}"]
    if any(methods.values()):
        lines.append(f"methods of others: {counted(sum(methods.values()), 'item')}: {_counted(methods, run)}")
    if run.findings:
        lines.append(f"our findings: {len(run.findings)}: {_counted(finding_counts(run.findings), run)}")
    return lines


def verdict_words(verdict: str, run: Run) -> str:
    """A verdict as it is shown."""
    return f"{verdict} (synthetic weights)" if verdict == NOT_JUDGED and run.is_synthetic else verdict


def measured(measurements: Sequence[Measurement]) -> str:
    """What others published from the released weights, and whether it agrees with the statement."""
    words = []
    for agrees, verb in ((True, "agree"), (False, "disagree")):
        by_source: dict[str, list[float]] = {}
        for one in measurements:
            if one.agrees == agrees:
                name = short_name(one.source)
                name = name.replace("(outputs)", "(own outputs)") if one.is_own else name
                by_source.setdefault(name, []).append(one.value)
        if by_source:
            figures = ", ".join(f"{source} {_span(values)}" for source, values in by_source.items())
            words.append(f"published measurements {verb} ({figures})")
    return "; ".join(words)


def as_json(run: Run, changes: Sequence[Change] | None, about: Mapping[str, object]) -> dict[str, object]:
    """A run as one JSON object; `about` describes the lake and the run."""
    claims = [
        {
            **_header(result.claim),
            "note": result.note,
            "counts": result.counts,
            "items": [
                {
                    **asdict(judged.item),
                    "verdict": judged.verdict,
                    "readings": _as_rows(judged.readings, judged.verdict),
                    "measured": [asdict(one) for one in judged.measured],
                }
                for judged in result.items
            ],
        }
        for result in run.results
    ]
    findings = [
        {
            **_header(finding.claim),
            "note": finding.note,
            "verdict": finding.verdict,
            "checks": _as_rows(finding.readings, finding.verdict),
        }
        for finding in run.findings
    ]
    told: dict[str, object] = {
        **about,
        "counts": counts(run),
        "method_counts": counts(run, ("method",)),
        "finding_counts": finding_counts(run.findings),
        "claims": claims,
        "findings": findings,
        "broken": [asdict(claim) for claim in run.broken],
    }
    if changes is not None:
        told["changes"] = [asdict(change) for change in changes]
    return told


def _as_rows(readings: Sequence[Reading], verdict: str) -> list[dict[str, object]]:
    """`holds` is null where nothing is judged or could be computed."""
    return [
        {**asdict(one), "holds": None if verdict == NOT_JUDGED or one.is_undefined else one.holds}
        for one in readings
    ]


def _counted(amounts: dict[str, int], run: Run) -> str:
    found = [f"{count} {verdict_words(verdict, run)}" for verdict, count in amounts.items() if count]
    return ", ".join(found) or "none"


def _span(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"


def _header(claim: Claim) -> dict[str, object]:
    return {**asdict(claim), "sha256": claim.sha256}
