"""The fingerprint of a lake and how much it holds, without a catalog if the lake is small.

The fingerprint covers each model's name, repo, commit, source and the digests of its norms and projections.
Slices do not count: no claim reads them, and `just lineage` says of each pair which layers it read.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import reduce
from operator import xor

from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import read_query
from warehouse.lake import Lake

HASHED = ("model", "repo", "commit", "source", "norms_digest", "projections_digest")


def fingerprint_of(lake: Lake) -> str:
    """Of a few models from their files, which takes less than a catalog; of many by their catalog."""
    if lake.bundles():
        with open_catalog(lake) as connection:
            [(found,)] = connection.sql("select fingerprint from lake").fetchall()
        return str(found)
    return f"{reduce(xor, (_model_hash(lake, model) for model in lake.single_models()), 0):012x}"


def _model_hash(lake: Lake, model: str) -> int:
    """As sql/views/_model_hashes.sql has it."""
    row = lake.model(model)
    values = (getattr(row, name) for name in HASHED)
    text = "\t".join(value for value in values if value is not None) + "\n"
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)


@dataclass(frozen=True)
class Totals:
    models: int
    vectors: int
    values: int
    file_bytes: int
    fingerprint: str


def totals(lake: Lake) -> Totals:
    """Of a small lake without its catalog, which takes longer to build than a few files to read."""
    if lake.bundles():
        with open_catalog(lake) as connection:
            [row] = connection.sql(read_query("report/totals")).fetchall()
        return Totals(*row)
    models = [lake.model(name) for name in lake.single_models()]
    tensors = [tensor for row in models for tensor in lake.tensors(row.model)]
    return Totals(
        models=len(models),
        vectors=len(tensors),
        values=sum(tensor.values for tensor in tensors),
        file_bytes=sum(row.file_bytes or 0 for row in models),
        fingerprint=fingerprint_of(lake),
    )
