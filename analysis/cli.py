"""Declares the commands of `python -m analysis`; lineage, spark and verify declare their own.

A command imports its room only when it runs, so that `--help` and mistakes are answered at once.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Any

from analysis.lineage import command as lineage
from analysis.spark import command as spark
from analysis.verify import options as verify
from warehouse.console.command import Commands, add_command, add_lake

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
EXPLORE = """\
Open a page in the browser: choose two models, see all pairs of layers, click one to see its values
without their means, read the verdict with its parts, ask in SQL. Ctrl-C ends it."""
REPORT_TEXT = """\
Run the claims on a lake, draw the figures and write DIR/index.html and the pages beside it, in English and
Korean. `just demo` ingests the replica first and reports on that."""
CHECK = """\
Verify a lake: sizes and digests of its files, the checksum of every page, every vector against the bytes it
was read from. Exit code 1 when something is damaged."""
PUBLISH_EXAMPLES = """\
examples
  just publish hub ./norms-of-twelve         tables, dictionary, checksums, licences, metadata, card
  just sql "from models" --lake ./norms-of-twelve
  hf upload OWNER/NAME ./norms-of-twelve --repo-type dataset
"""


def add_parsers(commands: Commands) -> None:
    _add_queries(commands)
    _add_claims(commands)
    _add_pages(commands)
    lineage.add_parser(commands)
    verify.add_parsers(commands)
    _add_lakes(commands)
    spark.add_parser(commands)


def _room(name: str) -> Any:  # noqa: ANN401 (a module)
    return import_module(f"analysis.{name}")


def _add_queries(commands: Commands) -> None:
    shell = add_command(
        commands,
        "shell",
        "the DuckDB shell on a lake",
        "Open the DuckDB shell on a lake, read-only. Other options (-c, -json, …) go to duckdb.",
        lambda asked: _room("query").open_shell(asked.lake, asked.rest),
    )
    add_lake(shell)
    sql = add_command(
        commands,
        "sql",
        "one query",
        "Run one query on a lake; rows go to stdout, remarks to stderr.",
        lambda asked: _room("query").run_query(asked.query, asked.format, asked.lake, asked.output),
        SQL_EXAMPLES,
    )
    sql.add_argument("query", help="the query, in DuckDB's SQL")
    sql.add_argument("format", nargs="?", choices=("table", "csv", "json", "parquet"), default="table")
    sql.add_argument("--output", type=Path, metavar="FILE", help="write there instead of stdout")
    add_lake(sql)


def _add_claims(commands: Commands) -> None:
    claims = add_command(
        commands,
        "claims",
        "what the documents say, and whether it holds",
        CLAIMS,
        lambda asked: _room("claims.command").main(asked),
        CLAIMS_EXAMPLES,
    )
    claims.add_argument(
        "ids", nargs="*", metavar="ID", help="a claim or item, shown in full, or a group (default: all)"
    )
    claims.add_argument(
        "--document", metavar="NAME", help="what one document says: sionic, hyunwoong, critique, …"
    )
    claims.add_argument("--verdict", metavar="NAME", help="what got one verdict: contradicted, not-judged, …")
    claims.add_argument("--all", action="store_true", help="list every statement, not only the summary")
    claims.add_argument("--json", action="store_true", help="for machines")
    claims.add_argument(
        "--since", type=int, metavar="RUN", help="show what changed since that run of the ledger"
    )
    claims.add_argument(
        "--as-if-hub",
        action="store_true",
        help="for developers: judge what is about released weights on any lake, and say so on every line",
    )
    add_lake(claims)
    lock = add_command(
        commands,
        "claims-lock",
        "lock the claims' queries as they are now",
        CLAIMS_LOCK,
        lambda asked: _room("claims.command").main_lock(asked),
    )
    add_lake(lock)


def _add_pages(commands: Commands) -> None:
    report = add_command(
        commands,
        "report",
        "claims, charts and verdicts as pages that open offline",
        REPORT_TEXT,
        lambda asked: _room("report.build").main(asked),
    )
    _add_page_options(report)
    report.add_argument(
        "--address",
        metavar="URL",
        default="",
        help="where DIR will be on the web: link previews need the full address of their picture",
    )
    compare = add_command(
        commands,
        "compare",
        "two models side by side",
        "Say how alike two models are, and write DIR/compare-A-B.html with their charts.",
        lambda asked: _room("report.compare").main(asked),
    )
    compare.add_argument(
        "a", metavar="A", help="name or repository of a model; relative distances are from it"
    )
    compare.add_argument("b", metavar="B", help="name or repository of another")
    _add_page_options(compare)
    compare.add_argument(
        "--details", action="store_true", help="every norm, and what is measured in sentences"
    )
    compare.add_argument("--json", action="store_true", help="for machines, without a page")
    figure = add_command(
        commands,
        "figure",
        "figures as PNG, SVG and CSV",
        "Draw figures of a lake as PNG, SVG and CSV; without a name, list what there is.",
        lambda asked: _room("figures.catalogue").main(asked.names, asked.lake, asked.out),
    )
    figure.add_argument("names", nargs="*", metavar="NAME", help="such as figure_02")
    add_lake(figure)
    folder = REPORT / "figures"
    figure.add_argument("--out", type=Path, default=folder, metavar="DIR", help=f"folder (default: {folder})")
    add_command(
        commands,
        "readme",
        "rewrite the README's table of verdicts",
        "Run the claims on the replica lake and rewrite the README's table of verdicts.",
        lambda _asked: _room("claims.headlines").main_readme(),
    )
    explore = add_command(
        commands,
        "explore",
        "a page in the browser to explore a lake",
        EXPLORE,
        lambda asked: _room("explore").explore(asked.lake, asked.port, opens_browser=not asked.no_browser),
    )
    add_lake(explore)
    explore.add_argument(
        "--port",
        type=int,
        default=PORT,
        metavar="N",
        help=f"local port, 0 for any free one (default: {PORT})",
    )
    explore.add_argument("--no-browser", action="store_true", help="only print the address")


def _add_lakes(commands: Commands) -> None:
    check = add_command(
        commands,
        "check",
        "whether a lake still holds what was written",
        CHECK,
        lambda asked: _room("check").run_check(asked.lake),
    )
    check.add_argument("lake", nargs="?", metavar="LAKE", help="which lake (default: the one ingested last)")
    publish = add_command(
        commands,
        "publish",
        "a lake as a folder to upload",
        "Write a lake as a folder to upload, which every command reads with --lake ./FOLDER.",
        lambda asked: _room("publish.publish").publish(asked.lake, asked.folder),
        PUBLISH_EXAMPLES,
    )
    publish.add_argument("lake", metavar="LAKE", help="name of the lake")
    publish.add_argument("folder", metavar="FOLDER", type=Path, help="a folder that is new or empty")


def _add_page_options(parser: argparse.ArgumentParser) -> None:
    add_lake(parser)
    parser.add_argument("--out", metavar="DIR", type=Path, default=REPORT, help=f"folder (default: {REPORT})")
    parser.add_argument("--quiet", action="store_true", help="no progress")
