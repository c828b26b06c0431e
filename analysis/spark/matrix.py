"""`just spark matrix`: Spark compares all pairs of models; prints what `just lineage` prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from analysis.lineage.show import BY_NORMS, LIMITS, matrix_lines
from analysis.rows import show_json
from analysis.spark.lake import Place, SparkLake, open_lake, place_of
from analysis.spark.session import spark_session
from warehouse.console.output import remark, show
from warehouse.errors import NormhouseError, SparkError, UsageError, plain

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


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
        count, caution = on.about["models"], on.about["caution"]
        models = f"{count} model{'s' if count != 1 else ''} ({on.about['sources']})"
        remark(plain(f"lake {place.name}: {models}, on {master}"))
        if caution:
            remark(plain(f"caution: {caution}"))
        yield on


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
