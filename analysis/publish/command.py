"""`just publish LAKE FOLDER`. Slow imports wait until the command runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from warehouse.console.command import Commands

EXAMPLES = """\
examples
  just publish hub ./norms-of-twelve         tables, dictionary, checksums, licences, metadata, card
  just sql "from models" --lake ./norms-of-twelve
  hf upload OWNER/NAME ./norms-of-twelve --repo-type dataset
"""


def add_parser(commands: Commands) -> None:
    publish = commands.add_parser(
        "publish",
        help="a lake as a folder to upload",
        description="Write a lake as a folder that a hub takes as it is and that every command reads with "
        "--lake ./FOLDER.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    publish.add_argument("lake", metavar="LAKE", help="name of the lake")
    publish.add_argument("folder", metavar="FOLDER", type=Path, help="a folder that is new or empty")
    publish.set_defaults(run=main)


def main(options: argparse.Namespace) -> int:
    from analysis.publish.publish import publish

    return publish(options.lake, options.folder)
