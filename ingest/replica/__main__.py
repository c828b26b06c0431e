"""`python -m ingest.replica`: the replica hub on loopback, for any Hugging Face client, until Ctrl-C."""

from __future__ import annotations

import argparse
import asyncio
import errno
import importlib
import json
import os
import sys
import threading
from collections import deque
from collections.abc import Callable

from ingest.replica.repos import replica_repos
from ingest.replica.server import Server
from ingest.replica.site import Site

DEFAULT_PORT = 8900


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted; 0, or 1 when the port cannot be had."""
    parser = argparse.ArgumentParser(
        prog="python -m ingest.replica", description="The replica hub on loopback."
    )
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="of the hub; 0 takes any (default %(default)s)"
    )
    parser.add_argument("--delay-ms", type=float, default=0.0, help="added to every answer")
    parser.add_argument(
        "--no-redirect", action="store_true", help="serve shards from the hub port, not the CDN port"
    )
    parser.add_argument(
        "--until-stdin-closes",
        action="store_true",
        help="print the addresses as one JSON line and end with the parent's pipe",
    )
    asked = parser.parse_args(arguments)
    try:
        asyncio.run(_serve(asked))
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        why = "in use" if error.errno == errno.EADDRINUSE else "not allowed"
        print(
            f"port {asked.port} is {why}; choose another with --port, or 0 for any free one", file=sys.stderr
        )
        return 1
    return 0


async def _serve(asked: argparse.Namespace) -> None:
    site = Site(replica_repos(), redirect=not asked.no_redirect)
    server = Server(site, delay=asked.delay_ms / 1000, log=deque(maxlen=0))  # nobody could read a log here
    await server.start(asked.port)
    ended = asyncio.Event()
    if asked.until_stdin_closes:
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
    print(say + "\n".join(f"  {repo}" for repo in site.repos), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
