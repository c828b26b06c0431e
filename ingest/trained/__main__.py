"""`python -m ingest.trained`: the documents' init experiment, trained here. `just toy` calls this.

Exit codes: 0 done, 1 something failed (said in one line), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from warehouse.command import command


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    # Imports JAX, which takes seconds: only once the command line is known to be right.
    from ingest.trained.run_toy import run_toy

    started = time.monotonic()
    for line in run_toy(options.size, options.out, options.lake):
        print(line)
    print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="just toy",
        description="Train the four small GPT-2 models of the init experiment and ingest their norms.",
    )
    parser.add_argument(
        "--size",
        choices=("small", "published"),
        default="small",
        help="small: 256 wide, 4 layers, under a minute; published: 512 wide, 12 layers, about ten minutes",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the models are saved")
    parser.add_argument("--lake", default="zoo", metavar="NAME", help="which lake they go to (default: zoo)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
