"""A Spark session: Java is there and new enough, the master answers, and the JVM keeps its talk to itself."""

from __future__ import annotations

import logging
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from analysis.spark import driver
from warehouse.errors import SparkError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LEAST_JAVA = 17
CONNECT_SECONDS = 5
# A standalone master is asked three times, 20 s apart, before Spark gives up.
START_SECONDS = 120

MASTERS = re.compile(r"local(\[[^\]]+\])?|yarn|spark://.+|k8s://.+")

SETTINGS = {
    "spark.app.name": "normhouse",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # one meaning whatever the cluster's defaults are: an error is an error, not NULL
    "spark.sql.ansi.enabled": "true",
    # with checkpoints and unions, Spark 4.3 looks for columns of before ("key not found")
    "spark.sql.constraintPropagation.enabled": "false",
    # vectors of some thousand models go to every executor, instead of every pair to the vectors
    "spark.sql.autoBroadcastJoinThreshold": str(512 << 20),
    # by way of the driver, which Spark would give 1 GB: after other questions, not enough for 300 models
    "spark.driver.memory": f"{max(os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') >> 21, 1024)}m",
}
# Where all of Spark is on this machine, none of it listens to others.
LOOPBACK = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
LOCAL = {**LOOPBACK, "spark.sql.shuffle.partitions": str(2 * (os.cpu_count() or 1))}


@contextmanager
def spark_session(master: str, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """Started, used and stopped; Spark's own settings win over ours."""
    _check_java()
    _check_master(master)
    chosen = {**SETTINGS, **_of_master(master), **settings, "spark.master": master}
    with tempfile.TemporaryFile() as said, _without_log():
        try:
            spark = _started(chosen, said)
            _check_workers(spark, master)
        except SparkError:
            raise
        except Exception as error:
            raise SparkError(f"Spark did not start on {master} ({_reason(error, said)})") from error
        try:
            yield spark
        except Exception as error:
            if how := driver.how_it_ended(driver.ENDING_SECONDS if _is_refused(error) else 0):
                raise SparkError(
                    f"Spark's Java ended on the way ({how}): ask again, or give it more memory than "
                    f"{chosen['spark.driver.memory']}, as in --conf spark.driver.memory=16g"
                ) from error
            raise
        finally:
            if driver.how_it_ended():
                driver.forget()
            else:
                with _redirected(said):
                    spark.stop()


def _is_refused(error: BaseException | None) -> bool:
    """Whether the JVM did not take or answer a call, in whatever words we had for that since."""
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


def _started(settings: Mapping[str, str], said: IO[bytes]) -> SparkSession:
    """The JVM has our file for its stdout and stderr as long as it lives."""
    if driver.how_it_ended():
        driver.forget()
    with _redirected(said), driver.with_own_temporary_folder(), warnings.catch_warnings():
        # of pandas, which is not used
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        spark = SparkSession.builder.config(map=dict(settings)).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
    return spark


def _check_java() -> None:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(f"{home}/bin/java") if home else shutil.which("java")
    if java is None:
        where = f"JAVA_HOME ({home})" if home else "PATH"
        raise SparkError(
            f"Spark needs Java {LEAST_JAVA} or newer, and none is in {where}: install your system's package "
            f"(Debian: openjdk-17-jre-headless)"
        )
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', told)
    if found is None or int(found[1]) < LEAST_JAVA:
        version = f"is version {found[1]}" if found else "does not tell its version"
        raise SparkError(
            f"Spark needs Java {LEAST_JAVA} or newer, and {java} {version}: install your system's package "
            f"(Debian: openjdk-17-jre-headless) and name its folder in JAVA_HOME"
        )


def _check_master(master: str) -> None:
    """Refuses what Spark would try for minutes: a master where nothing listens."""
    if not MASTERS.fullmatch(master):
        raise UsageError(
            f"--master {master}: Spark takes local[N], spark://HOST:PORT, yarn or k8s://https://HOST:PORT"
        )
    if master == "yarn" and not os.environ.keys() & {"HADOOP_CONF_DIR", "YARN_CONF_DIR"}:
        raise SparkError("--master yarn: HADOOP_CONF_DIR must name the folder with the cluster's settings")
    if "://" not in master:
        return
    addresses = _addresses(master)
    tried = []
    for address in addresses:
        try:
            place = (address.hostname or "", address.port or (7077 if master.startswith("spark") else 443))
            socket.create_connection(place, timeout=CONNECT_SECONDS).close()
        except (OSError, ValueError) as error:
            tried.append(f"{address.netloc}: {getattr(error, 'strerror', None) or error}")
    if len(tried) == len(addresses):
        raise SparkError(
            f"no Spark master answers at {master} ({'; '.join(tried)}): check the address, or leave "
            f"--master away to run on this machine"
        )


def _check_workers(spark: SparkSession, master: str) -> None:
    """A first job: without a worker that takes it, the next would wait for ever."""
    done = threading.Event()

    def probe() -> None:
        spark.range(1).count()
        done.set()

    if master.startswith("local"):
        return
    threading.Thread(target=probe, daemon=True).start()
    if not done.wait(START_SECONDS):
        raise SparkError(
            f"{master} answers, but none of its workers took a job within {START_SECONDS} s: see its own page"
        )


@contextmanager
def _redirected(said: IO[bytes]) -> Iterator[None]:
    """What this process and those it starts say goes to a file; our own streams come back afterwards."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    os.dup2(said.fileno(), 1)
    os.dup2(said.fileno(), 2)
    try:
        yield
    finally:
        for number, stream in zip((1, 2), kept, strict=True):
            os.dup2(stream, number)
            os.close(stream)


@contextmanager
def _without_log() -> Iterator[None]:
    """Py4J logs the stack of a call that failed, on stderr if nobody takes it; what failed is said by us."""
    nowhere = logging.NullHandler()
    logging.getLogger().addHandler(nowhere)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(nowhere)


def _reason(error: Exception, said: IO[bytes]) -> str:
    """What the JVM said last that reads like a reason, else the error's first line."""
    said.seek(0)
    lines = said.read().decode(errors="replace").splitlines()
    told = [line.strip() for line in lines if re.search(r"\b(Error|Exception)\b.*:|^Error", line)]
    return (told or [str(error).partition("\n")[0]])[-1][:300]
