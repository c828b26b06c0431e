"""HTTP requests and answers: their types, and how one request is read within limits of size and time."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote

MOST_HEAD_BYTES = 32_768
MOST_TARGET = 8_192
MOST_HEADERS = 100
# Only paths-info takes a body: this is enough for some ten thousand paths.
MOST_BODY_BYTES = 1_000_000

REQUEST_LINE = re.compile(r"([A-Z]{1,20}) ([!-~]+) HTTP/1\.([01])")
HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)")
LENGTH = re.compile("[0-9]{1,18}")


@dataclass(frozen=True)
class Request:
    """One request: path percent-decoded, names of headers in lower case."""

    port: str  # "hub" or "cdn"
    method: str
    target: str  # as sent: path and query, still encoded
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class Answer:
    """An answer whose body is read piece by piece. `wait` and `cut_after` are for tests of clients."""

    status: int
    headers: Mapping[str, str]
    size: int = 0
    read: Callable[[int, int], bytes] = field(default=lambda _start, _stop: b"", repr=False)
    wait: float = 0.0  # seconds before answering
    cut_after: int | None = None  # body bytes after which the connection is dropped


def text(status: int, say: str, headers: Mapping[str, str] | None = None) -> Answer:
    """A short plain answer."""
    return whole(status, say.encode(), {"Content-Type": "text/plain; charset=utf-8", **(headers or {})})


def in_json(value: object, headers: Mapping[str, str] | None = None) -> Answer:
    """The value as JSON."""
    about = {"Content-Type": "application/json; charset=utf-8", **(headers or {})}
    return whole(200, json.dumps(value).encode(), about)


def error(status: int, code: str | None, say: str, headers: Mapping[str, str] | None = None) -> Answer:
    """A refusal in the hub's form: the reason in headers and in the body."""
    about = {"X-Error-Message": say, **({"X-Error-Code": code} if code else {}), **(headers or {})}
    return whole(status, json.dumps({"error": say}).encode(), {"Content-Type": "application/json", **about})


def whole(status: int, data: bytes, headers: Mapping[str, str]) -> Answer:
    """An answer whose body is in memory."""
    return Answer(status, headers, len(data), lambda start, stop: data[start:stop])


@dataclass(frozen=True)
class Timeouts:
    """How many seconds a client may take."""

    idle: float = 60.0  # before its first or next request
    head: float = 10.0  # to send the head of a request
    body: float = 10.0  # to send its body
    write: float = 30.0  # to receive 256 kB of an answer


class Refused(Exception):
    """A request that is answered with this status, after which the connection ends."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


async def read_request(port: str, reader: asyncio.StreamReader, timeouts: Timeouts) -> Request | None:
    """The next request; None when the client has no more, or was idle for too long."""
    try:
        async with asyncio.timeout(timeouts.idle):
            first = await reader.read(1)
    except TimeoutError:
        return None
    if not first:
        return None
    try:
        async with asyncio.timeout(timeouts.head):
            raw = first + await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError:
        raise Refused(431, f"the head has more than {MOST_HEAD_BYTES:,} bytes") from None
    except TimeoutError:
        raise Refused(408, f"no whole head within {timeouts.head:g} s") from None
    method, target, headers = _parsed(raw)
    body = await _body(headers, reader, timeouts)
    path, _, query = target.partition("?")
    return Request(port, method, target, unquote(path), dict(parse_qsl(query)), headers, body)


def _parsed(raw: bytes) -> tuple[str, str, dict[str, str]]:
    """Method, target and headers. HTTP/1.0 means `Connection: close`."""
    start, *lines = raw[:-4].decode("latin-1").split("\r\n")
    line = REQUEST_LINE.fullmatch(start)
    if not line:
        raise Refused(400, "the first line is not METHOD TARGET HTTP/1.1")
    if len(line[2]) > MOST_TARGET:
        raise Refused(414, f"the target has more than {MOST_TARGET:,} bytes")
    if len(lines) > MOST_HEADERS:
        raise Refused(431, f"more than {MOST_HEADERS} headers")
    headers = {"connection": "close"} if line[3] == "0" else {}
    seen = set()
    for number, text in enumerate(lines, start=1):
        header = HEADER.fullmatch(text)
        if not header:
            raise Refused(400, f"header {number} is not NAME: VALUE")
        name = header[1].lower()
        if name in seen and name in ("content-length", "host"):
            raise Refused(400, f"{name} is given twice")
        seen.add(name)
        headers[name] = header[2].strip(" \t")
    return line[1], line[2], headers


async def _body(headers: dict[str, str], reader: asyncio.StreamReader, timeouts: Timeouts) -> bytes:
    if "transfer-encoding" in headers:
        raise Refused(411, "a body must come with its Content-Length, not with Transfer-Encoding")
    stated = headers.get("content-length", "0")
    if not LENGTH.fullmatch(stated):
        raise Refused(400, "Content-Length is no number of bytes")
    if int(stated) > MOST_BODY_BYTES:
        raise Refused(413, f"the body has more than {MOST_BODY_BYTES:,} bytes")
    try:
        async with asyncio.timeout(timeouts.body):
            return await reader.readexactly(int(stated))
    except TimeoutError:
        raise Refused(408, f"no whole body within {timeouts.body:g} s") from None
