"""`python -m analysis.figures NAME… [--lake NAME] [--out DIR]`: draws figures. `just figure` calls this."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from warehouse.command import command


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    # Here, and not above: the process that makes the pictures imports this file and needs neither.
    from analysis.figures.catalogue import FIGURES
    from analysis.figures.command import draw_figures

    parser = argparse.ArgumentParser(prog="just figure", description="Draw figures of a lake.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="such as figure_02; without any, all are listed"
    )
    parser.add_argument("--lake", metavar="NAME", help="which lake (default: the one ingested last)")
    parser.add_argument("--out", type=Path, default=Path("report/figures"), metavar="DIR", help="where to")
    options = parser.parse_args(arguments)
    if not options.names:
        for figure in FIGURES.values():
            print(f"{figure.name:26}{figure.title}")
        return 0
    return draw_figures(options.names, options.lake, options.out)


if __name__ == "__main__":
    sys.exit(main())
