"""Runs the replica hub: in the foreground for `just hub`, or in a child process for ingest and benchmarks."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

from ingest.replica.api import COUNTERS
from ingest.replica.repos import replica_repos
from ingest.replica.server import Server
from ingest.replica.site import Quota, Site
from warehouse.console.exhausted import exhausted
from warehouse.errors import HubUnreachable, plain

PROJECT_ROOT = Path(__file__).resolve().parents[2]
STOP_SECONDS = 5.0  # given to a child process to end
SHOWN_REPOS = 20


async def serve_until_ended(
    port: int, *, delay: float, redirect: bool, until_stdin_closes: bool, population: int, quota: bool
) -> None:
    """Serve the twelve repos and `population` made-up ones until Ctrl-C or the end of stdin."""
    repos = replica_repos()
    if population:
        from ingest.replica.population import population as made_up

        repos |= made_up(population)
    site = Site(repos, redirect=redirect, quota=Quota(enforced=quota))
    server = Server(site, delay=delay, say=_report)
    asyncio.get_running_loop().set_exception_handler(_report_loop_error)
    await server.start(port)
    ended = asyncio.Event()
    if until_stdin_closes:
        loop = asyncio.get_running_loop()
        threading.Thread(
            target=_wait_for_end_of_stdin, args=(lambda: loop.call_soon_threadsafe(ended.set),), daemon=True
        ).start()
        print(json.dumps({"endpoint": site.endpoint, "cdn": site.cdn}), flush=True)
    else:
        _print_welcome(site)
    # Load numpy, which the first shard needs, while the client starts.
    warm_up = asyncio.to_thread(importlib.import_module, "ingest.replica.values")
    try:
        await asyncio.gather(warm_up, ended.wait())
    finally:
        await server.stop()


def _report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _report_loop_error(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report an error of the event loop, such as too many open files, in one line."""
    failure = context.get("exception")
    _report(plain(f"{context['message']}: {exhausted(failure) if failure else ''}".rstrip(": ")))


def _wait_for_end_of_stdin(then: Callable[[], object]) -> None:
    # Not sys.stdin, whose lock this thread would hold while the interpreter ends.
    while os.read(0, 4096):
        pass
    then()


def _print_welcome(site: Site) -> None:
    say = f"""The replica hub is at {site.endpoint} (shards come from {site.cdn}); Ctrl-C ends it.
The models are synthetic: real names and shapes, made-up values, no evidence about the released weights.
Point any Hugging Face client at it with  HF_ENDPOINT={site.endpoint}
Repos:
"""
    shown = list(site.repos)[:SHOWN_REPOS]
    further = [f"and {len(site.repos) - len(shown):,} more"] if len(site.repos) > len(shown) else []
    print(say + "\n".join(f"  {line}" for line in shown + further), file=sys.stderr)


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
