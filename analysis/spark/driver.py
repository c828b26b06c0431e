"""The JVM that this process asks: one for all its sessions, and whether it still lives.

PySpark starts it with the first session and keeps it. Should it end on the way (no memory left, a kill), all
later calls would be refused: that has to be noticed, and the JVM forgotten before the next session.
"""

from __future__ import annotations

import signal
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import Popen

# How long a JVM that refuses calls may take to be gone.
ENDING_SECONDS = 5
# What Spark's own handler ends the JVM with.
NO_MEMORY = 52


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
