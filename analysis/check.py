"""`just check [LAKE]`: verifies every byte of a lake, and says how to repair what is damaged."""

from __future__ import annotations

from warehouse.console.output import counted, remark, show
from warehouse.integrity.check import Checked, check_lake
from warehouse.integrity.damage import remedy
from warehouse.lake import existing_lake


def run_check(lake_name: str | None) -> int:
    """1 when something is damaged."""
    lake = existing_lake(lake_name)
    checked = check_lake(lake)
    for what, wrong in checked.damaged.items():
        show(f"{what}: {wrong}")
    if checked.unlike:
        remark(f"{checked.unlike:,} vectors or slices cannot be put back into the bytes they were read from")
    if checked.damaged:
        show(f"lake {lake.name}: {len(checked.damaged)} damaged; {advice(checked)}")
        return 1
    held = [counted(checked.models, "model"), counted(checked.vectors, "vector")]
    held += [counted(checked.slices, "slice")] if checked.slices else []
    show(f"lake {lake.name}: {', '.join(held)}, all as they were written")
    return 0


def advice(checked: Checked) -> str:
    """How to repair what is damaged: the models of a bundle are ingested again together."""
    bundles = [what.removeprefix("bundle ") for what in checked.damaged if what.startswith("bundle ")]
    others = "the next `just ingest` of a model reads it again"
    if not bundles:
        return others
    return remedy(bundles[0]) + (f"; {others}" if len(bundles) < len(checked.damaged) else "")
