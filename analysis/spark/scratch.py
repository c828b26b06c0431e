"""Where steps are kept that later ones read: with their executors, or in a folder that survives them.

Kept with an executor, a step is lost with it and nothing is left to compute it from: Spark gives up. In a
folder or address that all executors reach (`--scratch`), it is read from there by those that are left. What a
killed command left in a folder goes when the next one uses it; at an address nobody can tell whether its
owner still runs, and what is left there stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from analysis.spark.address import ADDRESS, file_address, no_file_system, said
from warehouse.errors import SparkError, UsageError
from warehouse.storage.drafts import draft_folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Keep: TypeAlias = "Callable[[DataFrame], DataFrame]"


CANNOT_KEEP = (
    "steps cannot be kept there ({}): name a folder or an address that this machine and all executors reach "
    "and may write"
)


def with_executors(rows: DataFrame) -> DataFrame:
    # Not persist(), which keeps the rows and still plans all that they were made from, at every mention.
    return rows.localCheckpoint()


@contextmanager
def keeping(spark: SparkSession, scratch: str | None) -> Iterator[Keep]:
    """How a step is kept; what stands in the scratch folder goes when the question is answered, or failed."""
    if scratch is None:
        yield with_executors
        return
    with own_address(scratch) as address, _keeping_at(spark, scratch, address) as keep:
        yield keep


@contextmanager
def _keeping_at(spark: SparkSession, scratch: str, address: str) -> Iterator[Keep]:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

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


def own_address(scratch: str) -> AbstractContextManager[str]:
    """An address as it is; in a folder, that of a draft, which says whether its owner still runs."""
    if not scratch:
        raise UsageError("--scratch: name a folder or an address that all executors reach")
    return nullcontext(scratch) if ADDRESS.fullmatch(scratch) else _draft_in(Path(scratch))


@contextmanager
def _draft_in(folder: Path) -> Iterator[str]:
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            own = stack.enter_context(draft_folder(folder))
            # executors may be of another user, and read here
            own.chmod(0o755)
        except OSError as error:
            raise SparkError(f"--scratch {folder}: {CANNOT_KEEP.format(error.strerror)}") from error
        yield file_address(own)


def _reason(error: Exception, address: str) -> str:
    return no_file_system(error, address) or CANNOT_KEEP.format(said(error, 300))


def lost_step(error: Exception) -> str | None:
    """What to do if an error says that a step was kept with an executor that is gone."""
    if "CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND" not in str(error):
        return None
    return (
        "an executor was lost, and with it steps that only it had kept: ask again with --scratch FOLDER (or "
        "an address) that all executors reach, where steps survive them"
    )
