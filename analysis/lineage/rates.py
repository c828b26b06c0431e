"""Pairs of known relation in a zoo, error rates from them, and intervals of rates.

Which pairs are known says `sql/calibration/known_pairs.sql`; the rates are the other queries of
`sql/calibration/` over the table `known`. Intervals are Wilson's for counts, and a bootstrap over models for
pairs that share models.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from warehouse.catalog.definitions import read_query
from warehouse.errors import LakeError
from warehouse.lake import Lake

TRUTH_FILE = "lineage_truth/lineage_truth.parquet"
TABLES = {
    "calibration_transformations": "calibration/transformations",
    "calibration_null": "calibration/null_distribution",
    "calibration_false_positives": "calibration/false_positives",
}
# Two-sided 95 % of the normal distribution.
Z = 1.96
DRAWS = 400


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


def wilson(found: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a rate; from 0 to 1 if nothing was counted."""
    if of == 0:
        return 0.0, 1.0
    rate, divisor = found / of, 1 + Z**2 / of
    centre = (rate + Z**2 / 2 / of) / divisor
    half = Z * sqrt(rate * (1 - rate) / of + Z**2 / 4 / of**2) / divisor
    return max(0.0, centre - half), min(1.0, centre + half)


def counted(found: int, of: int, what: str) -> str:
    """`3 of 40 children are found (95 % interval 2.6 to 20 %)`."""
    return f"{found:,} of {of:,} {what} ({interval(found, of)})"


def interval(found: int, of: int) -> str:
    """`95 % interval 2.6 to 20 %`."""
    low, high = (100 * bound for bound in wilson(found, of))
    return f"95 % interval {low:.2g} to {high:.3g} %"


def over_models(pairs: Sequence[tuple[str, str, bool]], seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of the share of pairs that hold, by drawing models with replacement.

    A model that is drawn twice counts twice in each of its pairs: pairs that share a model are no independent
    trials. Where no pair holds, or all do, only pairs without a model in common are counted, by Wilson.
    """
    held = sum(holds for _, _, holds in pairs)
    names = sorted({name for one, other, _ in pairs for name in (one, other)})
    if held in (0, len(pairs)):
        disjoint = max(1, min(len(pairs), len(names) // 2))
        return wilson(disjoint if held else 0, disjoint)
    at = {name: index for index, name in enumerate(names)}
    first = np.array([at[one] for one, _, _ in pairs])
    second = np.array([at[other] for _, other, _ in pairs])
    holds = np.array([pair[2] for pair in pairs], float)
    random = np.random.default_rng(seed)
    rates = []
    for _ in range(DRAWS):
        times = np.bincount(random.integers(0, len(names), len(names)), minlength=len(names))
        weights = times[first] * times[second]
        if weights.sum():
            rates.append(float((weights * holds).sum() / weights.sum()))
    low, high = np.quantile(rates, [0.025, 0.975])
    return float(low), float(high)
