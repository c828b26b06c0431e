"""Where steps are kept that later ones read: with their executors, or in a folder that survives them.

Kept with an executor, a step is lost with it and nothing is left to compute it from: Spark gives up. In a
folder or address that all executors reach (`--scratch`), it is read from there by those that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from analysis.spark.address import ADDRESS, file_address, no_file_system, said
from warehouse.errors import SparkError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Keep: TypeAlias = "Callable[[DataFrame], DataFrame]"


def with_executors(rows: DataFrame) -> DataFrame:
    # Not persist(), which keeps the rows and still plans all that they were made from, at every mention.
    return rows.localCheckpoint()


@contextmanager
def keeping(spark: SparkSession, scratch: str | None) -> Iterator[Keep]:
    """How a step is kept; what stands in the scratch folder goes when the question is answered, or failed."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    if scratch is None:
        yield with_executors
        return
    address = _address(scratch)
    try:
        spark.sparkContext.setCheckpointDir(address)
        own = spark._jsc.sc().getCheckpointDir().get()
    except Py4JError as error:
        raise SparkError(f"--scratch {scratch}: {_reason(error, address)}") from error
    try:
        try:
            # a first one, on as many executors as there are: later a step of an hour would be lost
            cores = spark.sparkContext.defaultParallelism
            spark.range(0, cores, 1, cores).checkpoint()
        except (PySparkException, Py4JError) as error:
            raise SparkError(f"--scratch {scratch}: {_reason(error, address)}") from error
        yield _in_a_folder
    finally:
        # if Spark is gone, that is what is said, not that its folder is left
        with suppress(Py4JError, OSError):
            path = spark._jvm.org.apache.hadoop.fs.Path(own)  # type: ignore[union-attr]
            path.getFileSystem(spark._jsc.hadoopConfiguration()).delete(path, True)


def _in_a_folder(rows: DataFrame) -> DataFrame:
    return rows.checkpoint()


def _address(scratch: str) -> str:
    if not scratch:
        raise UsageError("--scratch: name a folder or an address that all executors reach")
    return scratch if ADDRESS.fullmatch(scratch) else file_address(Path(scratch))


def _reason(error: Exception, address: str) -> str:
    return no_file_system(error, address) or (
        f"steps cannot be kept there ({said(error, 300)}): name a folder or an address that this machine and "
        f"all executors reach and may write"
    )


def lost_step(error: Exception) -> str | None:
    """What to do if an error says that a step was kept with an executor that is gone."""
    if "CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND" not in str(error):
        return None
    return (
        "an executor was lost, and with it steps that only it had kept: ask again with --scratch FOLDER (or "
        "an address) that all executors reach, where steps survive them"
    )
