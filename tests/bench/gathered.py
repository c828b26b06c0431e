"""`python -m tests.bench.gathered FOLDER MODELS LAYERS WIDTH`: make a compacted lake of made-up families.

In a process of its own, so that what measures the lake needs little memory.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from tests.bench.families import SIZE, Norms, families
from tests.sql.lakes import model_row, tensor_row
from warehouse.features.build import build_features
from warehouse.features.vectors import unpacked_norms
from warehouse.lake import Lake
from warehouse.rows import ModelRow, Vector
from warehouse.storage.commit import new_commit, write_lock
from warehouse.storage.compaction import BUNDLE_MODELS, NewModel, rows_of_new, write_bundle
from warehouse.storage.digests import norms_digest

BATCH_VALUES = 1 << 20


def with_features(models: Iterable[tuple[ModelRow, Norms]]) -> Iterator[NewModel]:
    """Models of one size, with their features, which are built in batches."""
    left = iter(models)
    for first in left:
        size = sum(len(values) for values in first[1].values())
        batch = [first, *islice(left, BATCH_VALUES // size)]
        vectors = {
            row.model: [Vector(tensor_row(*key, values), values) for key, values in sorted(norms.items())]
            for row, norms in batch
        }
        rows = [replace(row, norms_digest=norms_digest(vectors[row.model])) for row, _ in batch]
        unpacked = [one for model, norms in vectors.items() for one in unpacked_norms(model, norms)]
        features = build_features(unpacked, rows)
        yield from (NewModel(row, vectors[row.model], features) for row in rows)


def of_families(first: int, count: int, layers: int, width: int) -> Iterator[tuple[ModelRow, Norms]]:
    for name, norms in families(first, count, layers, width):
        yield replace(model_row(name, "local"), hidden_size=width), norms


def gathered(path: Path, models: Iterable[tuple[ModelRow, Norms]]) -> Lake:
    """A lake with bundles as `just compact` leaves them."""
    lake = Lake(path.name, path)
    new = with_features(models)
    with write_lock(lake), new_commit(lake) as commit:
        while some := list(islice(new, BUNDLE_MODELS)):
            write_bundle(commit, partial(rows_of_new, some))
        commit.publish()
    return lake


if __name__ == "__main__":
    folder, (count, layers, width) = Path(sys.argv[1]), map(int, sys.argv[2:])
    gathered(folder, of_families(0, count // SIZE, layers, width))
