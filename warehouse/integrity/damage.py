"""Compares the files of a model or bundle with the sizes and digests in its file of `models`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from warehouse.errors import LakeError
from warehouse.integrity.inspection import refuse_malformed
from warehouse.lake import Lake
from warehouse.paths import is_bundle, relative_file
from warehouse.storage.bundles import damage_of_bundle
from warehouse.storage.digests import stored_file
from warehouse.tables import PER_MODEL

if TYPE_CHECKING:
    from warehouse.rows import StoredFile


def damage_of(lake: Lake, model: str) -> str:
    """The first damaged file of a model and what is wrong with it, or an empty text."""
    stem = lake.stem_of(model)
    if stem is None:
        return ""
    if is_bundle(stem):
        return damage_of_bundle(lake.folder, stem)
    try:
        files = lake.model(model).files or []
    except LakeError:
        return f"{relative_file('models', model)} is not what was written"
    if not _are_all_files(model, files):
        return f"{relative_file('models', model)} does not name the other files of its model"
    for known in files:
        path = lake.folder / known["file"]
        if not path.exists():
            return f"{known['file']} is missing"
        if (size := path.stat().st_size) != known["bytes"]:
            return f"{known['file']} has {size:,} bytes, not {known['bytes']:,}"
        if stored_file(known["file"], path) != known:
            return f"{known['file']} is not what was written"
    return ""


def _are_all_files(model: str, files: Sequence[StoredFile]) -> bool:
    """Whether these are files of this model and include all that every model has."""
    named = {str(one["file"]) for one in files}
    tables = {file.partition("/")[0] for file in named}
    own = {relative_file(table, model) for table in tables if table.isidentifier()}
    return named == own and {*PER_MODEL} - {"models"} <= tables


def damage_to_reread(lake: Lake, model: str) -> str:
    """The same, if reading the model again repairs it. LakeError if its bundle is damaged."""
    damage = damage_of(lake, model)
    if damage and (stem := lake.stem_of(model) or model) != model:
        raise LakeError(f"{damage}: {remedy(stem)}")
    return damage


def damage_of_stem(lake: Lake, stem: str) -> str:
    """The same for a single model or a whole bundle, byte by byte."""
    if is_bundle(stem):
        return damage_of_bundle(lake.folder, stem, thorough=True)
    return damage_of(lake, stem)


def without_row(lake: Lake) -> dict[str, str]:
    """Models and bundles whose file of `models` is missing, with another of their files."""
    counted = set(lake.stems())
    found: dict[str, str] = {}
    for table in PER_MODEL:
        for stem in lake.stems(table):
            if stem not in counted:
                found.setdefault(stem, relative_file(table, stem))
    return found


def remedy(stem: str) -> str:
    """How to repair a damaged model or bundle. A model of a bundle cannot be repaired alone."""
    if not is_bundle(stem):
        return f"the next `just ingest` of {stem} reads it again"
    return (
        f"put a copy back, or delete {stem}.parquet of every table and crawl or ingest its models again "
        "(each of its files names them)"
    )


def broken_bundles(lake: Lake) -> Iterator[tuple[str, str]]:
    """Bundles with a missing or truncated file, and what is wrong. Does not read every byte."""
    for bundle in filter(is_bundle, without_row(lake)):
        yield bundle, f"{relative_file('models', bundle)} is missing"
    for bundle in lake.bundles():
        if damage := damage_of_bundle(lake.folder, bundle):
            yield bundle, damage


def refuse_broken_bundles(lake: Lake) -> None:
    """Call before models are added: those of a broken bundle would be kept as stored or stored twice."""
    for bundle, damage in broken_bundles(lake):
        raise LakeError(f"lake {lake.name!r} is damaged, and nothing is added: {damage}; {remedy(bundle)}")


def refuse_to_compact(lake: Lake, stems: Sequence[str]) -> None:
    """Compaction would copy a damaged byte outside page checksums and give it a valid digest."""
    every_byte = ((stem, damage_of_stem(lake, stem)) for stem in stems)
    for stem, damage in chain(broken_bundles(lake), every_byte):
        if damage:
            raise LakeError(
                f"lake {lake.name!r} is damaged, and nothing of it is compacted: {damage}; "
                f"`just check {lake.name}` names all such files, {remedy(stem)}"
            )


def refuse_damaged(lake: Lake, what: str = "nothing is judged on it") -> None:
    """DuckDB does not verify checksums, so results and copies of damaged bytes would be wrong."""
    if not lake.is_ours:
        refuse_malformed(lake)
    lake = lake.pinned()
    for name in lake.stems():
        if damage := damage_of_stem(lake, name):
            raise LakeError(
                f"lake {lake.name!r} is damaged, and {what}: {name}: {damage}; "
                f"`just check {lake.name}` names all, {remedy(name)}"
            )
