"""`build_report`: runs the claims, draws the figures, writes `index.html` and files beside it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from analysis.claims import ledger
from analysis.claims.claim_file import CLAIMS, FINDINGS, Broken, read_claims, read_findings
from analysis.claims.items import read_items
from analysis.claims.run import Result, run_claims
from analysis.claims.show import counts, counts_lines, finding_counts
from analysis.claims.verdicts import VERDICTS
from analysis.figures.catalogue import FIGURES
from analysis.figures.figure import Figure
from analysis.figures.sources import open_sources
from analysis.processes import worker_processes
from analysis.rendering import Renderer
from analysis.report.charts import Shown, draw_all
from analysis.report.headlines import headlines
from analysis.report.page import make_folder, render, vega_bundle, write
from analysis.report.sections import rendered
from analysis.rows import about_lake
from warehouse import VERSION
from warehouse.definitions import SQL, read_query
from warehouse.documents import ITEMS_CSV, OWN_GROUP, group_of
from warehouse.lake import Lake
from warehouse.talk import Talk

FIGURE_FOLDER = "figures"

# Of the figures, by the group of the documents that show them; what no document shows comes last.
HEADINGS = {
    "sionic": "sionic: the earlier accusation, revisited by its own authors",
    "hyunwoong": "hyunwoong: Solar, GLM and Phi by seven metrics",
    "critique": "critique: the baseline of the accusation",
    OWN_GROUP: "What none of the documents shows",
}


@dataclass(frozen=True)
class Summary:
    """What a report came to."""

    path: Path
    counts: dict[str, int]
    lines: list[str]
    """Verdicts in words: the documents' items, our findings."""
    drawn: int
    left_out: dict[str, str]
    """Figures with a note in their place, and the note."""
    broken: list[Broken]
    seconds: float


@dataclass(frozen=True)
class Entry:
    """A claim in the ledger of the page."""

    result: Result
    models: tuple[str, ...]
    figures: list[Figure] = field(default_factory=list)


def build_report(
    lake: Lake, out: Path, talk: Talk, figures: Iterable[Figure] | None = None, sql: Path = SQL
) -> Summary:
    """Writes the report of a lake into the folder `out`; by default with all figures and claims."""
    began = time.monotonic()
    make_folder(out)
    chosen = list(FIGURES.values() if figures is None else figures)
    readable, unreadable = read_claims(sql / CLAIMS.name)
    findings, unreadable_findings = read_findings(sql / FINDINGS.name)
    items = read_items(sql / ITEMS_CSV.relative_to(SQL))
    with (
        open_sources(lake, chosen, trained=True) as sources,
        Renderer() as renderer,
        worker_processes(1) as section_worker,
    ):
        connection = sources.at_hand
        bundle = vega_bundle(out, renderer)
        # Lineage takes as long as all else, and waits for nothing.
        sections = section_worker.submit(rendered, lake)
        talk.say(f"running {len(readable)} claims")
        run = run_claims(connection, readable, sources.trained, findings=findings, items=items)
        run.broken += unreadable + unreadable_findings
        about = about_lake(connection)
        number = ledger.append(lake, run, fingerprint=str(about["fingerprint"]))
        shown = draw_all(chosen, sources, out / FIGURE_FOLDER, renderer, talk)
        entries = _entries(connection, run.results, chosen)
    talk.say("writing the page")
    verdicts = counts(run)
    values = {
        "about": about,
        "run": number,
        "written": datetime.now(UTC).replace(microsecond=0),
        "version": VERSION,
        "headlines": headlines(run),
        "counts": verdicts,
        "entries": entries,
        "broken": run.broken,
        "findings": run.findings,
        "finding_counts": finding_counts(run.findings),
        "verdicts": VERDICTS,
        "models": sorted({model for entry in entries for model in entry.models}),
        "groups": _grouped(shown),
        "results": {one.claim.id: one for one in run.answered},
        "sections": sections.result(),
    }
    page = out / "index.html"
    write(page, render("report.html", bundle.result(), values))
    notes = {one.figure.name: one.note for one in shown if one.note}
    return Summary(
        page,
        verdicts,
        counts_lines(run),
        len(shown) - len(notes),
        notes,
        run.broken,
        seconds=time.monotonic() - began,
    )


def _grouped(shown: Iterable[Shown]) -> list[tuple[str, str, list[Shown]]]:
    """Key, heading and figures of each group that has any."""
    by_group: dict[str, list[Shown]] = {key: [] for key in HEADINGS}
    for one in shown:
        by_group[group_of(one.figure.documents)].append(one)
    return [(key, HEADINGS[key], found) for key, found in by_group.items() if found]


def _entries(
    connection: duckdb.DuckDBPyConnection, results: Iterable[Result], figures: Iterable[Figure]
) -> list[Entry]:
    printed_models = dict(connection.execute(read_query("judging/models_of_items")).fetchall())
    shown: dict[str, list[Figure]] = {}
    for figure in figures:
        for claim in figure.claims:
            shown.setdefault(claim, []).append(figure)
    entries = []
    for result in results:
        items = [judged.item.item for judged in result.items]
        models = {*result.claim.needs, *(model for item in items for model in printed_models.get(item, []))}
        entries.append(Entry(result, tuple(sorted(models)), shown.get(result.claim.id, [])))
    return entries
