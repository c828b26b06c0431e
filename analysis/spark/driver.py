"""The JVM that this process asks: one for all its sessions, whether it still lives, and its temporary files.

PySpark starts it with the first session and keeps it. Should it end on the way (no memory left, a kill), all
later calls would be refused: that has to be noticed, and the JVM forgotten before the next session. A JVM
that is killed leaves blocks, libraries and jars behind, so it has a folder that the next command can sweep.
"""

from __future__ import annotations

import atexit
import os
import signal
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

from warehouse.storage.drafts import draft_folder, own_temporary_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from subprocess import Popen

# How long a JVM that refuses calls may take to be gone.
ENDING_SECONDS = 5
# What Spark's own handler ends the JVM with.
NO_MEMORY = 52
# What spark-submit adds to the command line of the driver's JVM, and of no other.
OPTIONS = "SPARK_SUBMIT_OPTS"


@contextmanager
def with_own_temporary_folder() -> Iterator[None]:
    """A JVM that is started within has a folder of its own for temporary files, also for Spark's blocks."""
    before = os.environ.get(OPTIONS)
    os.environ[OPTIONS] = f'{before or ""} "-Djava.io.tmpdir={_temporary_folder()}"'.strip()
    try:
        yield
    finally:
        if before is None:
            del os.environ[OPTIONS]
        else:
            os.environ[OPTIONS] = before


@cache
def _temporary_folder() -> Path:
    """For as long as this process lives; what killed ones left goes first."""
    stack = ExitStack()
    folder = stack.enter_context(draft_folder(own_temporary_folder()))
    atexit.register(stack.close)
    return folder


def how_it_ended(wait: float = 0) -> str | None:
    """None while it lives, or before there is one."""
    if (process := _process()) is None:
        return None
    from subprocess import TimeoutExpired

    try:
        code = process.wait(wait)
    except TimeoutExpired:
        return None
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return "it had no memory left" if code == NO_MEMORY else f"exit code {code}"


def forget() -> None:
    """The next session starts a JVM of its own, and what this one held is not asked any more."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    if (process := _process()) is not None and process.stdin is not None:
        with suppress(BrokenPipeError):
            process.stdin.close()
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = None


def _process() -> Popen[bytes] | None:
    from pyspark import SparkContext

    return getattr(SparkContext._gateway, "proc", None)
