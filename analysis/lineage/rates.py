"""Pairs of known relation in a zoo, error rates from them, and intervals of rates.

Which pairs are known says `sql/calibration/known_pairs.sql`; the rates are the other queries of
`sql/calibration/` over the table `known`. Intervals are Wilson's for counts, and a bootstrap over models for
pairs that share models: a child counts as the base that it was made from (`sql/calibration/origins.sql`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from analysis.rows import fetch_dicts
from warehouse.catalog.connections import connect
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

Pair = tuple[str, str, bool]
"""The bases that two models come from, and whether what is counted is true of the two."""


@dataclass(frozen=True)
class Rate:
    """How many of some pairs, and the 95 % interval by the models that the pairs share."""

    found: int
    of: int
    models: int
    low: float
    high: float

    @property
    def intervals(self) -> tuple[str, str]:
        """By pairs and by models: `0 to 0.4 %`, `0 to 24 %`."""
        by_pairs, by_models = wilson(self.found, self.of), (self.low, self.high)
        return _percent(*by_pairs), _percent(*by_models)

    def __str__(self) -> str:
        """`95 % interval 0 to 0.4 % if pairs were independent, 0 to 24 % by the 24 models they come from`."""
        alone, shared = self.intervals
        return (
            f"95 % interval {alone} if pairs were independent, {shared} by the {self.models} models they "
            "come from"
        )


def _percent(low: float, high: float) -> str:
    return f"{100 * low:.2g} to {100 * high:.3g} %"


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
        register_known(own, known)
        own.execute(f"create temp view unrelated_pairs as {read_query('calibration/unrelated_pairs')}")
        found = {name: own.sql(read_query(query)).to_arrow_table() for name, query in TABLES.items()}
        table = found["calibration_false_positives"]
        rows = [{**row, **_interval(own, row)} for row in table.to_pylist()]
        return {**found, "calibration_false_positives": pa.Table.from_pylist(rows, table.schema)}


def register_known(connection: duckdb.DuckDBPyConnection, known: pa.Table) -> None:
    """The tables `known` and `origins`, which the queries of `sql/calibration` read."""
    connection.register("known", known)
    connection.execute(f"create temp table origins as {read_query('calibration/origins')}")


def answers(known: pa.Table) -> list[dict[str, Any]]:
    """One row per pair: what is known of the two, what they come from, and if they are called related."""
    with connect() as connection:
        register_known(connection, known)
        return fetch_dicts(connection, read_query("calibration/answers"))


def _interval(connection: duckdb.DuckDBPyConnection, row: dict[str, Any]) -> dict[str, float]:
    """Pairs share models: models are drawn, not pairs."""
    query = f"""
        select a.origin, b.origin, {row["statistic"]} > $cut
        from unrelated_pairs
        join origins as a on a.model = model_a
        join origins as b on b.model = model_b
        where grouping = $grouping
        order by model_a, model_b
    """
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
    # rounding would leave 1e-18 of nothing
    return 0.0 if found == 0 else centre - half, 1.0 if found == of else centre + half


def rate_called(rows: Iterable[Mapping[str, Any]]) -> Rate:
    """The rate of `is_called` among rows of `answers`."""
    return rate_of([(row["origin_a"], row["origin_b"], bool(row["is_called"])) for row in rows])


def rate_of(pairs: Sequence[Pair]) -> Rate:
    models = {name for one, other, _ in pairs for name in (one, other)}
    return Rate(sum(holds for _, _, holds in pairs), len(pairs), len(models), *over_models(pairs))


def counted(rate: Rate, what: str) -> str:
    """`3 of 40 children are found (95 % interval …)`."""
    return f"{rate.found:,} of {rate.of:,} {what} ({rate})"


def over_models(pairs: Sequence[Pair], seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of the share of pairs that hold, by drawing models with replacement.

    A model that is drawn twice counts twice in each of its pairs: pairs that share a model are no independent
    trials. Few models are all alike by chance, so the interval is never narrower than that of independent
    pairs. Where no pair holds, or all do, only pairs without a model in common are counted, by Wilson.
    """
    held = sum(holds for _, _, holds in pairs)
    if held in (0, len(pairs)):
        disjoint = _disjoint(pairs)
        return wilson(disjoint if held else 0, disjoint)
    names = sorted({name for one, other, _ in pairs for name in (one, other)})
    at = {name: index for index, name in enumerate(names)}
    first = np.array([at[one] for one, _, _ in pairs])
    second = np.array([at[other] for _, other, _ in pairs])
    holds = np.array([pair[2] for pair in pairs], float)
    random = np.random.default_rng(seed)
    rates = []
    for _ in range(DRAWS):
        times = np.bincount(random.integers(0, len(names), len(names)), minlength=len(names))
        weights = times[first] * np.where(first == second, 1, times[second])
        if weights.sum():
            rates.append(float((weights * holds).sum() / weights.sum()))
    low, high = np.quantile(rates, [0.025, 0.975])
    alone = wilson(held, len(pairs))
    return min(float(low), alone[0]), max(float(high), alone[1])


def _disjoint(pairs: Sequence[Pair]) -> int:
    """How many pairs without a model in common there are, at least: each is taken that still can be."""
    used: set[str] = set()
    count = 0
    for one, other, _ in pairs:
        if not used & {one, other}:
            used |= {one, other}
            count += 1
    return count
