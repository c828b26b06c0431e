"""One HTTP session for one job: it bounds, retries and paces requests, and keeps the token to the hub.

408, 429, 5xx, time-outs and dropped connections are retried with doubled waits. A 429 pauses all requests of
the job until the moment that the server names; `quotas.py` keeps the hub from having to send one. An answer
that arrives byte by byte is given up, and one that contradicts itself is not retried. Redirects are followed
in `repo.py`.
"""

from __future__ import annotations

import asyncio
import ssl
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import TracebackType
from urllib.request import getproxies, proxy_bypass

import httpx

from ingest.hub.quotas import Quotas, kind_of
from ingest.hub.responses import (
    PROXY_WANTS_PASSWORD,
    Answer,
    Bytes,
    address,
    asked_pause,
    reason,
    refuse_proxy,
    refuse_untrusted,
    tls_context,
)
from ingest.hub.settings import HubSettings
from ingest.model_files import SMALL_FILE_BYTES
from warehouse import VERSION
from warehouse.console.exhausted import exhausted, files_left
from warehouse.console.output import counted
from warehouse.errors import GaveUp, HubError, HubUnreachable, RangeIgnored, UsageError

# The hub, and its CDN with one to three hosts.
MOST_SERVERS = 4
# Servers close idle connections after a minute or more.
LIMITS = httpx.Limits(max_connections=MOST_SERVERS, keepalive_expiry=20.0)


class Connection:
    """Sends one GET request at a time over connections that are kept open, through the environment's proxies.

    The session has one for each request that it may send at the same time: one httpx client for all of them
    would search its whole pool several times for each request, which at 64 requests takes four times the CPU
    (`just bench ingest`). Transports instead of clients, because a hostile hub must not set cookies or
    redirect us by itself.
    """

    def __init__(self, tls: ssl.SSLContext, proxies: Mapping[str, str], timeout: httpx.Timeout) -> None:
        """`proxies`: by scheme or `all`, as urllib reads them from the environment."""
        self._tls = tls
        self._proxies = proxies
        self._extensions = {"timeout": timeout.as_dict()}
        # by the address of the proxy; "" without one
        self._transports: dict[str, httpx.AsyncHTTPTransport] = {}

    async def get(self, url: httpx.URL, headers: Mapping[str, str]) -> httpx.Response:
        """The head of the answer. The caller reads the body and closes it."""
        proxy = self._proxies.get(url.scheme) or self._proxies.get("all") or ""
        if proxy and proxy_bypass(url.host):
            proxy = ""
        if proxy not in self._transports:
            self._transports[proxy] = httpx.AsyncHTTPTransport(
                verify=self._tls, limits=LIMITS, proxy=_proxy(proxy, url.host) if proxy else None
            )
        request = httpx.Request("GET", url, headers=headers, extensions=self._extensions)
        return await self._transports[proxy].handle_async_request(request)

    async def aclose(self) -> None:
        for transport in self._transports.values():
            await transport.aclose()


def _proxy(address: str, host: str) -> httpx.Proxy:
    try:
        proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
    except (ValueError, httpx.InvalidURL):
        proxy = None
    if proxy is None or proxy.url.scheme not in ("http", "https"):
        # without the address, which may hold a password
        raise UsageError(
            f"the proxy that the environment names for {host} is not an http:// or https:// address: "
            f"set HTTPS_PROXY or ALL_PROXY to one, or NO_PROXY to {host}"
        )
    return proxy


TRIES = 5
TRIES_BEFORE_FIRST_ANSWER = 2
TRIES_OF_A_TRICKLE = 2
# How often one request may be refused by a quota that others use up too, as long as some requests succeed.
MOST_PAUSES = 30
RETRIED = frozenset({408, 429, 500, 502, 503, 504})
# The hub's windows last 300 s. A server that asks for a longer wait is given up.
LONGEST_WAIT_SECONDS = 330.0
# Twice this, one wait and the start must stay below the ten seconds a person waits for "no network".
CONNECT_SECONDS = 3.0
# Time limits of an answer, in time-outs: until its head is there, and in all. In between, its body may be as
# slow as SLOWEST_BYTES_PER_SECOND: a line of 1 Mbit/s shared by all requests gives each 2 kB a second.
TIMEOUTS_TO_BEGIN = 6
TIMEOUTS_IN_ALL = 60
SLOWEST_BYTES_PER_SECOND = 1_000
TRICKLE = f"less than {SLOWEST_BYTES_PER_SECOND:,} bytes a second came"
# Enough to hide 30 ms of latency; more only costs CPU (measured, `just bench`).
REQUESTS_AT_ONCE = 64
# Open files left for other uses than connections: the lake's, the event loop's, a child process.
FILES_KEPT_FREE = 24
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
USER_AGENT = f"normhouse/{VERSION}; python/{PYTHON}; httpx/{httpx.__version__}"


class HttpSession:
    """Use as `async with`; counts requests and bytes."""

    def __init__(self, settings: HubSettings, say: Callable[[str], None]) -> None:
        self.settings = settings
        self.requests = 0
        self.bytes_read = 0
        self.quotas = Quotas(say)
        self._say = say
        self._answered = False
        self._good_answers = 0
        self._resume_at = 0.0
        timeout = httpx.Timeout(settings.timeout_seconds, connect=CONNECT_SECONDS)
        tls = tls_context(use_environment=settings.use_proxies)
        proxies = getproxies() if settings.use_proxies else {}
        self._connections = [Connection(tls, proxies, timeout) for _ in range(connections_allowed())]
        # Last in, first out, so that few requests open few connections.
        self._idle: asyncio.LifoQueue[Connection] = asyncio.LifoQueue()
        for connection in self._connections:
            self._idle.put_nowait(connection)

    async def __aenter__(self) -> HttpSession:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connection in self._connections:
            await connection.aclose()

    async def get(self, url: httpx.URL, wanted: Bytes | None = None) -> Answer:
        """The answer to one GET, after retries. The caller handles all statuses but those of RETRIED."""
        if self.settings.offline:
            raise HubUnreachable(
                f"{self.settings.offline} is set and {url} is not cached: unset it, or ingest a folder or "
                f"`replica`"
            )
        wait = self.settings.first_wait_seconds
        tries = 0
        most = TRIES
        while True:
            tries += 1
            pause = None
            try:
                async with self.quotas.turn(kind_of(url, self.settings)) as update:
                    answer = await self._on_idle_connection(url, wanted)
                    update(answer.headers)
                if answer.status == int(PROXY_WANTS_PASSWORD):  # a proxy without a tunnel
                    refuse_proxy(f"{answer.status} Proxy Authentication Required", url)
                if answer.status not in RETRIED:
                    return answer
                why = f"status {answer.status}"
                pause = asked_pause(answer)
            except TimeoutError:
                why, most = TRICKLE, TRIES_OF_A_TRICKLE
            except httpx.TransportError as error:
                refuse_untrusted(error, url)
                if used_up := exhausted(error):
                    raise HubError(f"no connection to {url.netloc.decode()}: {used_up}") from None
                if isinstance(error, httpx.ProxyError):
                    refuse_proxy(str(error), url)
                why = reason(error)
                if not self._answered and tries >= TRIES_BEFORE_FIRST_ANSWER:
                    raise self._unreachable(url, why) from None
            if tries >= most or (pause or 0) > LONGEST_WAIT_SECONDS:
                raise self._gave_up(url, tries, why, pause) from None
            if pause is None:
                await asyncio.sleep(wait)
                wait *= 2
            else:
                self._pause_all(url, pause)

    async def _on_idle_connection(self, url: httpx.URL, wanted: Bytes | None) -> Answer:
        """Keeps its connection while a quota pauses it, so that the longest waiting request is sent first."""
        connection = await self._idle.get()
        try:
            for _ in range(MOST_PAUSES):
                await self._until_resumed()
                before = self._good_answers
                answer = await self._once(connection, url, wanted)
                pause = asked_pause(answer) if answer.status == 429 else None
                if pause is None or pause > LONGEST_WAIT_SECONDS or self._good_answers == before:
                    break
                self._pause_all(url, pause)
            return answer
        finally:
            self._idle.put_nowait(connection)

    async def _once(self, connection: Connection, url: httpx.URL, wanted: Bytes | None) -> Answer:
        headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity"}
        if wanted:
            headers["Range"] = f"bytes={wanted.start}-{wanted.stop - 1}"
        if self.settings.token and self.settings.may_see_token(url):
            headers["Authorization"] = f"Bearer {self.settings.token}"
        self.requests += 1
        async with asyncio.timeout(self.settings.timeout_seconds * TIMEOUTS_TO_BEGIN) as limit:
            try:
                response = await connection.get(url, headers)
            except (ValueError, OverflowError) as error:  # a name or port that the system does not accept
                raise HubError(
                    f"{address(url)} cannot be asked ({error}): check HF_ENDPOINT, or report it to the hub"
                ) from None
            try:
                self._answered = True
                answer = Answer(url, response.status_code, response.headers, b"")
                answer = replace(answer, body=await self._body(response, answer, wanted, limit))
            finally:
                await response.aclose()
        self._good_answers += answer.status not in RETRIED
        return answer

    async def _body(
        self, response: httpx.Response, head: Answer, wanted: Bytes | None, limit: asyncio.Timeout
    ) -> bytes:
        """Reads at most what was asked for: a server that ignores Range would send the whole shard."""
        if wanted and head.status == 200 and head.headers.get("Content-Length") != "0":
            raise RangeIgnored(
                f"expected 206 for {wanted} of {address(head.url)}, got 200: this server ignores Range "
                f"requests; use another endpoint (HF_ENDPOINT)"
            )
        encoding = head.headers.get("Content-Encoding", "identity")
        if encoding != "identity":
            raise HubError(
                f"{address(head.url)} came back as {encoding}, but plain bytes were asked for: use another "
                f"endpoint or proxy"
            )
        most = wanted.stop - wanted.start if wanted and head.status == 206 else SMALL_FILE_BYTES
        pieces = []
        length = 0
        begin_by = limit.when() or 0.0
        end_by = begin_by + self.settings.timeout_seconds * (TIMEOUTS_IN_ALL - TIMEOUTS_TO_BEGIN)
        async for piece in response.aiter_raw():
            pieces.append(piece)
            length += len(piece)
            if length > most:
                raise HubError(
                    f"{address(head.url)} sent more than the {most:,} bytes asked for: use another endpoint"
                )
            limit.reschedule(min(begin_by + length / SLOWEST_BYTES_PER_SECOND, end_by))
        self.bytes_read += length
        return b"".join(pieces)

    def _pause_all(self, url: httpx.URL, seconds: float) -> None:
        resume_at = time.monotonic() + seconds
        if resume_at > self._resume_at + 0.5:
            self._say(f"{url.host} asks to wait: continuing in {seconds:.0f} s")
        self._resume_at = max(self._resume_at, resume_at)

    async def _until_resumed(self) -> None:
        # A loop, because another request may have extended the pause while this one slept.
        while (rest := self._resume_at - time.monotonic()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(rest)

    def _unreachable(self, url: httpx.URL, why: str) -> HubUnreachable:
        return HubUnreachable(
            f"cannot reach {url.scheme}://{url.netloc.decode()} ({why}): check the network and "
            f"HF_ENDPOINT, or work without a network: `just ingest replica`"
        )

    def _gave_up(self, url: httpx.URL, tries: int, why: str, pause: float | None) -> GaveUp:
        asked = f", which asks to wait {pause:.0f} s" if pause else ""
        advice = "try again later"
        if why == TRICKLE:
            advice += ", or set HF_HUB_DOWNLOAD_TIMEOUT higher for a slow line"
        if why == "status 429" and not self.settings.token:
            advice += ", or set HF_TOKEN: signed-in users may ask more often"
        return GaveUp(
            f"gave up on {address(url)} after {counted(tries, 'try', 'tries')} (last: {why}{asked}): {advice}"
        )


def connections_allowed() -> int:
    """How many requests at once `ulimit -n` has room for."""
    return int(max(1, min(REQUESTS_AT_ONCE, (files_left() - FILES_KEPT_FREE) // MOST_SERVERS)))
