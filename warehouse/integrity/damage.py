"""Compares the files of a model or bundle with the sizes and digests in its file of `models`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.errors import LakeError
from warehouse.integrity.inspection import refuse_malformed
from warehouse.lake import Lake
from warehouse.paths import is_bundle, relative_file
from warehouse.storage.bundles import FILES
from warehouse.storage.digests import stored_file
from warehouse.storage.parquet import PREFIX, sealed_content
from warehouse.tables import PER_MODEL

if TYPE_CHECKING:
    from warehouse.rows import StoredFile


def damage_of(lake: Lake, model: str) -> str:
    """The first damaged file of a model and what is wrong with it, or an empty text.

    Does not read every byte of a bundle.
    """
    stem = lake.stem_of(model)
    return "" if stem is None else damage_of_stem(lake, stem, thorough=not is_bundle(stem))


def damage_of_stem(lake: Lake, stem: str, *, thorough: bool = True) -> str:
    """The same for a single model or a whole bundle; `thorough` compares every byte with the digests."""
    named = relative_file("models", stem)
    try:
        known = _files_of_bundle(lake, stem) if is_bundle(stem) else _files_of_model(lake, stem)
    except LakeError:
        return f"{named} is not what was written"
    if known is None:
        return f"{named} does not name the other files of its {'bundle' if is_bundle(stem) else 'model'}"
    for one in known:
        path = lake.folder / one["file"]
        if not path.exists():
            return f"{one['file']} is missing"
        if (size := path.stat().st_size) != one["bytes"]:
            return f"{one['file']} has {size:,} bytes, not {one['bytes']:,}"
        if thorough and stored_file(one["file"], path) != one:
            return f"{one['file']} is not what was written"
    return ""


def _files_of_model(lake: Lake, model: str) -> list[StoredFile] | None:
    """Its other files; None if the list lacks one that every model has, or names files of others."""
    files = lake.model(model).files or []
    named = {str(one["file"]) for one in files}
    tables = {file.partition("/")[0] for file in named}
    own = {relative_file(table, model) for table in tables if table.isidentifier()}
    return files if named == own and {*PER_MODEL} - {"models"} <= tables else None


def _files_of_bundle(lake: Lake, bundle: str) -> list[StoredFile] | None:
    """Its other files; None if the list is not of exactly those."""
    content = sealed_content(lake.file("models", bundle))
    try:
        metadata = pq.read_metadata(pa.BufferReader(content)).metadata or {}
        known: list[StoredFile] = json.loads(metadata[f"{PREFIX}{FILES}".encode()])
        named = sorted(str(one["file"]) for one in known if isinstance(one["bytes"], int))
    except (OSError, LookupError, TypeError, ValueError, RecursionError, pa.ArrowException):
        return None
    # a hostile list could name any file
    others = sorted(relative_file(table, bundle) for table in PER_MODEL if table != "models")
    return known if named == others else None


def damage_to_reread(lake: Lake, model: str) -> str:
    """The same, if reading the model again repairs it. LakeError if its bundle is damaged."""
    damage = damage_of(lake, model)
    if damage and (stem := lake.stem_of(model) or model) != model:
        raise LakeError(f"{damage}: {remedy(stem)}")
    return damage


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
        if damage := damage_of_stem(lake, bundle, thorough=False):
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
