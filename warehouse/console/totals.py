"""How much a lake holds, said at the end of an ingest."""

from __future__ import annotations

from dataclasses import dataclass

from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import read_query
from warehouse.lake import Lake


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
        fingerprint=lake.fingerprint(),
    )
