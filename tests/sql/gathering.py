"""Small lakes, their compaction and their contents."""

from __future__ import annotations

from pathlib import Path

from tests.sql.lakes import random_model, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake
from warehouse.storage.commit import write_lock
from warehouse.storage.compaction import compact

TABLES = ("norms", "tensors", "vectors", "detrended_ranks", "correlations", "sketches")
ORDER = {
    "norms": ["model", "ln_type", "layer", "dim"],
    "correlations": ["model", "kind"],
    "sketches": ["model"],
}


def small_lake(path: Path) -> Lake:
    return write_lake(path, {name: random_model(seed) for seed, name in enumerate("abcdef", start=1)})


def gather(lake: Lake, bundle_models: int = 4000) -> int:
    with write_lock(lake):
        return compact(lake, bundle_models)


def contents(lake: Lake) -> dict[str, str]:
    """Every row of every table, as text (NaN differs from itself)."""
    with open_catalog(lake) as connection:
        stored = {
            table: repr(connection.sql(f"from files.{table} order by {order}").fetchall())
            for table in TABLES
            for order in [", ".join(ORDER.get(table, ["model", "ln_type", "layer"]))]
        }
        models = connection.sql(
            "select * exclude (files, ingested_at) from files.models order by model"
        ).fetchall()
    return {**stored, "models": repr(models)}
