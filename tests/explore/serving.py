"""`just explore` as its own process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).parents[2]
STARTING_SECONDS = 90


def command(lake: str, *options: str) -> list[str]:
    return [sys.executable, "-m", "analysis", "explore", "--lake", lake, *options]


@contextmanager
def explored(data: Path, lake: str) -> Iterator[str]:
    """The address of a page that is served until the block ends."""
    with running(data, lake, "--port", "0", "--no-browser") as (_, address):
        yield address


@contextmanager
def running(
    data: Path, lake: str, *options: str, browser: str = ""
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process, and the address that it printed."""
    environment = {**os.environ, "NORMHOUSE_DATA": str(data), "BROWSER": browser}
    server = subprocess.Popen(
        command(lake, *options),
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    too_late = threading.Timer(STARTING_SECONDS, server.kill)
    too_late.start()
    try:
        address = _printed_address(server)
        too_late.cancel()
        yield server, address
    finally:
        too_late.cancel()
        server.terminate()
        server.communicate(timeout=20)


def _printed_address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"http://127\.0\.0\.1:\d+\S*", line):
            return found[0]
    raise AssertionError("the page did not start")
