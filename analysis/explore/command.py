"""`just explore`: opens the page of `app.py` on a lake in a browser; see server.py for who can reach it."""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path

from warehouse.console.command import Commands, add_lake
from warehouse.errors import UsageError

APP = Path(__file__).with_name("app.py")
PORT = 2718

DESCRIPTION = """\
Open a page in the browser: choose two models, see all pairs of layers, click one to see its values
without their means, read the verdict with its parts, ask in SQL. Ctrl-C ends it."""


def add_parser(commands: Commands) -> None:
    explore = commands.add_parser(
        "explore",
        help="a page on the lake that asks as one clicks",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_lake(explore)
    explore.add_argument(
        "--port",
        type=int,
        default=PORT,
        metavar="N",
        help=f"of this machine, 0: any that is free (default: {PORT})",
    )
    explore.add_argument("--no-browser", action="store_true", help="only print the address")
    explore.set_defaults(run=main)


def main(options: argparse.Namespace) -> int:
    """Serve the page once the lake is known to be readable."""
    if importlib.util.find_spec("marimo") is None:
        raise UsageError(
            "marimo is not installed: `just explore` brings it, `uv sync --group explore` as well"
        )
    from analysis.explore.server import serve
    from analysis.lakes import announce
    from warehouse.catalog.catalog import open_catalog
    from warehouse.lake import existing_lake

    lake = existing_lake(options.lake)
    with open_catalog(lake) as connection:
        announce(connection, lake)
    serve(APP, options.lake or lake.name, options.port, not options.no_browser)
