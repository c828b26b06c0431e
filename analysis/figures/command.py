"""`just figure NAME…`: draws figures of a lake; without a name, lists them.

The processes that make the pictures import this file too, so nothing slow is imported before a command runs.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from warehouse.console.command import Commands, add_lake
from warehouse.console.output import show

OUT = Path("report/figures")


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "figure",
        help="figures as PNG, SVG and CSV",
        description="Draw figures of a lake as PNG, SVG and CSV; without a name, list what there is.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as figure_02")
    add_lake(parser)
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help=f"where to (default: {OUT})")
    parser.set_defaults(run=main)


def main(options: argparse.Namespace) -> int:
    if not options.names:
        return _list()
    from analysis.figures.named import draw_named

    return draw_named(options.names, options.lake, options.out)


def _list() -> int:
    from analysis.figures.catalogue import FIGURES

    for figure in FIGURES.values():
        show(f"{figure.name:26}{figure.words.subject}")
    return 0
