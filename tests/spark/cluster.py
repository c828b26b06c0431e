"""A standalone cluster on loopback, of what pyspark ships: a master and workers of one core."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent
SECONDS = 60


@dataclass
class Cluster:
    """Workers come and go; the master stays."""

    folder: Path
    port: int
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def master(self) -> str:
        return f"spark://127.0.0.1:{self.port}"

    def add_worker(self) -> None:
        work = self.folder / f"worker{len(self.workers)}"
        options = ["--cores", "1", "--memory", "1g", "--work-dir", str(work)]
        self.workers.append(self.started("worker.Worker", "--port", "0", *options, self.master))

    def kill_worker(self) -> None:
        """Kill a worker with its executors, as if its machine failed."""
        _stop(self.workers.pop(0), signal.SIGKILL)

    def started(self, name: str, *options: str) -> subprocess.Popen[bytes]:
        program = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}"]
        environment = {
            **os.environ,
            "SPARK_HOME": str(HOME),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        }
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [*program, "--host", "127.0.0.1", "--webui-port", "0", *options],
                env=environment,
                stdout=log,
                stderr=log,
                # its executors have its group, by which all are stopped
                start_new_session=True,
            )


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    """Start a cluster, and stop it when the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        made = Cluster(folder, free.getsockname()[1])
    master = made.started("master.Master", "--port", str(made.port))
    try:
        for _ in range(workers):
            # they try again until there is a master
            made.add_worker()
        _wait_for(made.port, master)
        yield made
    finally:
        for one in (*made.workers, master):
            _stop(one, signal.SIGKILL)


def _wait_for(port: int, master: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + SECONDS
    while master.poll() is None and time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("Spark's master did not start: see master.Master.log")


def _stop(process: subprocess.Popen[bytes], how: signal.Signals) -> None:
    os.killpg(process.pid, how)
    process.wait()
