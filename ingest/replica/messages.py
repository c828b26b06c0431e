"""Requests and answers, between the sockets (server.py) and the logic (hub.py, api.py, faults.py)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Request:
    """One request as it arrived; path percent-decoded, query and headers (lower case) flattened."""

    port: str  # "hub" or "cdn"
    method: str
    target: str  # as sent: path and query, still encoded
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class Answer:
    """What goes back; the body is read piece by piece. `wait` and `cut_after` are for faults."""

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
    """A refusal as the hub words it: the reason in headers, and once more in the body."""
    about = {"X-Error-Message": say, **({"X-Error-Code": code} if code else {}), **(headers or {})}
    return whole(status, json.dumps({"error": say}).encode(), {"Content-Type": "application/json", **about})


def whole(status: int, data: bytes, headers: Mapping[str, str]) -> Answer:
    """An answer that is all there."""
    return Answer(status, headers, len(data), lambda start, stop: data[start:stop])
