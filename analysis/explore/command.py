"""`just explore`: opens the page of `app.py` on a lake, in a browser, from a server on this machine alone."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path

from warehouse.command import Commands, add_lake
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
        "--port", type=int, default=PORT, metavar="N", help=f"of this machine (default: {PORT})"
    )
    explore.add_argument("--no-browser", action="store_true", help="only say the address")
    explore.set_defaults(run=main)


def main(options: argparse.Namespace) -> int:
    """Becomes marimo's process once the lake is known to be readable."""
    if importlib.util.find_spec("marimo") is None:
        raise UsageError(
            "marimo is not installed: `just explore` brings it, `uv sync --group explore` as well"
        )
    from analysis.lakes import announce
    from warehouse.catalog import open_catalog
    from warehouse.lake import existing_lake

    lake = existing_lake(options.lake)
    with open_catalog(lake) as connection:
        announce(connection, lake)
    arguments = ["--host", "127.0.0.1", "--port", str(options.port), "--no-sandbox", "--no-check"]
    arguments += ["--headless"] if options.no_browser else []
    named = ["--", "--lake", lake.name if options.lake is None else options.lake]
    # It would ask PyPI for a newer version.
    environment = {**os.environ, "MARIMO_SKIP_UPDATE_CHECK": "1", "PYTHONPATH": str(APP.parents[2])}
    command = [sys.executable, "-m", "marimo", "--yes", "run", str(APP), *arguments, *named]
    sys.stdout.flush()
    os.execve(sys.executable, command, environment)
