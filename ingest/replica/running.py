"""Start and stop a replica hub: in a thread for tests, in a child process for ingest and benchmarks."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

from ingest.replica.faults import Fault
from ingest.replica.hub import COUNTERS
from ingest.replica.quotas import Quota
from ingest.replica.repos import HubRepo
from ingest.replica.server import Logged, Server
from ingest.replica.site import Site
from warehouse.errors import HubUnreachable

PROJECT_ROOT = Path(__file__).resolve().parents[2]
STOP_SECONDS = 5.0  # given to a child process to end by itself


@contextmanager
def serve_in_thread(
    repos: Mapping[str, HubRepo],
    *,
    faults: Iterable[Fault] = (),
    delay: float = 0.0,
    redirect: bool = True,
    token: str | None = None,
    unapproved_token: str | None = None,
    address_seconds: float = 3600.0,
    quota: Quota | None = None,
) -> Iterator[RunningHub]:
    """Serve these repos until the block ends; faults, delay and repos may be changed meanwhile."""
    site = Site(
        repos,
        redirect=redirect,
        token=token,
        unapproved_token=unapproved_token,
        address_seconds=address_seconds,
        quota=quota or Quota(),
    )
    server = Server(site, faults=list(faults), delay=delay)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="replica-hub", daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result()
        yield RunningHub(server)
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@dataclass(frozen=True)
class RunningHub:
    """A hub in this process; what tests read and change."""

    server: Server

    @property
    def endpoint(self) -> str:
        """Base address of the hub, for HF_ENDPOINT."""
        return self.server.site.endpoint

    @property
    def cdn(self) -> str:
        """Base address of the second port, to which LFS files are redirected."""
        return self.server.site.cdn

    @property
    def log(self) -> list[Logged]:
        """Every request so far, oldest first."""
        return list(self.server.log)

    @property
    def faults(self) -> list[Fault]:
        """The faults switched on; append, clear or replace them at will."""
        return self.server.faults


@dataclass(frozen=True)
class HubProcess:
    """A hub in a process of its own."""

    endpoint: str
    cdn: str

    def counters(self, *, reset: bool = False) -> dict[str, int]:
        """Requests and bytes of body served so far, in all and by port."""
        address = f"{self.endpoint}{COUNTERS}{'?reset=1' if reset else ''}"
        with build_opener(ProxyHandler({})).open(address, timeout=STOP_SECONDS) as answer:
            counted: dict[str, int] = json.load(answer)
            return counted


@contextmanager
def serve_in_process(
    *, delay: float = 0.0, redirect: bool = True, port: int = 0, population: int = 0
) -> Iterator[HubProcess]:
    """Serve the twelve replica repos, and a population if wanted, from a child process until the block ends.

    The child ends when its stdin closes, so it goes even if this process is killed.
    """
    command = [sys.executable, "-m", "ingest", "serve", "--until-stdin-closes", "--port", str(port)]
    command += ["--delay-ms", str(delay * 1000)] + ([] if redirect else ["--no-redirect"])
    command += ["--population", str(population)]
    # A session of its own: Ctrl-C is for the parent, which then closes the pipe.
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
