"""The pairs of a zoo whose relation is known, each with every statistic: what a calibration is made from.

Which pairs these are says `sql/calibration/known_pairs.sql`.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa

from warehouse.catalog.definitions import read_query
from warehouse.errors import LakeError
from warehouse.lake import Lake

TRUTH_FILE = "lineage_truth/lineage_truth.parquet"


def known_pairs(connection: duckdb.DuckDBPyConnection, lake: Lake) -> pa.Table:
    """The table `calibration_pairs`."""
    path = truth_file(lake)
    with connection.cursor() as own:
        own.execute("create temp table truth as from read_parquet(?, hive_partitioning = false)", [str(path)])
        return own.sql(read_query("calibration/known_pairs")).to_arrow_table()


def truth_file(lake: Lake) -> Path:
    path = lake.folder / TRUTH_FILE
    if not path.exists():
        raise LakeError(
            f"lake {lake.name!r} does not say who descends from whom: `just zoo` makes one that does"
        )
    return path
