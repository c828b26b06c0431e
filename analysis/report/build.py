"""`build_report`: runs the claims, draws the figures, has the pages written."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from analysis.claims import ledger
from analysis.claims.claim_file import Broken
from analysis.claims.lock import read_locked
from analysis.claims.results import Result, counts, counts_lines
from analysis.claims.run import run_files
from analysis.figures.catalogue import FIGURES
from analysis.figures.draw import draw_all
from analysis.figures.figure import Figure
from analysis.figures.sources import open_sources
from analysis.rendering import Renderer, worker_processes
from analysis.report.main_page import answer_figures
from analysis.report.page import make_folder, vega_bundle
from analysis.report.pages import FIGURE_FOLDER, Entry, Made, write_pages
from analysis.report.sections import rendered
from analysis.rows import about_lake
from warehouse.catalog.definitions import SQL, read_query
from warehouse.console.progress import Progress
from warehouse.lake import Lake


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


def build_report(
    lake: Lake,
    out: Path,
    progress: Progress,
    figures: Iterable[Figure] | None = None,
    sql: Path = SQL,
    address: str = "",
) -> Summary:
    """Writes the report of a lake into the folder `out`; by default with all figures and claims.

    `address` is the folder's address on the web, for link previews.
    """
    began = time.monotonic()
    make_folder(out)
    chosen = list(FIGURES.values() if figures is None else figures)
    files = read_locked(sql)
    with (
        open_sources(lake, chosen, trained=True) as sources,
        Renderer() as renderer,
        worker_processes(1) as section_worker,
    ):
        connection = sources.at_hand
        bundle = vega_bundle(out, renderer)
        # Lineage takes as long as all else, and waits for nothing.
        sections = section_worker.submit(rendered, lake)
        progress.say(f"running {len(files.claims)} claims")
        run = run_files(connection, files, sources.trained)
        about = about_lake(connection)
        number = ledger.append(lake, run, fingerprint=str(about["fingerprint"]))
        shown = draw_all(chosen, sources, out / FIGURE_FOLDER, renderer, progress)
        entries = _entries(connection, run.results, chosen)
        figures_of_answer = answer_figures(connection)
    progress.say("writing the pages")
    made = Made(
        about=about,
        run=run,
        number=number,
        written=datetime.now(UTC).replace(microsecond=0),
        shown=shown,
        entries=entries,
        sections=sections.result(),
        answer=figures_of_answer,
        address=address,
    )
    page = write_pages(out, made, bundle.result())
    notes = {one.figure.name: one.note for one in shown if one.note}
    return Summary(
        page,
        counts(run),
        counts_lines(run),
        len(shown) - len(notes),
        notes,
        run.broken,
        seconds=time.monotonic() - began,
    )


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
