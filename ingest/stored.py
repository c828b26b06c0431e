"""What a lake has already, as an ingest asks it: whence its models are, and what was read of one."""

from __future__ import annotations

from collections.abc import Iterable

from ingest.formats.tensor_names import projection
from ingest.markers import is_replica_commit
from warehouse import VERSION
from warehouse.catalog.catalog import bundled_sources
from warehouse.errors import LakeError
from warehouse.integrity.damage import damage_of
from warehouse.lake import Lake


def stored_sources(lake: Lake) -> set[str]:
    """Where the lake's models are from; an earlier version could take the replica's for the hub's."""
    try:
        return _sources(lake.origins()) | bundled_sources(lake)
    except LakeError:
        # Of a damaged row there is no telling; it is read anew or named by others. All others still count.
        return _sources(lake.columns("repo", "commit", "source"))


def _sources(origins: Iterable[tuple[str, str, str]]) -> set[str]:
    return {"replica" if is_replica_commit(repo, commit) else source for repo, commit, source in origins}


def is_current(lake: Lake, alias: str, commit: str, projections: frozenset[int]) -> bool:
    """Whether the lake has this commit, whole, read by this version, with at least these projections."""
    if not lake.has(alias) or damage_of(lake, alias):
        return False
    row = lake.model(alias)
    same = row.commit == commit and row.tool_version == VERSION and row.files is not None
    return same and projections <= stored_projections(lake, alias)


def stored_projections(lake: Lake, alias: str) -> frozenset[int]:
    """Layers whose matrices the lake has."""
    there = lake.stem_of(alias) or alias
    if not lake.file("projections", alias).exists() or not lake.file("tensors", there).exists():
        return frozenset()
    return frozenset(matrix.layer for row in lake.tensors(alias) if (matrix := projection(row.tensor)))
