"""The replica hub as a command serves it: in the foreground, until Ctrl-C or the end of stdin."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from ingest.replica.quotas import Quota
from ingest.replica.repos import replica_repos
from ingest.replica.server import Server
from ingest.replica.site import Site
from warehouse.console.exhausted import exhausted
from warehouse.errors import plain

SHOWN_REPOS = 20


async def serve_until_ended(
    port: int, *, delay: float, redirect: bool, until_stdin_closes: bool, population: int, quota: bool
) -> None:
    """Delay in seconds; `population` made-up models besides the twelve."""
    repos = replica_repos()
    if population:
        from ingest.replica.population import population as made_up

        repos |= made_up(population)
    site = Site(repos, redirect=redirect, quota=Quota(enforced=quota))
    # nobody could read a log here
    server = Server(site, delay=delay, log=deque(maxlen=0), say=_complain)
    asyncio.get_running_loop().set_exception_handler(_complain_of)
    await server.start(port)
    ended = asyncio.Event()
    if until_stdin_closes:
        loop = asyncio.get_running_loop()
        threading.Thread(
            target=_wait_for_end_of_stdin, args=(lambda: loop.call_soon_threadsafe(ended.set),), daemon=True
        ).start()
        print(json.dumps({"endpoint": site.endpoint, "cdn": site.cdn}), flush=True)
    else:
        _introduce(site)
    # Numpy is not needed to say hello, but will be at the first shard: load it while the client starts.
    warm_up = asyncio.to_thread(importlib.import_module, "ingest.replica.values")
    try:
        await asyncio.gather(warm_up, ended.wait())
    finally:
        await server.stop()


def _complain(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _complain_of(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What the event loop has to say, such as that no more files may be opened: one line, no traceback."""
    failure = context.get("exception")
    _complain(plain(f"{context['message']}: {exhausted(failure) if failure else ''}".rstrip(": ")))


def _wait_for_end_of_stdin(then: Callable[[], object]) -> None:
    # os.read, not sys.stdin: a thread inside sys.stdin would hold its lock while the interpreter ends.
    while os.read(0, 4096):
        pass
    then()


def _introduce(site: Site) -> None:
    say = f"""The replica hub is at {site.endpoint} (shards come from {site.cdn}); Ctrl-C ends it.
The models are synthetic: real names and shapes, made-up values, no evidence about the released weights.
Point any Hugging Face client at it with  HF_ENDPOINT={site.endpoint}
Repos:
"""
    shown = list(site.repos)[:SHOWN_REPOS]
    further = [f"and {len(site.repos) - len(shown):,} more"] if len(site.repos) > len(shown) else []
    print(say + "\n".join(f"  {line}" for line in shown + further), file=sys.stderr)
