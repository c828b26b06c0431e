"""Gathered lakes of made-up families, written part by part as `just compact` would leave them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

import pyarrow as pa

from tests.bench.families import SIZE, Norms, families
from tests.sql.lakes import model_row, tensor_row
from warehouse.catalog.catalog import ensure_catalog
from warehouse.features.build import ModelFeatures, build_features
from warehouse.features.vectors import unpacked_norms
from warehouse.lake import Lake
from warehouse.rows import ModelRow, Vector
from warehouse.storage.bundles import runs_of_models
from warehouse.storage.commit import new_commit, write_lock
from warehouse.storage.compaction import BUNDLE_MODELS, write_bundle
from warehouse.storage.digests import VectorDigests
from warehouse.storage.parquet import model_rows, norm_rows, tensor_table

BATCH_VALUES = 1 << 22


def made(path: Path, models: int, layers: int, width: int) -> tuple[Lake, float]:
    """A gathered lake of families, and the CPU seconds that packing took a model."""
    of_families = families(0, models // SIZE, layers, width)
    return gathered(path, ((model_row(name, "local"), norms) for name, norms in of_families), layers, width)


def gathered(
    path: Path, models: Iterable[tuple[ModelRow, Norms]], layers: int, width: int
) -> tuple[Lake, float]:
    """A gathered lake of models of one size, and the CPU seconds that packing took a model."""
    lake = Lake(path.name, path)
    packing, count = 0.0, 0
    size = max(BATCH_VALUES // ((2 * layers + 1) * width), 1)
    left = iter(models)
    with write_lock(lake):
        while bundled := list(islice(left, BUNDLE_MODELS)):
            batches = []
            for begin in range(0, len(bundled), size):
                some = bundled[begin : begin + size]
                norms = [
                    (
                        row.model,
                        [Vector(tensor_row(*key, values), values) for key, values in sorted(made.items())],
                    )
                    for row, made in some
                ]
                rows = [
                    replace(row, norms_digest=_digest(of))
                    for (row, _), (_, of) in zip(some, norms, strict=True)
                ]
                vectors = [one for name, of in norms for one in unpacked_norms(name, of)]
                began = time.process_time()
                packed = build_features(vectors, rows)
                packing += time.process_time() - began
                batches.append(Batch(norms, rows, packed))
            with new_commit(lake) as commit:
                write_bundle(commit, partial(_rows, batches))
                commit.publish()
            count += len(bundled)
    ensure_catalog(lake)
    return lake, packing / count


@dataclass(frozen=True)
class Batch:
    """Models that were packed together."""

    norms: Sequence[tuple[str, Sequence[Vector]]]
    models: Sequence[ModelRow]
    packed: ModelFeatures


def _rows(batches: Sequence[Batch], table: str) -> Iterator[pa.Table]:
    for batch in batches:
        for model, norms in batch.norms:
            if table == "norms":
                yield norm_rows(model, norms)
            if table == "tensors":
                yield tensor_table(model, [one.row for one in norms])
        if table == "models":
            yield model_rows(batch.models)
        if table in batch.packed:
            for _, rows in runs_of_models(batch.packed[table]):
                yield rows


def _digest(norms: Sequence[Vector]) -> str:
    digests = VectorDigests()
    for one in norms:
        digests.add(one.row.layer, one.row.ln_type, one.values)
    return digests.digest()
