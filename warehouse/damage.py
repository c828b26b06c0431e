"""Whether a model's files are what was written: sizes and digests against its row of `models`."""

from __future__ import annotations

from warehouse.digests import stored_file
from warehouse.errors import LakeError
from warehouse.lake import Lake, is_part, relative_file
from warehouse.parts import damage_of_part


def damage_of(lake: Lake, model: str) -> str:
    """The first damaged file of a model and what is wrong with it; empty if there is none to be seen."""
    holder = lake.holder(model)
    if holder is None:
        return ""
    if is_part(holder):
        return damage_of_part(lake.path, holder)
    try:
        row = lake.model(model)
    except LakeError:
        return f"{relative_file('models', model)} cannot be read"
    for known in row.files or ():
        path = lake.path / known["file"]
        if not path.exists():
            return f"{known['file']} is missing"
        if (size := path.stat().st_size) != known["bytes"]:
            return f"{known['file']} has {size:,} bytes, not {known['bytes']:,}"
        if stored_file(known["file"], path) != known:
            return f"{known['file']} is not what was written"
    return ""


def damage_of_holder(lake: Lake, holder: str) -> str:
    """The same of a model by itself or a whole part, byte by byte."""
    if is_part(holder):
        return damage_of_part(lake.path, holder, thorough=True)
    return damage_of(lake, holder)


def refuse_damaged(lake: Lake) -> None:
    """For what judges: DuckDB reads past checksums, and a verdict on damaged bytes would be a false word."""
    for name in lake.holders():
        if damage := damage_of_holder(lake, name):
            raise LakeError(
                f"lake {lake.name!r} is damaged, and nothing is judged on it: {name}: {damage}; "
                f"`just check {lake.name}` names all, the next `just ingest` of the model reads it anew"
            )
