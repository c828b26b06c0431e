"""`just check [LAKE]`: what a check of a lake found, in words."""

from __future__ import annotations

import sys

from warehouse.check import Checked, check_lake
from warehouse.damage import remedy
from warehouse.lake import existing_lake


def run_check(lake_name: str | None) -> int:
    """1 when something is damaged."""
    lake = existing_lake(lake_name)
    checked = check_lake(lake)
    for what, wrong in checked.damaged.items():
        print(f"{what}: {wrong}")
    for line in remarks(checked):
        print(line, file=sys.stderr)
    if checked.damaged:
        print(f"lake {lake.name}: {len(checked.damaged)} damaged; {advice(checked)}")
        return 1
    held = f"{checked.models} models, {checked.vectors:,} vectors"
    held += f", {checked.slices:,} slices" if checked.slices else ""
    print(f"lake {lake.name}: {held}, all as they were written")
    return 0


def advice(checked: Checked) -> str:
    """What mends them: a part holds the rows of many models, which are brought anew together."""
    parts = [what.removeprefix("part ") for what in checked.damaged if what.startswith("part ")]
    others = "the next `just ingest` of a model reads it anew"
    if not parts:
        return others
    return remedy(parts[0]) + (f"; {others}" if len(parts) < len(checked.damaged) else "")


def remarks(checked: Checked) -> list[str]:
    """What could not be verified."""
    lines = []
    if checked.unlike:
        lines.append(
            f"{checked.unlike:,} vectors or slices cannot be put back into the bytes they were read from"
        )
    if checked.undigested:
        names = ", ".join(checked.undigested[:5]) + (", …" if len(checked.undigested) > 5 else "")
        lines.append(f"written without digests by an earlier version: {names}; ingest them anew to have some")
    return lines
