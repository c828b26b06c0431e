"""`just report`: runs the claims, draws the figures and has the pages written."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from analysis.claims import ledger
from analysis.claims.claim_file import Broken
from analysis.claims.lock import read_locked
from analysis.claims.results import Result, counts, counts_lines, is_of_a_method
from analysis.claims.run import run_files
from analysis.figures.catalogue import FIGURES
from analysis.figures.draw import draw_all
from analysis.figures.figure import Figure
from analysis.figures.sources import open_sources
from analysis.lakes import announce
from analysis.rendering import Renderer, worker_processes
from analysis.report.page import make_folder, vega_bundle
from analysis.report.pages import FIGURE_FOLDER, Entry, Made, write_pages
from analysis.report.sections import rendered
from analysis.rows import about_lake, fetch_dicts
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import SQL, read_query
from warehouse.console.output import counted, exclusive_output, remark, show
from warehouse.console.progress import Progress
from warehouse.integrity.damage import refuse_damaged
from warehouse.lake import Lake, existing_lake

FEW = 3  # undrawn figures that are named one by one


@dataclass(frozen=True)
class Summary:
    """The result of a report."""

    path: Path
    counts: dict[str, int]
    lines: list[str]
    """Verdicts in words: the documents' items, our findings."""
    drawn: int
    left_out: dict[str, str]
    """Figures with a note in their place, and the note."""
    broken: list[Broken]
    seconds: float


def main(options: argparse.Namespace) -> int:
    """0 when every claim could be run, whatever its verdict; 1 when one is broken."""
    lake = existing_lake(options.lake)
    refuse_damaged(lake)
    with open_catalog(lake) as connection:
        announce(connection, lake)
    with exclusive_output(options.out), Progress(quiet=options.quiet) as progress:
        summary = build_report(lake, options.out, progress, address=options.address.rstrip("/"))
    if len(summary.left_out) > FEW:
        remark(f"{len(summary.left_out)} figures are not drawn: in their places the pages say why")
    else:
        remark(*summary.left_out.values())
    remark(*(f"broken: {claim.name}: {claim.reason}" for claim in summary.broken))
    show(*summary.lines)
    show(f"{counted(summary.drawn, 'figure')} in {summary.seconds:.0f} s")
    show(summary.path.resolve().as_uri())
    return 1 if summary.broken else 0


def build_report(
    lake: Lake,
    out: Path,
    progress: Progress,
    figures: Iterable[Figure] | None = None,
    sql: Path = SQL,
    address: str = "",
) -> Summary:
    """Write the report of a lake into the folder `out`, by default with all figures and claims.

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
        # Lineage takes as long as the rest and needs none of it, so it runs beside it.
        sections = section_worker.submit(rendered, lake)
        of_methods = sum(is_of_a_method(claim) for claim in files.claims)
        argued = counted(len(files.claims) - of_methods, "claim")
        progress.say(f"running {argued} on the documents and {of_methods:,} on methods of others")
        run = run_files(connection, files, sources.trained)
        about = about_lake(connection)
        number = ledger.append(lake, run, fingerprint=str(about["fingerprint"]))
        shown = draw_all(chosen, sources, out / FIGURE_FOLDER, renderer, progress)
        entries = _entries(connection, run.results, chosen)
        [answer] = fetch_dicts(connection, read_query("report/answer"))
    progress.say("writing the pages")
    made = Made(
        about=about,
        run=run,
        number=number,
        written=datetime.now(UTC).replace(microsecond=0),
        shown=shown,
        entries=entries,
        sections=sections.result(),
        answer=answer,
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
