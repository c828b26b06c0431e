"""`just report`, `just compare A B` and `just readme`: results go to stdout, progress to stderr."""

from __future__ import annotations

import argparse

from analysis.lakes import announce, find_models
from analysis.report.build import build_report
from analysis.report.compare import as_object, brief_lines, compared, detailed_lines, page_name, write_page
from analysis.report.readme import rewrite
from analysis.rows import show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import counted, exclusive_output, remark, show
from warehouse.console.progress import Progress
from warehouse.integrity.damage import refuse_damaged
from warehouse.lake import existing_lake

FEW = 3  # undrawn figures that are named one by one


def main_report(options: argparse.Namespace) -> int:
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


def main_compare(options: argparse.Namespace) -> int:
    lake = existing_lake(options.lake)
    with open_catalog(lake) as connection, Progress(quiet=options.quiet) as progress:
        announce(connection, lake, caution=False)
        a, b = find_models(connection, lake, options.a, options.b)
        found = compared(connection, a, b)
        if options.json:
            show_json(as_object(found))
            return 0
        show(*(detailed_lines(found) if options.details else brief_lines(found)))
        with exclusive_output(options.out / page_name(a, b)):
            page = write_page(connection, found, options.out, progress)
    show(page.resolve().as_uri())
    return 0


def main_readme(_options: argparse.Namespace) -> int:
    rewrite(existing_lake("replica"))
    return 0
