"""A lake's tables as Spark's views, from a folder or any address that Spark can read."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from analysis.spark.address import ADDRESS, file_address, no_file_system
from analysis.spark.expand import FILES
from warehouse.documents import PRINTED_CSV
from warehouse.errors import LakeError, SparkError
from warehouse.lake import existing_lake
from warehouse.paths import ENDING
from warehouse.tables import DERIVED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# What the portable definitions read, besides `printed`.
READ = ("models", *DERIVED)


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
    found = existing_lake(lake)
    if not found.is_ours:
        from warehouse.integrity.inspection import refuse_malformed

        refuse_malformed(found)
    return Place(found.name, file_address(found.folder))


def open_tables(spark: SparkSession, place: Place) -> None:
    """A view for each table."""
    if not _files(spark, place, "models"):
        raise LakeError(
            f"no lake at {place.address}: name a lake, its folder, or an address with its tables as folders"
        )
    for table in READ:
        _rows(spark, place, table).createOrReplaceTempView(FILES + table)
    with PRINTED_CSV.open(encoding="utf-8", newline="") as file:
        models = {(row["model_a"] or None, row["model_b"] or None) for row in csv.DictReader(file)}
    # not createDataFrame, which asks Python on the executors to hand the rows on
    rows = exp.values(sorted(models, key=str), alias="printed", columns=["model_a", "model_b"])
    spark.sql(exp.select("*").from_(rows).sql(dialect="spark")).createOrReplaceTempView(f"{FILES}printed")


def _rows(spark: SparkSession, place: Place, table: str) -> DataFrame:
    paths = [f"{place.address}/{table}/{name}" for name in _files(spark, place, table)]
    # a name is no pattern, and `key=value` in it no column
    options = {"mergeSchema": table == "models", "__globPaths__": False, "recursiveFileLookup": True}
    return spark.read.options(**options).parquet(*paths)


def _files(spark: SparkSession, place: Place, table: str) -> list[str]:
    """The files of a table, by Hadoop's file systems, which know every scheme that Spark reads."""
    from py4j.protocol import Py4JJavaError

    path = spark._jvm.org.apache.hadoop.fs.Path(f"{place.address}/{table}")  # type: ignore[union-attr]
    try:
        system = path.getFileSystem(spark._jsc.hadoopConfiguration())
        names = [one.getPath().getName() for one in system.listStatus(path) if one.isFile()]
    except Py4JJavaError as error:
        if missing := no_file_system(error, place.address):
            raise SparkError(missing) from error
        if error.java_exception.getClass().getSimpleName() != "FileNotFoundException":
            raise
        names = []
    return sorted(name for name in names if name.endswith(ENDING) and not name.startswith("."))
