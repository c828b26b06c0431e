"""Error rates from known pairs: what the test sees of each transformation, and what it sees where nothing is.

All of it is SQL: `sql/calibration/` over the table `known`, which has the columns of `calibration_pairs`.
"""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa

from analysis.lineage.intervals import over_models
from warehouse.catalog.definitions import read_query

TABLES = {
    "calibration_transformations": "calibration/transformations",
    "calibration_null": "calibration/null_distribution",
    "calibration_false_positives": "calibration/false_positives",
}


def error_rates(connection: duckdb.DuckDBPyConnection, known: pa.Table) -> dict[str, pa.Table]:
    """The three tables by name; `connection` is one to a catalog, for the thresholds."""
    with connection.cursor() as own:
        own.register("known", known)
        own.execute(f"create temp view unrelated_pairs as {read_query('calibration/unrelated_pairs')}")
        found = {name: own.sql(read_query(query)).to_arrow_table() for name, query in TABLES.items()}
        table = found["calibration_false_positives"]
        rows = [{**row, **_interval(own, row)} for row in table.to_pylist()]
        return {**found, "calibration_false_positives": pa.Table.from_pylist(rows, table.schema)}


def _interval(connection: duckdb.DuckDBPyConnection, row: dict[str, Any]) -> dict[str, float]:
    """Pairs share models: models are drawn, not pairs."""
    query = (
        f"select model_a, model_b, {row['statistic']} > $cut from unrelated_pairs where grouping = $grouping"
    )
    given = {"cut": row["cut"], "grouping": row["grouping"]}
    low, high = over_models(connection.execute(query, given).fetchall())
    return {"low": low, "high": high}
