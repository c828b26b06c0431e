"""`just shell` and `just sql "…"`: questions of one's own; `just check`: is a lake as it was written."""

from __future__ import annotations

import argparse
from pathlib import Path

from warehouse.console.command import Commands, add_lake

EXAMPLES = """\
examples
  just sql "from compare('solar', 'glm')"
  just sql "select model, layer, mean, std from vector_stats" csv > stats.csv
  just sql "from layer_grid('solar', 'glm', 'input_layernorm')" parquet --output grid.parquet
"""


def add_parser(commands: Commands) -> None:
    shell = commands.add_parser(
        "shell",
        help="the DuckDB shell on a lake",
        description="Open the DuckDB shell on a lake, read-only. Other options (-c, -json, …) go to duckdb.",
    )
    add_lake(shell)
    shell.set_defaults(run=_shell)

    sql = commands.add_parser(
        "sql",
        help="one query",
        description="Run one query on a lake; rows go to stdout, remarks to stderr.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sql.add_argument("query", help="the query, in DuckDB's SQL")
    sql.add_argument("format", nargs="?", choices=("table", "csv", "json", "parquet"), default="table")
    sql.add_argument("--output", type=Path, metavar="FILE", help="write there instead of stdout")
    add_lake(sql)
    sql.set_defaults(run=_sql)

    check = commands.add_parser(
        "check",
        help="whether a lake still holds what was written",
        description="Verify a lake: sizes and digests of its files, the checksum of every page, every vector "
        "against the bytes it was read from. Exit code 1 when something is damaged.",
    )
    check.add_argument("lake", nargs="?", metavar="LAKE", help="which lake (default: the one ingested last)")
    check.set_defaults(run=_check)


def _shell(options: argparse.Namespace) -> int:
    from analysis.shell import open_shell  # slow imports only once the command line is known to be right

    return open_shell(options.lake, options.rest)


def _sql(options: argparse.Namespace) -> int:
    from analysis.query import run_query

    return run_query(options.query, options.format, options.lake, options.output)


def _check(options: argparse.Namespace) -> int:
    from analysis.checking import run_check

    return run_check(options.lake)
