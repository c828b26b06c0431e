"""Starts and stops Spark: checks Java and the master first, and keeps the JVM's output off the terminal."""

from __future__ import annotations

import atexit
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from warehouse.errors import SparkError, UsageError
from warehouse.storage.drafts import draft_folder, own_temporary_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LEAST_JAVA = 17
CONNECT_SECONDS = 5
# Spark asks a standalone master three times, 20 s apart, before it gives up.
START_SECONDS = 120
# A JVM that refuses calls may take this long to end.
ENDING_SECONDS = 5
# The exit code of a JVM that Spark ended because it had no memory left.
NO_MEMORY = 52

MASTERS = re.compile(r"local(\[[^\]]+\])?|yarn|spark://.+|k8s://.+")

JVM_OPTIONS = "spark.driver.extraJavaOptions"
SETTINGS = {
    "spark.app.name": "normhouse",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # an error is an error on every cluster, never NULL
    "spark.sql.ansi.enabled": "true",
    # with checkpoints and unions, Spark 4.3 looks for columns that are gone ("key not found")
    "spark.sql.constraintPropagation.enabled": "false",
    # sends the vectors of some thousand models to every executor, instead of every pair to the vectors
    "spark.sql.autoBroadcastJoinThreshold": str(512 << 20),
    # Broadcasts pass through the driver. Spark would give it 1 GB, which is too little for 300 models.
    "spark.driver.memory": f"{max(os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') >> 21, 1024)}m",
}
# When all of Spark runs on this machine, it accepts no connections from others.
LOOPBACK = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
LOCAL = {**LOOPBACK, "spark.sql.shuffle.partitions": str(2 * (os.cpu_count() or 1))}


@contextmanager
def spark_session(master: str, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """The user's settings win over ours. PySpark keeps one JVM for all sessions of a process."""
    _check_java()
    _check_master(master)
    chosen = {**SETTINGS, **_of_master(master), **settings, "spark.master": master}
    chosen[JVM_OPTIONS] = f'{chosen.get(JVM_OPTIONS, "")} "-Djava.io.tmpdir={temporary_folder()}"'.strip()
    with tempfile.TemporaryFile() as output, _without_log():
        try:
            spark = _started(chosen, output)
            _check_workers(spark, master)
        except SparkError:
            raise
        except Exception as error:
            raise SparkError(f"Spark did not start on {master} ({_reason(error, output)})") from error
        try:
            yield spark
        except Exception as error:
            if how := _how_java_ended(ENDING_SECONDS if _is_refused(error) else 0):
                raise SparkError(
                    f"Spark's Java ended too early ({how}): try again, or give it more memory than "
                    f"{chosen['spark.driver.memory']}, as in --conf spark.driver.memory=16g"
                ) from error
            raise
        finally:
            if not _how_java_ended():
                with _redirected(output):
                    spark.stop()


@cache
def temporary_folder() -> Path:
    """The JVM's folder for temporary files, as long as this process lives.

    A JVM that is killed leaves blocks, libraries and jars behind; the next command removes them.
    """
    stack = ExitStack()
    folder = stack.enter_context(draft_folder(own_temporary_folder()))
    atexit.register(stack.close)
    return folder


def _started(settings: Mapping[str, str], output: IO[bytes]) -> SparkSession:
    """The JVM writes its stdout and stderr to our file as long as it lives."""
    with _redirected(output), warnings.catch_warnings():
        # pandas, which we do not use, warns
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        spark = SparkSession.builder.config(map=dict(settings)).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
    return spark


def _how_java_ended(wait: float = 0) -> str | None:
    """None while it lives, and before it starts."""
    from pyspark import SparkContext

    process: subprocess.Popen[bytes] | None = getattr(SparkContext._gateway, "proc", None)
    try:
        code = process.wait(wait) if process else None
    except subprocess.TimeoutExpired:
        return None
    if code is None:
        return None
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return "it had no memory left" if code == NO_MEMORY else f"exit code {code}"


def _is_refused(error: BaseException | None) -> bool:
    """Whether an error, or what caused it, is a call that the JVM did not take or answer."""
    from py4j.protocol import Py4JError, Py4JJavaError

    while error is not None and not isinstance(error, ConnectionError | Py4JError):
        error = error.__cause__
    return error is not None and not isinstance(error, Py4JJavaError)


def _of_master(master: str) -> Mapping[str, str]:
    if master.startswith("local"):
        return LOCAL
    is_loopback = master.startswith("spark://") and all(
        one.hostname in ("127.0.0.1", "localhost") for one in _addresses(master)
    )
    return LOOPBACK if is_loopback else {}


def _addresses(master: str) -> list[SplitResult]:
    return [urlsplit(f"//{one.rpartition('://')[2]}") for one in master.partition("://")[2].split(",")]


def _check_java() -> None:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(f"{home}/bin/java") if home else shutil.which("java")
    if java is None:
        where = f"JAVA_HOME ({home})" if home else "PATH"
        raise SparkError(
            f"Spark needs Java {LEAST_JAVA} or newer, and there is none in {where}: install your system's "
            f"package (Debian: openjdk-17-jre-headless)"
        )
    printed = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', printed)
    if found is None or int(found[1]) < LEAST_JAVA:
        version = f"is version {found[1]}" if found else "prints no version"
        raise SparkError(
            f"Spark needs Java {LEAST_JAVA} or newer, and {java} {version}: install your system's package "
            f"(Debian: openjdk-17-jre-headless) and name its folder in JAVA_HOME"
        )


def _check_master(master: str) -> None:
    """Refuses a master where nothing listens; Spark would try it for minutes."""
    if not MASTERS.fullmatch(master):
        raise UsageError(
            f"--master {master}: Spark takes local[N], spark://HOST:PORT, yarn or k8s://https://HOST:PORT"
        )
    if master == "yarn" and not os.environ.keys() & {"HADOOP_CONF_DIR", "YARN_CONF_DIR"}:
        raise SparkError("--master yarn: HADOOP_CONF_DIR must name the folder with the cluster's settings")
    if "://" not in master:
        return
    addresses = _addresses(master)
    failures = []
    for address in addresses:
        try:
            place = (address.hostname or "", address.port or (7077 if master.startswith("spark") else 443))
            socket.create_connection(place, timeout=CONNECT_SECONDS).close()
        except (OSError, ValueError) as error:
            failures.append(f"{address.netloc}: {getattr(error, 'strerror', None) or error}")
    if len(failures) == len(addresses):
        raise SparkError(
            f"no Spark master answers at {master} ({'; '.join(failures)}): check the address, or leave out "
            f"--master to run on this machine"
        )


def _check_workers(spark: SparkSession, master: str) -> None:
    """Runs a first job: without a worker that takes it, every job would wait forever."""
    if master.startswith("local"):
        return
    done = threading.Event()

    def probe() -> None:
        spark.range(1).count()
        done.set()

    threading.Thread(target=probe, daemon=True).start()
    if not done.wait(START_SECONDS):
        raise SparkError(
            f"{master} answers, but none of its workers took a job within {START_SECONDS} s: see its web page"
        )


@contextmanager
def _redirected(output: IO[bytes]) -> Iterator[None]:
    """Sends what this process and those it starts print to a file, until the block ends."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    try:
        yield
    finally:
        for number, stream in zip((1, 2), kept, strict=True):
            os.dup2(stream, number)
            os.close(stream)


@contextmanager
def _without_log() -> Iterator[None]:
    """Py4J logs the stack of a failed call to stderr unless a handler takes it; we report the failure."""
    nowhere = logging.NullHandler()
    logging.getLogger().addHandler(nowhere)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(nowhere)


def _reason(error: Exception, output: IO[bytes]) -> str:
    """The last line of the JVM's output that looks like a reason, or Java's exception, or the first line."""
    output.seek(0)
    lines = output.read().decode(errors="replace").splitlines()
    reasons = [line.strip() for line in lines if re.search(r"\b(Error|Exception)\b.*:|^Error", line)]
    first, *further = str(error).splitlines() or [""]
    exceptions = [line.removeprefix(": ") for line in further if line.startswith(": ")]
    return (reasons or exceptions or [first])[-1][:300]
