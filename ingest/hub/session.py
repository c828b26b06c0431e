"""One HTTP client for one job: a bounded number of requests at once, patient, and careful with the token.

Patience: 408, 429, 5xx, time-outs and cut connections are tried again with doubled waits; a 429 stops all
requests of the job until the moment the server names. An answer that contradicts itself is not tried again.
Redirects are never followed here: `hub.py` decides where to go next and with which headers.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from types import TracebackType
from urllib.request import getproxies

import httpcore
import httpx

from ingest.hub.lanes import FAILURES, Lane
from ingest.hub.settings import HubSettings
from warehouse import VERSION
from warehouse.errors import GaveUp, HubError, HubUnreachable, RangeIgnored

TRIES = 5
TRIES_BEFORE_FIRST_ANSWER = 2
RETRIED = frozenset({408, 429, 500, 502, 503, 504})
# The hub's windows last 300 s; a server that asks for more will not be waited for.
LONGEST_WAIT_SECONDS = 330.0
# Twice this, one wait and the start must stay below the ten seconds a person waits for "no network".
CONNECT_SECONDS = 3.0
# Enough to hide 30 ms of latency; more costs the client's own CPU time instead (measured, `just bench`).
REQUESTS_AT_ONCE = 64
# config.json and error pages; an index of 18,000 tensors has 2 MB
SMALL_FILE_BYTES = 64_000_000
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
USER_AGENT = f"normhouse/{VERSION}; python/{PYTHON}; httpx/{httpx.__version__}".encode()


@dataclass(frozen=True)
class Answer:
    url: httpx.URL
    status: int
    headers: httpx.Headers
    body: bytes


@dataclass(frozen=True)
class Bytes:
    """A byte range of a file, stop exclusive."""

    start: int
    stop: int

    def __str__(self) -> str:
        return f"bytes {self.start}-{self.stop - 1}"


class HttpSession:
    """Use as `async with`; counts what it does."""

    def __init__(self, settings: HubSettings, say: Callable[[str], None]) -> None:
        self.settings = settings
        self.requests = 0
        self.bytes_read = 0
        self._say = say
        self._answered = False
        self._resume_at = 0.0
        timeout = httpx.Timeout(settings.timeout_seconds, connect=CONNECT_SECONDS)
        # Last in, first out, so that few requests use few connections.
        self._lanes: asyncio.LifoQueue[Lane] = asyncio.LifoQueue()
        tls = httpx.create_ssl_context(trust_env=settings.use_proxies)
        proxies = getproxies() if settings.use_proxies else {}
        self._all_lanes = [Lane(tls, proxies, timeout.as_dict()) for _ in range(REQUESTS_AT_ONCE)]
        for lane in self._all_lanes:
            self._lanes.put_nowait(lane)

    async def __aenter__(self) -> HttpSession:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for lane in self._all_lanes:
            await lane.aclose()

    async def get(self, url: httpx.URL, wanted: Bytes | None = None) -> Answer:
        """The answer to one GET after as many tries as it takes, whatever its status but the retried ones."""
        if self.settings.offline:
            raise HubUnreachable(
                f"HF_HUB_OFFLINE is set and {url} is not cached: unset it, or ingest a folder or `replica`"
            )
        wait = self.settings.first_wait_seconds
        tries = 0
        while True:
            await self._until_resumed()
            tries += 1
            try:
                lane = await self._lanes.get()
                try:
                    answer = await self._once(lane, url, wanted)
                finally:
                    self._lanes.put_nowait(lane)
                if answer.status not in RETRIED:
                    return answer
                reason = f"status {answer.status}"
                pause = self._asked_pause(answer)
            except FAILURES as error:
                reason, pause = _reason(error), None
                if not self._answered and tries >= TRIES_BEFORE_FIRST_ANSWER:
                    raise self._unreachable(url, reason) from None
            if tries >= TRIES or (pause or 0) > LONGEST_WAIT_SECONDS:
                raise self._gave_up(url, tries, reason, pause) from None
            if pause is None:
                await asyncio.sleep(wait)
                wait *= 2
            else:
                self._pause_all(url, pause)

    async def _once(self, lane: Lane, url: httpx.URL, wanted: Bytes | None) -> Answer:
        headers = [(b"Host", url.netloc), (b"User-Agent", USER_AGENT), (b"Accept-Encoding", b"identity")]
        if wanted:
            headers.append((b"Range", f"bytes={wanted.start}-{wanted.stop - 1}".encode()))
        if self.settings.token and self.settings.may_see_token(url):
            headers.append((b"Authorization", f"Bearer {self.settings.token}".encode()))
        self.requests += 1
        response = await lane.get(url, headers)
        try:
            self._answered = True
            answer = Answer(url, response.status, httpx.Headers(response.headers), b"")
            return replace(answer, body=await self._body(response, answer, wanted))
        finally:
            await response.aclose()

    async def _body(self, response: httpcore.Response, head: Answer, wanted: Bytes | None) -> bytes:
        """Read no more than was asked for: a server that ignores Range would send the whole shard."""
        if wanted and head.status == 200:
            raise RangeIgnored(
                f"expected 206 for {wanted} of {shown(head.url)}, got 200: this server ignores Range "
                f"requests; use another endpoint (HF_ENDPOINT)"
            )
        encoding = head.headers.get("Content-Encoding", "identity")
        if encoding != "identity":
            raise HubError(
                f"{shown(head.url)} came back as {encoding}, but plain bytes were asked for: use another "
                f"endpoint or proxy"
            )
        limit = wanted.stop - wanted.start if wanted and head.status == 206 else SMALL_FILE_BYTES
        pieces = []
        length = 0
        async for piece in response.aiter_stream():
            pieces.append(piece)
            length += len(piece)
            if length > limit:
                raise HubError(
                    f"{shown(head.url)} sent more than the {limit:,} bytes asked for: use another endpoint"
                )
        self.bytes_read += length
        return b"".join(pieces)

    def _asked_pause(self, answer: Answer) -> float | None:
        """Seconds the server asks for: its rate limit if that is used up, else Retry-After."""
        limit = re.search(r"\br=(\d+)\s*;\s*t=(\d+)", answer.headers.get("RateLimit", ""))
        if answer.status == 429 and limit and int(limit[1]) == 0:
            return int(limit[2]) + 1.0
        retry_after = answer.headers.get("Retry-After", "")
        if retry_after.isdigit():
            return float(retry_after)
        try:
            return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
        except ValueError:
            return None

    def _pause_all(self, url: httpx.URL, seconds: float) -> None:
        resume_at = time.monotonic() + seconds
        if resume_at > self._resume_at + 0.5:
            self._say(f"{url.host} asks to wait: going on in {seconds:.0f} s")
        self._resume_at = max(self._resume_at, resume_at)

    async def _until_resumed(self) -> None:
        # A loop, because another request may have moved the moment while this one slept.
        while (rest := self._resume_at - time.monotonic()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(rest)

    def _unreachable(self, url: httpx.URL, reason: str) -> HubUnreachable:
        return HubUnreachable(
            f"cannot reach {url.scheme}://{url.netloc.decode()} ({reason}): check the network and "
            f"HF_ENDPOINT, or work without a network: `just ingest replica`"
        )

    def _gave_up(self, url: httpx.URL, tries: int, reason: str, pause: float | None) -> GaveUp:
        asked = f", which asks to wait {pause:.0f} s" if pause else ""
        advice = "try again later"
        if reason == "status 429" and not self.settings.token:
            advice += ", or set HF_TOKEN: signed-in users may ask more often"
        count = "1 try" if tries == 1 else f"{tries} tries"
        return GaveUp(f"gave up on {shown(url)} after {count} (last: {reason}{asked}): {advice}")


def check_range(answer: Answer, wanted: Bytes) -> int:
    """Refuse a 206 that is not exactly the range asked for; returns the file's size."""
    stated = answer.headers.get("Content-Range", "")
    match = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", stated)
    if match:
        first, last, size = (int(number) for number in match.groups())
        expected_last = min(wanted.stop, size) - 1
        if (first, last) == (wanted.start, expected_last) and len(answer.body) == last - first + 1:
            return size
    raise HubError(
        f"asked for {wanted} of {shown(answer.url)}, got {len(answer.body)} bytes with Content-Range "
        f"{stated!r}: the server or a proxy is broken; use another endpoint"
    )


def shown(url: httpx.URL) -> str:
    """Without the query: a signed address is a secret."""
    return str(url.copy_with(query=None))


def _reason(error: Exception) -> str:
    if isinstance(error, httpcore.TimeoutException):
        return "timed out"
    return str(error) or type(error).__name__
