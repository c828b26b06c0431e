"""What each command of `python -m ingest` runs.

Slow modules are imported only once the command line is known to be right: JAX, for example, takes seconds.
"""

from __future__ import annotations

import argparse
import errno
import sys
import time

from warehouse.console.command import command
from warehouse.console.interrupts import loading
from warehouse.console.output import counted
from warehouse.errors import UsageError

# The lake of trained models that ships with the project.
SHIPPED = "zoo"
RESUMABLE = "interrupted: finished models are stored; the same command resumes"


@command(interrupted=RESUMABLE)
def ingest(options: argparse.Namespace) -> int:
    with loading():
        from ingest.pipeline import run
        from ingest.slices.wanted import SlicesWanted
        from ingest.store_model import Wanted

    wants_slices = options.slices or options.slice_layers or options.slice_budget
    budget = options.slice_budget and options.slice_budget * 1_000_000
    slices = SlicesWanted(options.slice_layers, budget) if wants_slices else None
    return run(
        options.source,
        options.models,
        Wanted(options.projections, slices, options.replace),
        lake_name=options.lake,
        alias=options.alias,
        update=options.update,
        quiet=options.quiet,
    )


@command(interrupted=RESUMABLE)
def crawl(options: argparse.Namespace) -> int:
    with loading():
        from ingest.crawl.run import Options, run
        from ingest.crawl.targets import Choice

    chosen = (options.author, options.tag, options.downloads, options.most)
    if options.list is not None and any(chosen):
        raise UsageError(
            "a list in a file is read as a whole: leave out --author, --tag, --downloads and --most"
        )
    if options.list is None and not any(chosen):
        raise UsageError("what to crawl? Name a file with repos, or choose with --author, --tag or --most N")
    choice = Choice(options.author, tuple(options.tag), options.downloads or 0, options.most)
    what = Options(options.update, options.retry, options.dry_run)
    return run(options.list or choice, options.lake, what, quiet=options.quiet)


@command(interrupted="interrupted: every model is still in the lake; run the same command again")
def compact(options: argparse.Namespace) -> int:
    with loading():
        from warehouse.lake import existing_lake
        from warehouse.storage.commit import write_lock
        from warehouse.storage.compaction import compact

    lake = existing_lake(options.lake)
    with write_lock(lake):
        moved = compact(lake)
    files = sum(1 for _ in lake.folder.rglob("*.parquet"))
    done = f"{counted(moved, 'model')} moved into bundles" if moved else "nothing to compact"
    held = f"{counted(len(lake.model_names()), 'model')} in {counted(files, 'file')}"
    print(f"lake {lake.name}: {done}; {held}")
    return 0


def serve(options: argparse.Namespace) -> int:
    """0 when interrupted, the normal end; 1 if the port is not available."""
    with loading():
        import asyncio

        from ingest.replica.server import serve_until_ended

    try:
        asyncio.run(
            serve_until_ended(
                options.port,
                delay=options.delay_ms / 1000,
                redirect=not options.no_redirect,
                until_stdin_closes=options.until_stdin_closes,
                population=options.population,
                quota=options.quota,
            )
        )
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        why = "in use" if error.errno == errno.EADDRINUSE else "not allowed"
        print(
            f"port {options.port} is {why}; choose another with --port, or 0 for any free one",
            file=sys.stderr,
        )
        return 1
    return 0


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


def ingest_packages(options: argparse.Namespace) -> int:
    with loading():
        from ingest.packaged.models import ingest_packaged

    count = ingest_packaged(options.models, options.lake)
    print(f"{count} models out of packages are in lake {options.lake}", file=sys.stderr)
    return 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
