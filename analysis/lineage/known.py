"""The pairs of a zoo whose relation is known, each with every statistic: what a calibration is made from.

Which pairs these are says `sql/calibration/known_pairs.sql`.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa

from analysis.lineage.pair import NormReader, add_permutations
from warehouse.definitions import read_query
from warehouse.empty import CALIBRATION_PAIRS
from warehouse.errors import LakeError
from warehouse.lake import Lake

TRUTH_FILE = "lineage_truth/lineage_truth.parquet"
MAPPED_PERMUTATIONS = 200


def known_pairs(connection: duckdb.DuckDBPyConnection, lake: Lake) -> pa.Table:
    """z_eff is the one that the verdict is about: with layers mapped blindly where depths differ."""
    path = truth_file(lake)
    with connection.cursor() as own:
        own.execute("create temp table truth as from read_parquet(?)", [str(path)])
        found = own.sql(read_query("calibration/known_pairs")).to_arrow_table().to_pylist()
    read = NormReader(connection)
    rows = []
    for row in found:
        pair = add_permutations(read, row, 0, MAPPED_PERMUTATIONS, seed=0)
        known = {name: row[name] for name in CALIBRATION_PAIRS.names if name in row}
        known |= {"cosine": row["cosine_mean"], "pearson": row["pearson_mean"], "z_eff": pair.z}
        rows.append(known | {"is_mapped": pair.mapped is not None, "verdict": pair.verdict})
    return pa.Table.from_pylist(rows, CALIBRATION_PAIRS)


def truth_file(lake: Lake) -> Path:
    path = lake.path / TRUTH_FILE
    if not path.exists():
        raise LakeError(
            f"lake {lake.name!r} does not say who descends from whom: `just zoo` makes one that does"
        )
    return path
