"""`python -m ingest.trained.zoo`: small models of known ancestry into the lake `zoo`. `just zoo` calls this.

Finished models are kept and skipped the next time. Exit codes: 0 done, 1 something failed (said in one line),
2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from warehouse.command import command


@command(interrupted="interrupted: finished models are kept; the same command goes on from there")
def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    lake = options.lake or default_lake(options.size, options.seed)
    started = time.monotonic()
    # Imports JAX, which takes seconds: only once the command line is known to be right.
    from ingest.trained.run_zoo import run_zoo

    made, kept = run_zoo(options.size, options.out, lake, _say, options.seed)
    print(
        f"zoo {options.size}: {made} models made, {kept} already there; ingested into lake {lake}; "
        f"{time.monotonic() - started:.0f} s"
    )
    return 0


def default_lake(size: str, seed: int) -> str:
    """`zoo` is the one that ships; any other has a lake of its own, for its models have the same names."""
    return "zoo" + ("" if size == "full" else f"_{size}") + (f"_{seed}" if seed else "")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="just zoo", description="Train small models whose ancestry is known, and ingest their norms."
    )
    parser.add_argument(
        "--size", choices=("full", "tiny"), default="full", help="tiny: what the tests train, under a minute"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the models are saved")
    parser.add_argument(
        "--seed",
        type=_seed,
        default=0,
        metavar="N",
        help="the same zoo from other random numbers: a multiple of 10000 (default: 0)",
    )
    parser.add_argument(
        "--lake", metavar="NAME", help="which lake they go to (default: zoo, zoo_tiny, zoo_N)"
    )
    return parser


def _seed(text: str) -> int:
    # The seeds of one zoo span 1,011.
    if not text.isdecimal() or int(text) % 10_000:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a multiple of 10000, as 20000: zoos would share seeds"
        )
    return int(text)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
