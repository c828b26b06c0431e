"""`python -m analysis COMMAND …`: questions to a lake. `just shell`, `sql`, `claims`, `report` … call this.

Exit codes: 0 done, 1 something failed (said in one line), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from analysis.claims import command as claims
from analysis.report import command as report
from warehouse.command import command

SQL_EXAMPLES = """\
examples
  just sql "from compare('solar', 'glm')"
  just sql "select model, layer, mean, std from vector_stats" csv > stats.csv
  just sql "from layer_grid('solar', 'glm', 'input_layernorm')" parquet --output grid.parquet
"""


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if rest and options.command != "shell":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    options.rest = rest
    return int(options.run(options))


def _shell(options: argparse.Namespace) -> int:
    from analysis.shell import open_shell  # slow imports only once the command line is known to be right

    return open_shell(options.lake, options.rest)


def _sql(options: argparse.Namespace) -> int:
    from analysis.query import run_query

    return run_query(options.query, options.format, options.lake, options.output)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="just", description="Ask a lake questions.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    shell = commands.add_parser(
        "shell",
        help="the DuckDB shell on a lake",
        description="Open the DuckDB shell on a lake, read-only. Other options (-c, -json, …) go to duckdb.",
    )
    _add_lake(shell)
    shell.set_defaults(run=_shell)

    sql = commands.add_parser(
        "sql",
        help="one query",
        description="Run one query on a lake; rows go to stdout, remarks to stderr.",
        epilog=SQL_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sql.add_argument("query", help="the query, in DuckDB's SQL")
    sql.add_argument("format", nargs="?", choices=("table", "csv", "json", "parquet"), default="table")
    sql.add_argument("--output", type=Path, metavar="FILE", help="write there instead of stdout")
    _add_lake(sql)
    sql.set_defaults(run=_sql)

    claims.add_parser(commands)
    report.add_parser(commands)
    return parser


def _add_lake(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lake", metavar="NAME", help="which lake (default: the one ingested last)")


if __name__ == "__main__":
    sys.exit(main())
