"""Small settings for Spark, and the comparison of its rows with DuckDB's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from analysis.spark.matrix import Place
from warehouse.lake import Lake

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MASTER = "local[2]"

# Tests have few rows: most of the time would go into compiling and adapting plans, by the JVM and by Spark.
SETTINGS = {
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
}
OPTIONS = ("--master", MASTER, *(word for one in SETTINGS.items() for word in ("--conf", "=".join(one))))

# for a busy machine
patient = pytest.mark.timeout(400)


def place(lake: Lake) -> Place:
    return Place(lake.name, f"file://{lake.folder}")


def rows_of(found: DataFrame) -> list[dict[str, Any]]:
    return [row.asDict() for row in found.collect()]


def assert_same(ours: list[dict[str, Any]], theirs: list[dict[str, Any]], *keys: str) -> None:
    """Every column: numbers within a millionth of their value, everything else exactly."""
    by_key = {tuple(row[key] for key in keys): row for row in theirs}
    assert len(ours) == len(theirs) == len(by_key) > 0
    for row in ours:
        other = by_key[tuple(row[key] for key in keys)]
        assert row.keys() == other.keys()
        for name, value in row.items():
            same = pytest.approx(value, rel=1e-6, abs=1e-300) if isinstance(value, float) else value
            assert other[name] == same, (row, name)
