"""Error rates from known pairs: what the test sees of each transformation, and what it sees where nothing is.

All of it is SQL: `sql/calibration/` over the table `known`, which has the columns of `calibration_pairs`.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa

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
        return {name: own.sql(read_query(query)).to_arrow_table() for name, query in TABLES.items()}
