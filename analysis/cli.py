"""Declares the commands of `python -m analysis`; lineage and spark declare their own.

A command imports its room only when it runs, so that `--help` and mistakes are answered at once.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.lineage import command as lineage
from analysis.spark import command as spark
from warehouse.console.command import Commands, add_lake
from warehouse.errors import UsageError

REPORT = Path("report")
PORT = 2718

SQL_EXAMPLES = """\
examples
  just sql "from compare('solar', 'glm')"
  just sql "select model, layer, mean, std from vector_stats" csv > stats.csv
  just sql "from layer_grid('solar', 'glm', 'input_layernorm')" parquet --output grid.parquet
"""
CLAIMS = """\
Run the claims on a lake and print how many statements got which verdict, the headlines, and what does not
hold. --all lists every statement of the documents, and our own findings.

A full run (no ID, --document, --verdict or --as-if-hub) is recorded in the lake's ledger; no other run is.
The first run that asks the models trained here unpacks their lake from the shipped files.
"""
CLAIMS_EXAMPLES = """\
examples
  just claims                          counts, headlines, what does not hold; records a run
  just claims --all                    every statement with what was found; records a run
  just claims --document sionic        the statements of one document
  just claims --verdict contradicted   those with one verdict
  just claims printed                  those of one group of claims; findings: what we infer ourselves
  just claims printed.background       one claim in full: readings, expected, observed, SQL
  just claims --since 3                what changed since run 3: query, data or printed figure; records a run
"""
CLAIMS_LOCK = """\
Lock the claims' queries as they are now: write id, version and sha256 of each into claims.lock and
findings.lock. New and changed queries are run on a lake first. Nothing is locked if one of them fails or
returns other columns than the contract says, or if a query changed under its old version.
"""
BLEND_EXAMPLES = """\
examples
  just blend merged base_a base_b      the weight, how much it explains, and other relatives for comparison
  just blend --calibrate               how often the answer is wrong
"""
EXPLORE = """\
Open a page in the browser: choose two models, see all pairs of layers, click one to see its values
without their means, read the verdict with its parts, ask in SQL. Ctrl-C ends it."""
PUBLISH_EXAMPLES = """\
examples
  just publish hub ./norms-of-twelve         tables, dictionary, checksums, licences, metadata, card
  just sql "from models" --lake ./norms-of-twelve
  hf upload OWNER/NAME ./norms-of-twelve --repo-type dataset
"""


def add_parsers(commands: Commands) -> None:
    _add_shell(commands)
    _add_sql(commands)
    _add_check(commands)
    _add_claims(commands)
    _add_claims_lock(commands)
    _add_report(commands)
    _add_compare(commands)
    _add_readme(commands)
    _add_figure(commands)
    lineage.add_parser(commands)
    _add_blend(commands)
    _add_publish(commands)
    _add_explore(commands)
    spark.add_parser(commands)


def _add_shell(commands: Commands) -> None:
    parser = commands.add_parser(
        "shell",
        help="the DuckDB shell on a lake",
        description="Open the DuckDB shell on a lake, read-only. Other options (-c, -json, …) go to duckdb.",
    )
    add_lake(parser)
    parser.set_defaults(run=_shell)


def _shell(options: argparse.Namespace) -> int:
    from analysis.query import open_shell

    return open_shell(options.lake, options.rest)


def _add_sql(commands: Commands) -> None:
    parser = commands.add_parser(
        "sql",
        help="one query",
        description="Run one query on a lake; rows go to stdout, remarks to stderr.",
        epilog=SQL_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("query", help="the query, in DuckDB's SQL")
    parser.add_argument("format", nargs="?", choices=("table", "csv", "json", "parquet"), default="table")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write there instead of stdout")
    add_lake(parser)
    parser.set_defaults(run=_sql)


def _sql(options: argparse.Namespace) -> int:
    from analysis.query import run_query

    return run_query(options.query, options.format, options.lake, options.output)


def _add_check(commands: Commands) -> None:
    parser = commands.add_parser(
        "check",
        help="whether a lake still holds what was written",
        description="Verify a lake: sizes and digests of its files, the checksum of every page, every vector "
        "against the bytes it was read from. Exit code 1 when something is damaged.",
    )
    parser.add_argument("lake", nargs="?", metavar="LAKE", help="which lake (default: the one ingested last)")
    parser.set_defaults(run=_check)


def _check(options: argparse.Namespace) -> int:
    from analysis.check import run_check

    return run_check(options.lake)


def _add_claims(commands: Commands) -> None:
    parser = commands.add_parser(
        "claims",
        help="what the documents say, and whether it holds",
        description=CLAIMS,
        epilog=CLAIMS_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="a claim or item, shown in full, or a group (default: all)"
    )
    parser.add_argument(
        "--document", metavar="NAME", help="what one document says: sionic, hyunwoong, critique, …"
    )
    parser.add_argument("--verdict", metavar="NAME", help="what got one verdict: contradicted, not-judged, …")
    parser.add_argument("--all", action="store_true", help="list every statement, not only the summary")
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument(
        "--since", type=int, metavar="RUN", help="show what changed since that run of the ledger"
    )
    parser.add_argument(
        "--as-if-hub",
        action="store_true",
        help="for developers: judge what is about released weights on any lake, and say so on every line",
    )
    add_lake(parser)
    parser.set_defaults(run=_claims)


def _claims(options: argparse.Namespace) -> int:
    from analysis.claims.command import main

    return main(options)


def _add_claims_lock(commands: Commands) -> None:
    parser = commands.add_parser(
        "claims-lock",
        help="lock the claims' queries as they are now",
        description=CLAIMS_LOCK,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_lake(parser)
    parser.set_defaults(run=_claims_lock)


def _claims_lock(options: argparse.Namespace) -> int:
    from analysis.claims.command import main_lock

    return main_lock(options)


def _add_report(commands: Commands) -> None:
    parser = commands.add_parser(
        "report",
        help="claims, charts and verdicts as pages that open offline",
        description="Run the claims on a lake, draw the figures and write DIR/index.html and the pages "
        "beside it, in English and Korean. `just demo` ingests the replica first and reports on that.",
    )
    _add_page_options(parser)
    parser.add_argument(
        "--address",
        metavar="URL",
        default="",
        help="where DIR will be on the web: link previews need the full address of their picture",
    )
    parser.set_defaults(run=_report)


def _report(options: argparse.Namespace) -> int:
    from analysis.report.command import main_report

    return main_report(options)


def _add_compare(commands: Commands) -> None:
    parser = commands.add_parser(
        "compare",
        help="two models side by side",
        description="Say how alike two models are, and write DIR/compare-A-B.html with their charts.",
    )
    parser.add_argument(
        "a", metavar="A", help="name or repository of a model; relative distances are from it"
    )
    parser.add_argument("b", metavar="B", help="name or repository of another")
    _add_page_options(parser)
    parser.add_argument(
        "--details", action="store_true", help="every norm, and what is measured in sentences"
    )
    parser.add_argument("--json", action="store_true", help="for machines, without a page")
    parser.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> int:
    from analysis.report.command import main_compare

    return main_compare(options)


def _add_readme(commands: Commands) -> None:
    parser = commands.add_parser(
        "readme",
        help="rewrite the README's table of verdicts",
        description="Run the claims on the replica lake and rewrite the README's table of verdicts.",
    )
    parser.set_defaults(run=_readme)


def _readme(options: argparse.Namespace) -> int:
    from analysis.report.command import main_readme

    return main_readme(options)


def _add_figure(commands: Commands) -> None:
    parser = commands.add_parser(
        "figure",
        help="figures as PNG, SVG and CSV",
        description="Draw figures of a lake as PNG, SVG and CSV; without a name, list what there is.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as figure_02")
    add_lake(parser)
    folder = REPORT / "figures"
    parser.add_argument("--out", type=Path, default=folder, metavar="DIR", help=f"folder (default: {folder})")
    parser.set_defaults(run=_figure)


def _figure(options: argparse.Namespace) -> int:
    from analysis.figures.named import draw_named, list_figures

    return draw_named(options.names, options.lake, options.out) if options.names else list_figures()


def _add_blend(commands: Commands) -> None:
    parser = commands.add_parser(
        "blend",
        help="is one model a weighted mean of two others",
        description="Are the norms of A a weighted mean of the norms of B and C, and with which weights?",
        epilog=BLEND_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("models", nargs="*", metavar="A B C", help="three models of the lake")
    parser.add_argument(
        "--calibrate",
        action="store_true",
        help="instead: how often the answer is wrong, on merges of models whose ancestry is known",
    )
    parser.add_argument("--json", action="store_true", help="for machines")
    add_lake(parser)
    parser.set_defaults(run=_blend)


def _blend(options: argparse.Namespace) -> int:
    if options.calibrate and not options.models:
        from analysis.verify.blend_calibration import show_calibration

        return show_calibration(options.lake, as_json=options.json)
    if len(options.models) != 3 or options.calibrate:
        raise UsageError("blend takes three models, or --calibrate alone: try `just blend A B C`")
    from analysis.verify.blend import show_blend

    model, one, other = options.models
    return show_blend(model, one, other, options.lake, as_json=options.json)


def _add_publish(commands: Commands) -> None:
    parser = commands.add_parser(
        "publish",
        help="a lake as a folder to upload",
        description="Write a lake as a folder that a hub takes as it is and that every command reads with "
        "--lake ./FOLDER.",
        epilog=PUBLISH_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("lake", metavar="LAKE", help="name of the lake")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a folder that is new or empty")
    parser.set_defaults(run=_publish)


def _publish(options: argparse.Namespace) -> int:
    from analysis.publish.publish import publish

    return publish(options.lake, options.folder)


def _add_explore(commands: Commands) -> None:
    parser = commands.add_parser(
        "explore",
        help="a page in the browser to explore a lake",
        description=EXPLORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_lake(parser)
    parser.add_argument(
        "--port",
        type=int,
        default=PORT,
        metavar="N",
        help=f"local port, 0 for any free one (default: {PORT})",
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.set_defaults(run=_explore)


def _explore(options: argparse.Namespace) -> int:
    from analysis.explore import explore

    return explore(options.lake, options.port, opens_browser=not options.no_browser)


def _add_page_options(parser: argparse.ArgumentParser) -> None:
    add_lake(parser)
    parser.add_argument("--out", metavar="DIR", type=Path, default=REPORT, help=f"folder (default: {REPORT})")
    parser.add_argument("--quiet", action="store_true", help="no progress")
