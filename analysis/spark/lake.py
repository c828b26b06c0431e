"""A lake's tables as Spark's views, from a folder or any address that Spark can read."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.spark.expand import FILES
from warehouse.errors import LakeError, SparkError
from warehouse.lake import existing_lake, relative_file
from warehouse.printed import PRINTED_CSV

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What the portable definitions read, besides `printed`.
TABLES = ("models", "vectors", "correlations", "sketches")

ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://?.+")


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
    # not as_uri(): Hadoop takes %20 for what it says
    return Place(found.name, f"file://{found.path}")


def open_tables(spark: SparkSession, place: Place) -> None:
    """A view for each table; a model or part counts if it has a file of `models`, as everywhere."""
    holders = _holders(spark, place)
    for table in TABLES:
        paths = [f"{place.address}/{relative_file(table, holder)}" for holder in holders]
        # older files of models have fewer columns; a name is no pattern, and `key=value` in it no column
        options = {"mergeSchema": table == "models", "__globPaths__": False, "recursiveFileLookup": True}
        reader = spark.read.options(**options)
        reader.parquet(*paths).createOrReplaceTempView(FILES + table)
    with PRINTED_CSV.open(encoding="utf-8", newline="") as file:
        models = {(row["model_a"] or None, row["model_b"] or None) for row in csv.DictReader(file)}
    rows = spark.createDataFrame(sorted(models, key=str), "model_a string, model_b string")
    rows.createOrReplaceTempView(f"{FILES}printed")


def _holders(spark: SparkSession, place: Place) -> list[str]:
    """What has a folder in `models`, by Hadoop's file systems, which know every scheme that Spark reads."""
    from py4j.protocol import Py4JJavaError

    path = spark._jvm.org.apache.hadoop.fs.Path(f"{place.address}/models")  # type: ignore[union-attr]
    try:
        system = path.getFileSystem(spark._jsc.hadoopConfiguration())
        names = [one.getPath().getName() for one in system.listStatus(path) if one.isDirectory()]
    except Py4JJavaError as error:
        kind = error.java_exception.getClass().getSimpleName()
        if kind == "FileNotFoundException":
            names = []
        elif kind in ("UnsupportedFileSystemException", "ClassNotFoundException") or "ClassNotFound" in str(
            error
        ):
            scheme = place.address.partition(":")[0]
            raise SparkError(
                f"Spark has no file system for {scheme}:// addresses: give it the jar, as in "
                f"--conf spark.jars.packages=org.apache.hadoop:hadoop-aws:3.5.0"
            ) from error
        else:
            raise
    found = sorted(name for name in names if not name.startswith("."))
    if not found:
        raise LakeError(
            f"no lake at {place.address}: name a lake, its folder, or an address with its tables as folders"
        )
    return found
