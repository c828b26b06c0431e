"""What the lineage test says of unrelated models that innocent oddities made alike, by recipe."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

import duckdb

from analysis.lineage.rates import rate_of
from analysis.lineage.slices.compare import compare_slices
from tests.lineage.odd_models import FURTHER, RECIPES, odd_models
from tests.lineage.slices import made
from tests.sql.lakes import write_lake
from warehouse.catalog.catalog import open_catalog

MODELS = 30
SEED = 70
# A common random start is a shared history by the test's definition.
RELATED = "one_start"
# How much of each up is its gate, in models whose gates and ups began from one random key.
MIXED = (0.1, 0.3, 1.0)
# Each of them is compared with so many others.
STEPS = 3
SHARE = "share weight history"


def lines() -> Iterator[str]:
    """One line per recipe, then the bars."""
    yield f"{'recipe':22} {'pairs':>5} {'share':>6} {'cannot tell':>12} {'no sign':>8} {'largest z':>10}"
    false = 0
    with tempfile.TemporaryDirectory() as folder:
        for recipe in (*RECIPES, *FURTHER):
            lake = write_lake(Path(folder) / recipe, odd_models(recipe, MODELS, SEED))
            with open_catalog(lake) as connection:
                rows = connection.sql(
                    "select verdict, case when obstacle is null then z_eff end from lineage_pairs()"
                ).fetchall()
                seconds = _pair_seconds(connection, f"{recipe}_0", f"{recipe}_1")
                verdicts = [verdict for verdict, _ in rows]
                false += verdicts.count(SHARE) * (recipe != RELATED)
                yield _line(recipe, verdicts, [z for _, z in rows if z is not None])
                if recipe == RELATED:
                    for mixed in MIXED:
                        said, largest = _coupled(connection, mixed)
                        false += sum(verdict.startswith(SHARE) for verdict in said)
                        yield _line(f"gate in up, {mixed:g}", said, largest)
    yield (
        f"{false} pairs without a common start are called related (bar 0); none of the {MODELS} models of a "
        f"recipe means: {interval_of_none(MODELS)}"
    )
    yield f"one pair of them in an open catalog: {seconds:.2f} s of CPU (bar 2)"


def interval_of_none(models: int) -> str:
    """Of all pairs of so many unrelated models, none of which is called related."""
    return str(rate_of([(f"{one}", f"{other}", False) for one, other in combinations(range(models), 2)]))


def _line(recipe: str, verdicts: Iterable[str], largest: Iterable[float]) -> str:
    said = Counter(verdict[:7] for verdict in verdicts)
    z = max(largest, default=None)
    return (
        f"{recipe:22} {said.total():5d} {said[SHARE[:7]]:6d} {said['cannot ']:12d} {said['no sign']:8d} "
        f"{'-' if z is None else f'{z:.1f}':>10}"
    )


def _coupled(connection: duckdb.DuckDBPyConnection, mixed: float) -> tuple[list[str], list[float]]:
    """By slices: gate and up of a model are alike, and models are not."""
    models = [made.coupled(f"m{number}", 1000 * SEED + number, mixed) for number in range(MODELS)]
    pairs = [(number, (number + step) % MODELS) for number in range(MODELS) for step in range(1, STEPS + 1)]
    rows = compare_slices(connection, [made.pair(models[one], models[other]) for one, other in pairs])
    return [row["verdict"] for row in rows], [
        row["z_largest"] for row in rows if row["z_largest"] is not None
    ]


def _pair_seconds(connection: duckdb.DuckDBPyConnection, one: str, other: str) -> float:
    began = time.process_time()
    connection.execute("from lineage($a, $b)", {"a": one, "b": other}).fetchall()
    return time.process_time() - began
