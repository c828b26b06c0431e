"""`just compact`: gathers the models of a lake into larger files (warehouse/compact.py)."""

from __future__ import annotations

import argparse

from warehouse.command import Commands, add_lake, command


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "compact",
        prog="just compact",
        help="gather the models of a lake into larger files",
        description="Gather the models of a lake into parts of some thousand, one file a table. Nothing else "
        "changes; ingest does so by itself when many models have files of their own.",
    )
    add_lake(parser)
    parser.set_defaults(run=main)


@command(interrupted="interrupted: every model is still in the lake; the same command begins anew")
def main(options: argparse.Namespace) -> int:
    from warehouse.changes import writing
    from warehouse.compact import compact
    from warehouse.lake import existing_lake

    lake = existing_lake(options.lake)
    with writing(lake):
        moved = compact(lake)
    files = sum(1 for _ in lake.path.rglob("*.parquet"))
    done = f"{moved:,} models gathered" if moved else "nothing to gather"
    print(f"lake {lake.name}: {done}; {len(lake.model_names()):,} models in {files:,} files")
    return 0
