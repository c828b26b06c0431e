"""`python -m analysis.toy.zoo`: small models of known ancestry into the lake `zoo`. `just zoo` calls this.

Finished models are kept and skipped the next time. Exit codes: 0 done, 1 something failed (said in one line),
2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from warehouse.errors import NormhouseError


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    started = time.monotonic()
    try:
        # Imports JAX, which takes seconds: only once the command line is known to be right.
        from analysis.toy.run_zoo import run_zoo

        made, kept = run_zoo(options.size, options.out, options.lake, _say)
    except NormhouseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted: finished models are kept; the same command goes on from there", file=sys.stderr)
        return 130
    print(
        f"zoo {options.size}: {made} models made, {kept} already there; ingested into lake {options.lake}; "
        f"{time.monotonic() - started:.0f} s"
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="just zoo", description="Train small models whose ancestry is known, and ingest their norms."
    )
    parser.add_argument(
        "--size", choices=("full", "tiny"), default="full", help="tiny: what the tests train, under a minute"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the models are saved")
    parser.add_argument("--lake", default="zoo", metavar="NAME", help="which lake they go to (default: zoo)")
    return parser


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
