"""The lineage test on DuckDB and on Spark: the same rows, numbers and words, from the same files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.__main__ import main
from analysis.rows import fetch_dicts
from analysis.spark.matrix import open_lake
from analysis.spark.session import spark_session
from tests.spark.same import MASTER, OPTIONS, SETTINGS, assert_same, patient, place, rows_of
from tests.sql.lakes import copy_of
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake
from warehouse.storage.commit import write_lock
from warehouse.storage.compaction import compact

pytestmark = patient


@pytest.mark.slow
def test_the_command_prints_of_planted_models_what_duckdb_finds(
    planted: Lake, capfd: pytest.CaptureFixture[str]
) -> None:
    """Other depths, biases, dimensions with a fixed order, constant and broken norms, two stacks."""
    assert main(["spark", "matrix", "--json", "--lake", str(planted.path), *OPTIONS]) == 0
    said = capfd.readouterr()
    found = json.loads(said.out)
    rows, about = by_duckdb(planted)
    assert_same(found["pairs"], rows, "model_a", "model_b")
    assert {name: found[name] for name in about} == about
    first, *caution = said.err.splitlines()
    assert first == f"lake planted: {about['models']} models ({about['sources']}), on local[2]"
    assert len(caution) == (about["caution"] is not None)
    assert len({row["statistic_used"] for row in rows}) >= 5
    assert len({row["verdict"] for row in rows}) >= 8


def by_duckdb(lake: Lake) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    with open_catalog(lake) as connection:
        rows = fetch_dicts(connection, "from lineage_pairs()")
        [about] = fetch_dicts(connection, "select lake, models, sources, caution from lake")
    return rows, about


@pytest.mark.exhaustive
def test_all_pairs_of_a_trained_and_compacted_zoo(small_zoo: Lake, tmp_path: Path) -> None:
    compacted = copy_of(small_zoo, tmp_path / "zoo")
    with write_lock(compacted):
        compact(compacted)
    assert compacted.bundles()
    rows, about = by_duckdb(compacted)
    with spark_session(MASTER, SETTINGS) as spark:
        on = open_lake(spark, place(compacted))
        assert on.about == about
        assert_same(rows_of(on.views.rows("lineage_pairs")), rows, "model_a", "model_b")
    assert "share weight history" in {row["verdict"] for row in rows}
