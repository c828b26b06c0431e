"""The lineage test on DuckDB and on Spark: the same rows, figures and words, from the same files."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from analysis.lineage.nearest import compare_all, compare_likely
from analysis.rows import records
from analysis.spark.ask import nearest, open_lake
from analysis.spark.expand import FILES
from analysis.spark.session import spark_session
from tests.lineage.planted import planted_models
from tests.spark.same import assert_same, place, rows_of
from tests.spark.starting import MASTER, SETTINGS, patient
from tests.sql.lakes import write_lake
from warehouse.catalog import open_catalog
from warehouse.compact import compact
from warehouse.lake import Lake

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = patient


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    with spark_session(MASTER, SETTINGS) as session:
        yield session


def test_every_two_models_of_the_zoo(spark: SparkSession, small_zoo: Lake) -> None:
    on = open_lake(spark, place(small_zoo))
    with open_catalog(small_zoo) as connection:
        rows = records(connection, "from lineage_pairs()")
        [about] = records(connection, "select lake, models, sources, caution from lake")
    assert_same(rows_of(on.expansion.ask("lineage_pairs")), rows, "model_a", "model_b")
    assert on.about == about
    assert {"share weight history"} < {row["verdict"] for row in rows}


def test_every_two_planted_models_and_their_layers(spark: SparkSession, staged: Lake) -> None:
    """Other depths, biases, dimensions that have a place, constant and broken norms, two stacks."""
    on = open_lake(spark, place(staged))
    with open_catalog(staged) as connection:
        rows = records(connection, "from lineage_pairs()")
        layers = records(connection, "from matched_norms()")
    assert len({row["statistic_used"] for row in rows}) >= 5
    assert len({row["verdict"] for row in rows}) >= 8
    assert_same(rows_of(on.expansion.ask("lineage_pairs")), rows, "model_a", "model_b")
    assert_same(
        rows_of(on.expansion.ask("matched_norms")),
        layers,
        *("model_a", "model_b", "layer", "ln_type"),
    )


@pytest.mark.parametrize("missing", [("placed",), ("placed", "placed_child", "placed_stranger")])
def test_models_that_an_earlier_version_packed(
    spark: SparkSession, tmp_path: Path, missing: tuple[str, ...]
) -> None:
    """It did not store what dimensions with a place need: all of them, or some."""
    models = {name: planted_models()[name] for name in ("placed", "placed_child", "placed_stranger")}
    lake = write_lake(tmp_path / "lake", models)
    for name in missing:
        shutil.rmtree(lake.file("rough_norms", name).parent)
    with open_catalog(lake) as connection:
        rows = records(connection, "from files.rough_norms")
    assert {row["model"] for row in rows} == models.keys()
    open_lake(spark, place(lake))
    assert_same(rows_of(spark.table(f"{FILES}rough_norms")), rows, "model", "part", "layer", "ln_type")


def test_the_nearest_of_a_gathered_lake(spark: SparkSession, staged: Lake, tmp_path: Path) -> None:
    shutil.copytree(staged.path, tmp_path / "planted")
    gathered = Lake("planted", tmp_path / "planted")
    compact(gathered)
    assert gathered.parts()
    on = open_lake(spark, place(gathered))
    with open_catalog(gathered) as connection:
        likely = compare_likely(connection, "base")
    found = nearest(on, "base", everyone=False)
    assert_same(found, likely, "model")
    assert [row["model"] for row in found] == [row["model"] for row in likely]


def test_the_nearest_of_all_without_sketches(spark: SparkSession, staged: Lake) -> None:
    """Every other model: also one that cannot be compared, and one whose sketch is like nobody's."""
    on = open_lake(spark, place(staged))
    with open_catalog(staged) as connection:
        everyone = compare_all(connection, "base")
    found = nearest(on, "base", everyone=True)
    assert_same(found, everyone, "model")
    assert [list(row) for row in found] == [list(row) for row in everyone]
    assert [row["model"] for row in found] == [row["model"] for row in everyone]
    assert len(found) == len(planted_models()) - 1
    assert {row["rank"] for row in found} > {None, 1}
