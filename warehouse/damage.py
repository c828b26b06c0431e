"""Whether a model's files are what was written: sizes and digests against its row of `models`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from warehouse.digests import stored_file
from warehouse.errors import LakeError
from warehouse.lake import Lake, is_part, relative_file
from warehouse.parts import GATHERED, damage_of_part


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


def damage_to_read_anew(lake: Lake, model: str) -> str:
    """The same, if reading the model anew mends it; in a part it does not, and what does is said."""
    damage = damage_of(lake, model)
    if damage and (holder := lake.holder(model) or model) != model:
        raise LakeError(f"{damage}: {remedy(holder)}")
    return damage


def damage_of_holder(lake: Lake, holder: str) -> str:
    """The same of a model by itself or a whole part, byte by byte."""
    if is_part(holder):
        return damage_of_part(lake.path, holder, thorough=True)
    return damage_of(lake, holder)


def without_row(lake: Lake) -> dict[str, str]:
    """Models and parts that do not count, because their file of `models` is gone; the first that is there."""
    counted = set(lake.holders())
    found: dict[str, str] = {}
    for table in GATHERED:
        for holder in lake.names_in(table):
            if holder not in counted:
                found.setdefault(holder, relative_file(table, holder))
    return found


def remedy(holder: str) -> str:
    """What helps a damaged model or part; of a part no model can be mended alone, for the rows of others."""
    if not is_part(holder):
        return f"the next `just ingest` of {holder} reads it anew"
    return (
        f"put a copy back, or delete the folder {holder} of every table and crawl or ingest its models anew "
        "(each of its files names them)"
    )


def broken_parts(lake: Lake) -> Iterator[tuple[str, str]]:
    """Parts with a file that is gone or cut short, and what is wrong; a glance at each, not every byte."""
    for part in filter(is_part, without_row(lake)):
        yield part, f"{relative_file('models', part)} is missing"
    for part in lake.parts():
        if damage := damage_of_part(lake.path, part):
            yield part, damage


def refuse_broken_parts(lake: Lake) -> None:
    """For what adds models: those of such a part would count as there, or come a second time."""
    for part, damage in broken_parts(lake):
        raise LakeError(f"lake {lake.name!r} is damaged, and nothing is added: {damage}; {remedy(part)}")


def refuse_to_gather(lake: Lake, holders: Sequence[str]) -> None:
    """A byte outside the checksums of pages would be copied, and the part's digests would vouch for it."""
    every_byte = ((holder, damage_of_holder(lake, holder)) for holder in holders)
    for holder, damage in chain(broken_parts(lake), every_byte):
        if damage:
            raise LakeError(
                f"lake {lake.name!r} is damaged, and nothing of it is gathered: {damage}; "
                f"`just check {lake.name}` names all such files, {remedy(holder)}"
            )


def refuse_damaged(lake: Lake) -> None:
    """For what judges: DuckDB reads past checksums, and a verdict on damaged bytes would be a false word."""
    for name in lake.holders():
        if damage := damage_of_holder(lake, name):
            raise LakeError(
                f"lake {lake.name!r} is damaged, and nothing is judged on it: {name}: {damage}; "
                f"`just check {lake.name}` names all, {remedy(name)}"
            )
