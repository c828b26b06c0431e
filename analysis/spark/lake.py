"""A lake's tables as Spark's views, from a folder or any address that Spark can read."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from sqlglot import exp

from analysis.spark.address import ADDRESS, file_address, no_file_system
from analysis.spark.expand import FILES
from warehouse.errors import LakeError, SparkError
from warehouse.lake import existing_lake, relative_file
from warehouse.printed import PRINTED_CSV

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# What the portable definitions read, besides `printed`.
TABLES = ("models", "vectors", "correlations", "sketches")


@dataclass(frozen=True)
class Place:
    """Where a lake is."""

    name: str
    address: str


def place_of(lake: str | None) -> Place:
    """A lake by its name or folder, as every command takes it, or an address such as s3a://bucket/lake."""
    if lake is not None and ADDRESS.fullmatch(lake):
        address = lake.rstrip("/")
        return Place(address.rpartition("/")[2], address)
    from warehouse.changes import recover_if_idle

    found = existing_lake(lake)
    recover_if_idle(found)
    return Place(found.name, file_address(found.path))


def open_tables(spark: SparkSession, place: Place) -> None:
    """A view for each table; a model or part counts if it has a file of `models`, as everywhere."""
    holders = _folders(spark, place, "models")
    if not holders:
        raise LakeError(
            f"no lake at {place.address}: name a lake, its folder, or an address with its tables as folders"
        )
    for table in TABLES:
        _rows(spark, place, table, holders).createOrReplaceTempView(FILES + table)
    with PRINTED_CSV.open(encoding="utf-8", newline="") as file:
        models = {(row["model_a"] or None, row["model_b"] or None) for row in csv.DictReader(file)}
    # not createDataFrame, which asks Python on the executors to hand the rows on
    rows = exp.values(sorted(models, key=str), alias="printed", columns=["model_a", "model_b"])
    spark.sql(exp.select("*").from_(rows).sql(dialect="spark")).createOrReplaceTempView(f"{FILES}printed")


def open_rough_norms(spark: SparkSession, place: Place, computed: Callable[[], DataFrame]) -> None:
    """The view of the table that an earlier version did not write; of its models they are computed."""
    holders = _folders(spark, place, "models")
    stored = [name for name in _folders(spark, place, "rough_norms") if name in holders]
    found = [_rows(spark, place, "rough_norms", stored)] if stored else []
    if len(stored) < len(holders):
        rest = computed()
        found.append(rest.join(found[0], "model", "left_anti") if found else rest)
    reduce(lambda one, other: one.unionByName(other), found).createOrReplaceTempView(f"{FILES}rough_norms")


def _rows(spark: SparkSession, place: Place, table: str, holders: Sequence[str]) -> DataFrame:
    paths = [f"{place.address}/{relative_file(table, holder)}" for holder in holders]
    # older files of models have fewer columns; a name is no pattern, and `key=value` in it no column
    options = {"mergeSchema": table == "models", "__globPaths__": False, "recursiveFileLookup": True}
    return spark.read.options(**options).parquet(*paths)


def _folders(spark: SparkSession, place: Place, table: str) -> list[str]:
    """What has a folder in a table, by Hadoop's file systems, which know every scheme that Spark reads."""
    from py4j.protocol import Py4JJavaError

    path = spark._jvm.org.apache.hadoop.fs.Path(f"{place.address}/{table}")  # type: ignore[union-attr]
    try:
        system = path.getFileSystem(spark._jsc.hadoopConfiguration())
        names = [one.getPath().getName() for one in system.listStatus(path) if one.isDirectory()]
    except Py4JJavaError as error:
        if missing := no_file_system(error, place.address):
            raise SparkError(missing) from error
        if error.java_exception.getClass().getSimpleName() != "FileNotFoundException":
            raise
        names = []
    return sorted(name for name in names if not name.startswith("."))
