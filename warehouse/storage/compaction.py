"""Compaction: moves models into bundles of some thousand, one file per table.

Ingest writes single models; a hundred thousand would be half a million files. Rows are copied as they are,
ordered by width and name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from warehouse.integrity.damage import refuse_to_compact
from warehouse.lake import Lake
from warehouse.storage.bundle_writer import Source, keys_of, merged, remove_files, write_bundle
from warehouse.storage.commit import new_commit

BUNDLE_MODELS = 4_000
# With so many single models, every commit that links their files and every query that opens them takes long.
MANY_SINGLES = 100


def compact(lake: Lake, bundle_models: int = BUNDLE_MODELS) -> int:
    """Move all single models, and those of bundles that are less than half full, into new bundles.

    Call while holding the write lock; returns how many models were moved.
    """
    small = [source for source in _bundles(lake) if 2 * len(source.models) < bundle_models]
    singles = _singles(lake)
    if not singles and len(small) == 1:
        small = []
    return _merge(lake, [*small, *singles], bundle_models)


def compact_if_many(lake: Lake) -> int:
    """The same for many single models, together with such bundles only that are not much larger than what
    they are merged with: so a model is moved a few times in all, however many arrive one by one."""
    singles = lake.single_models()
    if len(singles) < MANY_SINGLES:
        return 0
    chosen, count = _singles(lake), len(singles)
    for source in sorted(_bundles(lake), key=lambda source: len(source.models)):
        size = len(source.models)
        if size > 2 * count or 2 * size >= BUNDLE_MODELS:
            break
        chosen.append(source)
        count += size
    return _merge(lake, chosen, BUNDLE_MODELS)


def _merge(lake: Lake, sources: Sequence[Source], bundle_models: int) -> int:
    if len(sources) < 2:
        sources = []
    refuse_to_compact(lake, [source.stem for source in sources])
    if not sources:
        return 0
    keys = sorted(key for source in sources for key in source.models)
    with new_commit(lake) as commit:
        for begin in range(0, len(keys), bundle_models):
            some = set(keys[begin : begin + bundle_models])
            write_bundle(commit, partial(merged, commit.lake, sources, some))
        for source in sources:
            remove_files(commit, source.stem)
        commit.publish()
    return len(keys)


def _bundles(lake: Lake) -> list[Source]:
    return [Source(stem, tuple(keys_of(lake, stem))) for stem in lake.bundles()]


def _singles(lake: Lake) -> list[Source]:
    return [Source(stem, tuple(keys_of(lake, stem))) for stem in lake.single_models()]
