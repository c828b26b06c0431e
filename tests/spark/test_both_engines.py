"""The lineage test on DuckDB and on Spark: the same rows, figures and words, from the same files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from analysis.rows import fetch_dicts
from analysis.spark.ask import open_lake
from analysis.spark.session import spark_session
from tests.spark.same import assert_same, place, rows_of
from tests.spark.starting import MASTER, SETTINGS, patient
from tests.sql.lakes import copy_of
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake
from warehouse.storage.commit import write_lock
from warehouse.storage.compaction import compact

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = patient


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    with spark_session(MASTER, SETTINGS) as session:
        yield session


@pytest.mark.slow
def test_every_two_models_of_the_zoo(spark: SparkSession, small_zoo: Lake) -> None:
    on = open_lake(spark, place(small_zoo))
    with open_catalog(small_zoo) as connection:
        rows = fetch_dicts(connection, "from lineage_pairs()")
        [about] = fetch_dicts(connection, "select lake, models, sources, caution from lake")
    assert_same(rows_of(on.expansion.ask("lineage_pairs")), rows, "model_a", "model_b")
    assert on.about == about
    assert {"share weight history"} < {row["verdict"] for row in rows}


@pytest.mark.slow
def test_every_two_planted_models(spark: SparkSession, staged: Lake) -> None:
    """Other depths, biases, dimensions with a fixed order, constant and broken norms, two stacks."""
    on = open_lake(spark, place(staged))
    with open_catalog(staged) as connection:
        rows = fetch_dicts(connection, "from lineage_pairs()")
    assert len({row["statistic_used"] for row in rows}) >= 5
    assert len({row["verdict"] for row in rows}) >= 8
    assert_same(rows_of(on.expansion.ask("lineage_pairs")), rows, "model_a", "model_b")


@pytest.mark.slow
def test_every_two_models_of_a_compacted_lake(spark: SparkSession, staged: Lake, tmp_path: Path) -> None:
    compacted = copy_of(staged, tmp_path / "planted")
    with write_lock(compacted):
        compact(compacted)
    assert compacted.bundles()
    with open_catalog(compacted) as connection:
        rows = fetch_dicts(connection, "from lineage_pairs()")
    on = open_lake(spark, place(compacted))
    assert_same(rows_of(on.expansion.ask("lineage_pairs")), rows, "model_a", "model_b")
