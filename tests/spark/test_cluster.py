"""The lineage test on a real cluster: DuckDB's answers, without Python there, and though a worker is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from analysis.rows import fetch_dicts
from analysis.spark.ask import one_line, open_lake
from analysis.spark.scratch import keeping
from analysis.spark.session import spark_session
from tests.spark.cluster import Cluster, cluster
from tests.spark.same import assert_same, place, rows_of
from tests.spark.starting import SETTINGS, patient
from tests.sql.lakes import copy_of
from warehouse.catalog.catalog import open_catalog
from warehouse.errors import SparkError
from warehouse.lake import Lake

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = patient

ON_EXECUTORS = {"spark.executor.extraJavaOptions": SETTINGS["spark.driver.extraJavaOptions"]}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with pytest.MonkeyPatch.context() as patch, cluster(tmp_path_factory.mktemp("spark"), 2) as made:
        # executors start what the driver names: nothing may ask for it
        patch.setenv("PYSPARK_PYTHON", "/nowhere/python")
        yield made


@pytest.fixture(scope="module")
def spark(running: Cluster) -> Iterator[SparkSession]:
    with spark_session(running.master, {**SETTINGS, **ON_EXECUTORS}) as session:
        yield session


@pytest.mark.slow
def test_a_cluster_answers_as_duckdb_and_outlives_a_worker(
    running: Cluster, spark: SparkSession, staged: Lake, tmp_path: Path
) -> None:
    with open_catalog(staged) as connection:
        layers = fetch_dicts(connection, "from matched_norms()")
        pairs = fetch_dicts(connection, "from lineage_pairs()")
    scratch = tmp_path / "a scratch"
    with keeping(spark, str(scratch)) as keep:
        on = open_lake(spark, place(staged), keep)
        found = rows_of(on.expansion.ask("matched_norms"))
        assert_same(found, layers, "model_a", "model_b", "layer", "ln_type")
        running.kill_worker()
        # from steps that were kept before
        assert_same(rows_of(on.expansion.ask("lineage_pairs")), pairs, "model_a", "model_b")
    assert list(scratch.iterdir()) == []


@pytest.mark.slow
def test_without_scratch_a_lost_worker_is_one_line(
    running: Cluster, spark: SparkSession, staged: Lake
) -> None:
    running.add_worker()
    on = open_lake(spark, place(staged))
    rows_of(on.expansion.ask("matched_norms"))
    running.kill_worker()
    with pytest.raises(SparkError, match=r"an executor was lost, .* --scratch FOLDER"), one_line(on.place):
        rows_of(on.expansion.ask("matched_norms"))


@pytest.mark.slow
def test_a_lake_that_an_executor_does_not_have_is_one_line(
    spark: SparkSession, staged: Lake, tmp_path: Path
) -> None:
    lake = copy_of(staged, tmp_path / "planted")
    on = open_lake(spark, place(lake))
    lake.file("vectors", "base").unlink()
    said = f"an executor has no file://{lake.file('vectors', 'base')}: a folder must stand in the same place"
    with pytest.raises(SparkError, match=re.escape(said)), one_line(on.place):
        rows_of(on.expansion.ask("matched_norms"))
