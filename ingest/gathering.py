"""`just compact`: moves the models of a lake into bundles (warehouse/storage/compaction.py)."""

from __future__ import annotations

import argparse

from warehouse.console.command import Commands, add_lake, command
from warehouse.console.interrupts import loading


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "compact",
        prog="just compact",
        help="gather the models of a lake into larger files",
        description="Move the models of a lake into bundles of some thousand, one file per table. Nothing "
        "else changes; ingest does so by itself when there are many single models.",
    )
    add_lake(parser)
    parser.set_defaults(run=main)


@command(interrupted="interrupted: every model is still in the lake; the same command begins anew")
def main(options: argparse.Namespace) -> int:
    with loading():
        from warehouse.lake import existing_lake
        from warehouse.storage.commit import write_lock
        from warehouse.storage.compaction import compact

    lake = existing_lake(options.lake)
    with write_lock(lake):
        moved = compact(lake)
    files = sum(1 for _ in lake.folder.rglob("*.parquet"))
    done = f"{moved:,} models moved into bundles" if moved else "nothing to compact"
    print(f"lake {lake.name}: {done}; {len(lake.model_names()):,} models in {files:,} files")
    return 0
