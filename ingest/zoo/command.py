"""`just toy`, `just zoo` and `python -m ingest embed`: train small models, and ship their lake.

JAX takes seconds to import, so it is imported only after the command line has been parsed.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from warehouse.console.command import Commands, command
from warehouse.console.interrupts import loading

# The lake that ships with the project.
SHIPPED = "zoo"
RESUMABLE = "interrupted: finished models are kept; the same command resumes"


def add_parser(commands: Commands) -> None:
    _add_toy(commands)
    _add_zoo(commands)
    embed = commands.add_parser(
        "embed",
        help="ship the trained lake with the project",
        description="Write warehouse/embedded/ from a trained lake, after `just zoo` and `just toy`.",
    )
    embed.add_argument(
        "--lake", default=SHIPPED, metavar="NAME", help="which lake of trained models (default: zoo)"
    )
    embed.set_defaults(run=ship)


def _add_toy(commands: Commands) -> None:
    toy = commands.add_parser(
        "toy",
        prog="just toy",
        help="train the documents' four small GPT-2 models",
        description="Train the four small GPT-2 models of the init experiment and ingest their norms. "
        "Finished models are kept and skipped the next time.",
    )
    toy.add_argument(
        "--size",
        choices=("small", "published"),
        default="small",
        help="small: 256 wide, 4 layers, 85 s of CPU; published: 512 wide, 12 layers, 13 minutes of CPU",
    )
    toy.add_argument("--out", type=Path, metavar="DIR", help="where the models are saved")
    toy.add_argument(
        "--lake", metavar="NAME", help="which lake they go to (default: toy_small; published: zoo)"
    )
    toy.set_defaults(run=train_toy)


def _add_zoo(commands: Commands) -> None:
    zoo = commands.add_parser(
        "zoo",
        prog="just zoo",
        help="train small models of known ancestry",
        description="Train small models whose ancestry is known, and ingest their norms. Finished models are "
        "kept and skipped the next time.",
    )
    zoo.add_argument(
        "--size",
        choices=("full", "disguises", "tiny", "disguises_tiny"),
        default="full",
        help="disguises: for the test on slices, with all disguises combined; tiny, disguises_tiny: what the "
        "tests train, under a minute",
    )
    zoo.add_argument("--out", type=Path, metavar="DIR", help="where the models are saved")
    zoo.add_argument(
        "--seed",
        type=_seed,
        default=0,
        metavar="N",
        help="the same zoo from other random numbers: a multiple of 10000 (default: 0)",
    )
    zoo.add_argument("--lake", metavar="NAME", help="which lake they go to (default: zoo, zoo_tiny, zoo_N)")
    zoo.set_defaults(run=train_zoo)


@command(interrupted=RESUMABLE)
def train_toy(options: argparse.Namespace) -> int:
    with loading():
        from ingest.zoo.toy import run_toy

    started = time.monotonic()
    # Smaller models have the same names as those of the published size, which ship.
    lake = options.lake or (SHIPPED if options.size == "published" else f"toy_{options.size}")
    for line in run_toy(options.size, options.out, lake):
        print(line)
    print(f"ingested into lake {lake}; {time.monotonic() - started:.0f} s", file=sys.stderr)
    return 0


@command(interrupted=RESUMABLE)
def train_zoo(options: argparse.Namespace) -> int:
    lake = options.lake or default_lake(options.size, options.seed)
    started = time.monotonic()
    with loading():
        from ingest.zoo.run_zoo import run_zoo

    made, kept = run_zoo(options.size, options.out, lake, _say, options.seed)
    print(
        f"zoo {options.size}: {made} models made, {kept} already there; ingested into lake {lake}; "
        f"{time.monotonic() - started:.0f} s"
    )
    return 0


def default_lake(size: str, seed: int) -> str:
    """Every zoo has its own lake, because models of different zoos have the same names; `zoo` ships."""
    return SHIPPED + ("" if size == "full" else f"_{size}") + (f"_{seed}" if seed else "")


def ship(options: argparse.Namespace) -> int:
    """1 when the files became too large to ship."""
    with loading():
        import platform
        from importlib.metadata import version

        from warehouse import VERSION
        from warehouse.catalog.catalog import fingerprint_of
        from warehouse.embedded import MOST_BYTES, embed_lake
        from warehouse.lake import existing_lake

    lake = existing_lake(options.lake)
    provenance = {
        "made_by": "just zoo, just toy --size published",
        "fingerprint": fingerprint_of(lake),
        "tool_version": VERSION,
        "trained_with": f"jax {version('jax')}, optax {version('optax')}, {platform.machine()} CPU",
    }
    size = embed_lake(lake, provenance)
    print(f"{len(lake.model_names())} models, {size:,} bytes")
    return 0 if size <= MOST_BYTES else 1


def _seed(text: str) -> int:
    # The seeds of one zoo span about 7,000.
    if not text.isdecimal() or int(text) % 10_000:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a multiple of 10000, as 20000: zoos would share seeds"
        )
    return int(text)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
