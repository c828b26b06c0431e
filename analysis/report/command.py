"""`just report`, `just compare A B` and `just readme`.

Results go to stdout, progress and which lake is read to stderr. Slow imports wait until a command runs.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from warehouse.console.command import Commands, add_lake
from warehouse.console.output import remark, show
from warehouse.lake import existing_lake

OUT = Path("report")
FEW = 3  # figures that cannot be drawn; of more, their number is said


def add_parser(commands: Commands) -> None:
    report = commands.add_parser(
        "report",
        help="claims, charts and verdicts as pages that open offline",
        description="Run the claims on a lake, draw the figures and write DIR/index.html and the pages "
        "beside it, in English and Korean. `just demo` ingests the replica first and reports on that.",
    )
    _add_common(report)
    report.add_argument(
        "--address",
        metavar="URL",
        default="",
        help="where DIR will stand on the web: link previews need the full address of their picture",
    )
    report.set_defaults(run=main_report)
    compare = commands.add_parser(
        "compare",
        help="two models side by side",
        description="Say in words and in a table how alike two models are, and write DIR/compare-A-B.html.",
    )
    compare.add_argument("a", metavar="A", help="alias of the first model, the base of relative distances")
    compare.add_argument("b", metavar="B", help="alias of the second model")
    _add_common(compare)
    compare.add_argument("--json", action="store_true", help="for machines, without a page")
    compare.set_defaults(run=main_compare)
    readme = commands.add_parser(
        "readme",
        help="the README's verdicts anew",
        description="Run the claims on the replica lake and write the README's table of verdicts anew.",
    )
    readme.set_defaults(run=main_readme)


def main_report(options: argparse.Namespace) -> int:
    """0 when every claim could be run, whatever its verdict; 1 when one is broken."""
    from analysis.lakes import announce
    from analysis.report.build import build_report
    from warehouse.catalog.catalog import open_catalog
    from warehouse.console.exclusive import turn
    from warehouse.console.progress import Talk
    from warehouse.integrity.damage import refuse_damaged

    lake = existing_lake(options.lake)
    refuse_damaged(lake)
    with open_catalog(lake) as connection:
        announce(connection, lake)
    with turn(options.out), Talk(quiet=options.quiet) as talk:
        summary = build_report(lake, options.out, talk, address=options.address.rstrip("/"))
    if len(summary.left_out) > FEW:
        remark(f"{len(summary.left_out)} figures are not drawn: in their places the pages say why")
    else:
        remark(*summary.left_out.values())
    remark(*(f"broken: {claim.name}: {claim.reason}" for claim in summary.broken))
    show(*summary.lines)
    show(f"{summary.drawn} figures; {summary.path} in {summary.seconds:.0f} s")
    return 1 if summary.broken else 0


def main_compare(options: argparse.Namespace) -> int:
    from analysis.json_text import show_json
    from analysis.lakes import announce, check_models
    from analysis.report import compare_show
    from analysis.report.compare import compared, page_name, write_page
    from warehouse.catalog.catalog import open_catalog
    from warehouse.console.exclusive import turn
    from warehouse.console.progress import Talk

    lake = existing_lake(options.lake)
    page = options.out / page_name(options.a, options.b)
    with turn(page), open_catalog(lake) as connection, Talk(quiet=options.quiet) as talk:
        announce(connection, lake)
        check_models(connection, lake, options.a, options.b)
        found = compared(connection, options.a, options.b)
        if options.json:
            show_json(compare_show.as_object(found))
            return 0
        show(*compare_show.lines(found))
        show(str(write_page(connection, found, options.out, talk)))
    return 0


def main_readme(_options: argparse.Namespace) -> int:
    from analysis.report.readme import rewrite

    rewrite(existing_lake("replica"))
    return 0


def _add_common(parser: argparse.ArgumentParser) -> None:
    add_lake(parser)
    parser.add_argument("--out", metavar="DIR", type=Path, default=OUT, help=f"folder (default: {OUT})")
    parser.add_argument("--quiet", action="store_true", help="no progress")
