"""The lineage test on a standalone cluster that has no Python, and that loses a worker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from analysis.rows import fetch_dicts
from analysis.spark.matrix import one_line_errors, open_lake
from analysis.spark.session import spark_session
from tests.spark.cluster import Cluster, cluster
from tests.spark.same import SETTINGS, assert_same, patient, place, rows_of
from tests.sql.lakes import copy_of
from warehouse.catalog.catalog import open_catalog
from warehouse.errors import SparkError
from warehouse.lake import Lake

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [patient, pytest.mark.exhaustive]

ON_EXECUTORS = {"spark.executor.extraJavaOptions": SETTINGS["spark.driver.extraJavaOptions"]}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with pytest.MonkeyPatch.context() as patch, cluster(tmp_path_factory.mktemp("spark"), 2) as made:
        # executors start the Python that the driver names: nothing may need it
        patch.setenv("PYSPARK_PYTHON", "/nowhere/python")
        yield made


@pytest.fixture(scope="module")
def spark(running: Cluster) -> Iterator[SparkSession]:
    with spark_session(running.master, {**SETTINGS, **ON_EXECUTORS}) as session:
        yield session


def test_without_a_checkpoint_folder_a_lost_worker_is_one_line(
    running: Cluster, spark: SparkSession, planted: Lake
) -> None:
    on = open_lake(spark, place(planted))
    rows_of(on.views.rows("matched_norms"))
    running.kill_worker()
    running.add_worker()
    said = r"an executor was lost, .* --conf spark.checkpoint.dir=ADDRESS"
    with pytest.raises(SparkError, match=said), one_line_errors(on.place):
        rows_of(on.views.rows("matched_norms"))


def test_a_lake_that_an_executor_does_not_have_is_one_line(
    spark: SparkSession, planted: Lake, tmp_path: Path
) -> None:
    lake = copy_of(planted, tmp_path / "planted")
    on = open_lake(spark, place(lake))
    lake.file("vectors", "base").unlink()
    said = f"an executor has no file://{lake.file('vectors', 'base')}: a lake's folder must be in the same"
    with pytest.raises(SparkError, match=re.escape(said)), one_line_errors(on.place):
        rows_of(on.views.rows("matched_norms"))


def test_a_cluster_answers_as_duckdb_and_survives_a_lost_worker(
    running: Cluster, spark: SparkSession, planted: Lake, tmp_path: Path
) -> None:
    with open_catalog(planted) as connection:
        layers = fetch_dicts(connection, "from matched_norms()")
        pairs = fetch_dicts(connection, "from lineage_pairs()")
    spark.sparkContext.setCheckpointDir(f"file://{tmp_path}/with a space")
    on = open_lake(spark, place(planted))
    found = rows_of(on.views.rows("matched_norms"))
    assert_same(found, layers, "model_a", "model_b", "layer", "ln_type")
    running.kill_worker()
    # from rows that were computed before
    assert_same(rows_of(on.views.rows("lineage_pairs")), pairs, "model_a", "model_b")
