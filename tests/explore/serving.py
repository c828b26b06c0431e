"""`just explore` as its own process, and requests to it over real sockets."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PROJECT = Path(__file__).parents[2]
STARTING_SECONDS = 90
ANSWERING_SECONDS = 10
LARGEST = 1_000_000


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


def exchange(port: int, target: str, *headers: str, method: str = "GET", version: str = "1.1") -> bytes:
    """What the server answers, at most LARGEST bytes, to a request with exactly these headers."""
    lines = [f"{method} {target} HTTP/{version}", *headers, "Connection: close", "", ""]
    return answer_to(port, "\r\n".join(lines))


def handshake(port: int, target: str, *headers: str) -> bytes:
    """The first line of the answer to a websocket's opening handshake."""
    lines = [
        f"GET {target} HTTP/1.1",
        *headers,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "",
        "",
    ]
    return answer_to(port, "\r\n".join(lines), until=b"\r\n").split(b"\r\n")[0]


def answer_to(port: int, request: str, until: bytes | None = None) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=ANSWERING_SECONDS) as connection:
        connection.sendall(request.encode("latin-1"))
        answer = b""
        with suppress(TimeoutError):
            while len(answer) < LARGEST and not (until and until in answer):
                part = connection.recv(65_536)
                if not part:
                    break
                answer += part
    return answer
