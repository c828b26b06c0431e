"""`just spark matrix`: Spark reads a lake, from a folder or any address, and compares all pairs of models."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from analysis.lineage.show import BY_NORMS, LIMITS, matrix_lines
from analysis.rows import show_json
from analysis.spark.portable import FILES, Views
from analysis.spark.session import spark_session
from warehouse.console.output import counted, remark, show
from warehouse.documents import PRINTED_CSV
from warehouse.errors import LakeError, NormhouseError, SparkError, UsageError, plain
from warehouse.lake import existing_lake
from warehouse.paths import ENDING
from warehouse.tables import DERIVED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://?.+")

# What the portable definitions read, besides `printed`.
READ = ("models", *DERIVED)


@dataclass(frozen=True)
class Place:
    """Where a lake is."""

    name: str
    address: str


@dataclass(frozen=True)
class SparkLake:
    """A lake that Spark has open, and what every answer says about it."""

    place: Place
    views: Views
    about: dict[str, Any]


def show_matrix(
    lake: str | None, master: str, settings: Mapping[str, str], *, as_json: bool, out: str | None
) -> None:
    with opened(lake, master, settings) as on:
        found = on.views.rows("lineage_pairs")
        if out is not None:
            # by the executors; Spark overwrites nothing
            found.write.parquet(out)
            remark(f"written: {out}")
            return
        rows = sorted(
            (row.asDict() for row in found.collect()), key=lambda row: (row["model_a"], row["model_b"])
        )
    if not rows:
        raise UsageError(f"lake {on.place.name!r} has no two models")
    if as_json:
        show_json({**on.about, "pairs": rows, "by": BY_NORMS, "limits": LIMITS})
    else:
        show(*matrix_lines(rows, on.about["caution"]))


@contextmanager
def opened(lake: str | None, master: str, settings: Mapping[str, str]) -> Iterator[SparkLake]:
    """A lake on Spark, introduced on stderr; all of Spark's failures end in one line."""
    place = place_of(lake)
    with spark_session(master, settings) as spark, one_line_errors(place), _checkpoints_removed(spark):
        on = open_lake(spark, place)
        models = f"{counted(on.about['models'], 'model')} ({on.about['sources']})"
        remark(plain(f"lake {place.name}: {models}, on {master}"))
        if on.about["caution"]:
            remark(plain(f"caution: {on.about['caution']}"))
        yield on


def place_of(lake: str | None) -> Place:
    """A lake by its name or folder, as every command takes it, or an address such as s3a://bucket/lake."""
    if lake is not None and ADDRESS.fullmatch(lake):
        address = lake.rstrip("/")
        return Place(address.rpartition("/")[2], address)
    found = existing_lake(lake)
    if not found.is_ours:
        from warehouse.integrity.inspection import refuse_malformed

        refuse_malformed(found)
    # not as_uri(): Hadoop does not decode %20
    return Place(found.name, f"file://{Path(found.folder).absolute()}")


def open_lake(spark: SparkSession, place: Place) -> SparkLake:
    if not _files(spark, place, "models"):
        raise LakeError(
            f"no lake at {place.address}: name a lake, its folder, or an address with its tables as folders"
        )
    for table in READ:
        _rows(spark, place, table).createOrReplaceTempView(FILES + table)
    _printed(spark).createOrReplaceTempView(f"{FILES}printed")
    views = Views(spark)
    # DuckDB's catalog has it as a table
    views.rows("_source_counts").createOrReplaceTempView(f"{FILES}source_counts")
    [about] = views.rows("_caution").collect()
    return SparkLake(place, views, {"lake": place.name, **about.asDict()})


def _rows(spark: SparkSession, place: Place, table: str) -> DataFrame:
    paths = [f"{place.address}/{table}/{name}" for name in _files(spark, place, table)]
    # a file's name is not a pattern, and `key=value` in it is not a column
    options = {"mergeSchema": table == "models", "__globPaths__": False, "recursiveFileLookup": True}
    return spark.read.options(**options).parquet(*paths)


def _files(spark: SparkSession, place: Place, table: str) -> list[str]:
    """The files of a table, listed by Hadoop's file systems, which know every scheme that Spark reads."""
    from py4j.protocol import Py4JJavaError

    path = spark._jvm.org.apache.hadoop.fs.Path(f"{place.address}/{table}")  # type: ignore[union-attr]
    try:
        system = path.getFileSystem(spark._jsc.hadoopConfiguration())
        names = [one.getPath().getName() for one in system.listStatus(path) if one.isFile()]
    except Py4JJavaError as error:
        if re.search(r"UnsupportedFileSystemException|ClassNotFoundException", str(error)):
            raise SparkError(
                f"Spark has no file system for {place.address.partition(':')[0]}:// addresses: give it the "
                f"jar, as in --conf spark.jars.packages=org.apache.hadoop:hadoop-aws:3.5.0"
            ) from error
        if error.java_exception.getClass().getSimpleName() != "FileNotFoundException":
            raise
        names = []
    return sorted(name for name in names if name.endswith(ENDING) and not name.startswith("."))


def _printed(spark: SparkSession) -> DataFrame:
    """The models of the documents' figures."""
    with PRINTED_CSV.open(encoding="utf-8", newline="") as file:
        models = {(row["model_a"] or None, row["model_b"] or None) for row in csv.DictReader(file)}
    # not createDataFrame, which needs Python on the executors
    rows = exp.values(sorted(models, key=str), alias="printed", columns=["model_a", "model_b"])
    return spark.sql(exp.select("*").from_(rows).sql(dialect="spark"))


@contextmanager
def one_line_errors(place: Place) -> Iterator[None]:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except NormhouseError:
        raise
    except (PySparkException, Py4JError, ConnectionError) as error:
        raise SparkError(f"Spark could not answer from {place.address}: {_reason(str(error))}") from error


def _reason(error: str) -> str:
    """What to do, where we know it; otherwise Spark's words without its stack."""
    if found := re.search(r"FILE_NOT_EXIST\].* file (\S+?)\.? File does not exist", error):
        return (
            f"an executor has no {found[1]}: a lake's folder must be in the same place on every machine of "
            f"a cluster, or the lake at an address that all of them reach, as s3a://…"
        )
    if "CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND" in error:
        return (
            "an executor was lost, and with it rows that only it had: run it again with --conf "
            "spark.checkpoint.dir=ADDRESS, a folder or address that all executors reach"
        )
    return " ".join(error.partition("JVM stacktrace")[0].partition("\n\tat ")[0].split())[:400]


@contextmanager
def _checkpoints_removed(spark: SparkSession) -> Iterator[None]:
    """Removes this session's folder below `spark.checkpoint.dir`, if there is one."""
    from py4j.protocol import Py4JError

    try:
        yield
    finally:
        # if Spark is gone, that is the error to report
        with suppress(Py4JError, OSError):
            if folder := spark.sparkContext.getCheckpointDir():
                path = spark._jvm.org.apache.hadoop.fs.Path(folder)  # type: ignore[union-attr]
                path.getFileSystem(spark._jsc.hadoopConfiguration()).delete(path, True)
