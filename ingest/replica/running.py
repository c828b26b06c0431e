"""Runs the replica hub in a child process, for ingest, tests and benchmarks."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

from warehouse.errors import HubUnreachable

PROJECT_ROOT = Path(__file__).resolve().parents[2]
STOP_SECONDS = 5.0  # given to a child process to end
# What this process has served, for benchmarks; `?reset=1` resets it. Not part of the real hub.
COUNTERS = "/_replica/counters"


@dataclass(frozen=True)
class HubProcess:
    """A hub in a child process."""

    endpoint: str
    cdn: str

    def counters(self, *, reset: bool = False) -> dict[str, int]:
        """Requests and body bytes served so far, in total and per port."""
        address = f"{self.endpoint}{COUNTERS}{'?reset=1' if reset else ''}"
        with build_opener(ProxyHandler({})).open(address, timeout=STOP_SECONDS) as answer:
            counted: dict[str, int] = json.load(answer)
            return counted


@contextmanager
def serve_in_process(
    *, delay: float = 0.0, redirect: bool = True, port: int = 0, population: int = 0
) -> Iterator[HubProcess]:
    """Serve the twelve repos, and a population of made-up ones, until the block ends.

    The child ends when its stdin closes, which happens even if this process is killed.
    """
    command = [sys.executable, "-m", "ingest", "serve", "--until-stdin-closes", "--port", str(port)]
    command += ["--delay-ms", str(round(delay * 1000))] + ([] if redirect else ["--no-redirect"])
    command += ["--population", str(population)]
    # A new session, so that Ctrl-C reaches only the parent, which then closes the pipe.
    child = subprocess.Popen(
        command, cwd=PROJECT_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        line = child.stdout.readline()
        if not line:
            raise HubUnreachable(f"the replica hub did not start; run `{' '.join(command[1:4])}` to see why")
        yield HubProcess(**json.loads(line))
    finally:
        child.stdin.close()
        try:
            child.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        child.stdout.close()
