"""A replica hub in a thread, which tests configure, inspect and make misbehave."""

from __future__ import annotations

import asyncio
import gzip
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal

from ingest.replica.messages import Answer, Request, text, whole
from ingest.replica.repos import HubRepo
from ingest.replica.server import Served, Server
from ingest.replica.site import Quota, Site

Kind = Literal[
    "too_many_requests",  # 429, with `wait` seconds in the rate-limit headers, Retry-After, or both
    "server_error",  # `status`
    "cut_connection",  # half of the body, then the connection is gone
    "short_body",  # Content-Range as asked, Content-Length and body `extra` bytes less
    "short_range",  # a smaller range than asked, consistently labelled
    "long_body",  # Content-Range as asked, Content-Length and body `extra` bytes more
    "ok_to_range",  # 200 and the whole file, up to WHOLE_FILE_LIMIT
    "wrong_content_range",  # the right bytes, labelled `extra` bytes further on
    "slow",  # `wait` seconds before the answer
    "foreign_redirect",  # 302 to the same path at the base address `to`
    "redirect_loop",  # 302 to itself; needs times=None
    "expired_address",  # the CDN says that the signature is too old
    "gzip",  # Content-Encoding: gzip, though nobody asked
    "renamed",  # 307 to the path with `to` instead of `path`, the query lost
    "quota",  # 429 to all but the first `extra` requests of each `wait` seconds
    "instead",  # `status`, `headers` and `body`, whatever was asked
    "headers",  # `headers` beside those of the good answer
]

# Bytes of an unwanted whole file that are sent before the connection is cut.
WHOLE_FILE_LIMIT = 64 * 1024 * 1024

_BODY_FAULTS = {
    "cut_connection",
    "short_body",
    "short_range",
    "long_body",
    "ok_to_range",
    "wrong_content_range",
    "gzip",
}
_RANGE_FAULTS = {"short_range", "ok_to_range", "wrong_content_range"}


@dataclass
class Fault:
    """One kind of misbehaviour: where, and how many times (None: always)."""

    kind: Kind
    times: int | None = 1
    where: Literal["hub", "cdn"] = "hub"
    path: str = ""  # part of the request's path
    status: int = 503
    wait: float = 1.0  # seconds
    rate_limit_headers: bool = True
    retry_after: bool = False
    extra: int = 8  # bytes too few, too many, or off
    to: str = ""  # base address, or part of a path
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    # of a quota: when its window began, and how many requests it has had since
    window: tuple[float, int] = (-math.inf, 0)


@dataclass
class FaultyServer(Server):
    """A server that remembers its requests and applies faults to its answers."""

    faults: list[Fault] = field(default_factory=list)
    log: deque[Served] = field(default_factory=deque)

    def respond(self, request: Request) -> Answer:
        return _with_fault(self.faults, request, super().respond(request))

    def remember(self, served: Served) -> None:
        super().remember(served)
        self.log.append(served)


@dataclass(frozen=True)
class RunningHub:
    """A hub in this process; tests may change its faults and everything of `server.site`."""

    server: FaultyServer

    @property
    def endpoint(self) -> str:
        """Base address of the hub, for HF_ENDPOINT."""
        return self.server.site.endpoint

    @property
    def cdn(self) -> str:
        """Base address of the second port, to which LFS files are redirected."""
        return self.server.site.cdn

    @property
    def log(self) -> list[Served]:
        """Every request so far, oldest first."""
        return list(self.server.log)

    @property
    def faults(self) -> list[Fault]:
        return self.server.faults


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
    """Serve these repos until the block ends; the keywords are those of Site and Server."""
    site = Site(
        repos,
        redirect=redirect,
        token=token,
        unapproved_token=unapproved_token,
        address_seconds=address_seconds,
        quota=quota or Quota(),
    )
    server = FaultyServer(site, delay=delay, faults=list(faults))
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


def _with_fault(faults: Sequence[Fault], request: Request, answer: Answer) -> Answer:
    """The answer as the first matching fault changes it, or unchanged."""
    for fault in faults:
        if fault.times != 0 and _fits(fault, request, answer):
            if fault.times is not None:
                fault.times -= 1
            return _apply(fault, request, answer)
    return answer


def _fits(fault: Fault, request: Request, answer: Answer) -> bool:
    where = "cdn" if fault.kind == "expired_address" else fault.where
    if where != request.port or fault.path not in request.path:
        return False
    if fault.kind in _RANGE_FAULTS:
        return answer.status == 206
    return fault.kind not in _BODY_FAULTS or answer.status in (200, 206)


def _apply(fault: Fault, request: Request, answer: Answer) -> Answer:
    match fault.kind:
        case "too_many_requests":
            return _too_many(fault)
        case "server_error":
            return text(fault.status, "Something went wrong on our side")
        case "slow":
            return replace(answer, wait=fault.wait)
        case "renamed":
            moved = request.target.partition("?")[0].replace(fault.path, fault.to)
            return text(307, "Temporary Redirect", {"Location": moved})
        case "quota":
            return _over_quota(fault) or answer
        case "instead":
            return whole(fault.status, fault.body, fault.headers)
        case "headers":
            return replace(answer, headers={**answer.headers, **fault.headers})
        case "foreign_redirect":
            return text(302, "Found", {"Location": fault.to.rstrip("/") + request.target})
        case "redirect_loop":
            return text(302, "Found", {"Location": request.target})
        case "expired_address":
            return text(403, "Request has expired")
        case "cut_connection":
            return replace(answer, cut_after=answer.size // 2)
        case "short_body":
            return replace(answer, size=max(answer.size - fault.extra, 0))
        case "long_body":
            return replace(answer, size=answer.size + fault.extra, read=_padded(answer))
        case "gzip":
            packed = gzip.compress(answer.read(0, answer.size))
            headers = {**answer.headers, "Content-Encoding": "gzip"}
            return replace(answer, headers=headers, size=len(packed), read=lambda a, b: packed[a:b])
        case "short_range" | "wrong_content_range" | "ok_to_range":
            return _range_fault(fault, answer)


def _range_fault(fault: Fault, answer: Answer) -> Answer:
    span, _, size = answer.headers["Content-Range"].removeprefix("bytes ").partition("/")
    first, last = map(int, span.split("-"))
    if fault.kind == "short_range":
        shorter = max(answer.size - fault.extra, 1)
        label = f"bytes {first}-{first + shorter - 1}/{size}"
        return replace(answer, size=shorter, headers={**answer.headers, "Content-Range": label})
    if fault.kind == "wrong_content_range":
        label = f"bytes {first + fault.extra}-{last + fault.extra}/{size}"
        return replace(answer, headers={**answer.headers, "Content-Range": label})
    headers = {name: value for name, value in answer.headers.items() if name != "Content-Range"}
    read = answer.read
    cut = WHOLE_FILE_LIMIT if int(size) > WHOLE_FILE_LIMIT else None
    # The answer's reader counts from the start of the range; the whole file starts before it.
    return Answer(200, headers, int(size), lambda a, b: read(a - first, b - first), cut_after=cut)


def _padded(answer: Answer) -> Callable[[int, int], bytes]:
    """The body followed by any number of zeros."""

    def read(start: int, stop: int) -> bytes:
        return answer.read(start, min(stop, answer.size)).ljust(stop - start, b"\0")

    return read


def _over_quota(fault: Fault) -> Answer | None:
    """429 until the fixed window ends."""
    now = time.monotonic()
    began, count = fault.window if now - fault.window[0] < fault.wait else (now, 0)
    fault.window = began, count + 1
    if count < fault.extra:
        return None
    return text(429, "Too many requests", {"Retry-After": str(math.ceil(began + fault.wait - now))})


def _too_many(fault: Fault) -> Answer:
    headers = {}
    if fault.rate_limit_headers:
        headers["RateLimit"] = f'"resolvers";r=0;t={fault.wait:g}'
        headers["RateLimit-Policy"] = '"fixed window";"resolvers";q=3000;w=300'
    if fault.retry_after:
        headers["Retry-After"] = f"{fault.wait:g}"
    return text(429, "Too many requests: the replica was told to say so", headers)
