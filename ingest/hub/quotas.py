"""Keeps the hub's rate limits: at most so many requests of each kind in a window of time.

The hub counts API and resolver requests separately, and those to its CDN not at all. Each answer says how
many are left and for how long (`RateLimit: "api";r=3;t=120`), and the size of a window (`RateLimit-Policy:
"fixed window";"api";q=500;w=300`). When none is left, requests of that kind wait for the next window. A hub
without these headers is not limited. `session.py` handles a 429 that comes anyway, because others share the
quota.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field

import httpx

from ingest.hub.responses import NUMBER, RATE_LIMIT
from ingest.hub.settings import HubSettings

API, RESOLVERS, CDN = "api", "resolvers", "cdn"
KINDS = (API, RESOLVERS, CDN)
POLICY = re.compile(rf"\bq={NUMBER}\s*;\s*w={NUMBER}(?![0-9])")
# The hub's own client adds it too: seconds are rounded, in either direction.
MARGIN_SECONDS = 1.0
# The hub's windows last 300 s; headers with longer ones are ignored.
LONGEST_WINDOW_SECONDS = 330

# How long the first requests wait for the headers of the first answer.
FIRST_ANSWER_SECONDS = 2.0

Update = Callable[[httpx.Headers], None]


def kind_of(url: httpx.URL, settings: HubSettings) -> str:
    if not settings.may_see_token(url):
        return CDN
    prefix = httpx.URL(settings.endpoint).path.rstrip("/")
    return API if url.path.removeprefix(prefix).startswith("/api/") else RESOLVERS


@dataclass
class Window:
    """What is known of one kind of requests; `quota` is None if the hub does not limit them."""

    sent: int = 0
    # sent and not answered
    under_way: int = 0
    quota: int | None = None
    seconds: float = 0.0
    # the smallest remainder in the answers of this window, which arrive in any order
    lowest: int | None = None
    ends_at: float = 0.0
    has_answered: bool = False
    # set and replaced when a request ends
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    said_for: float = 0.0

    def left(self) -> float:
        """How many may be sent now. Requests under way count, because the hub may have counted them."""
        known = self.quota if time.monotonic() >= self.ends_at else self.lowest
        return float("inf") if known is None else known - self.under_way

    def update(self, headers: httpx.Headers) -> None:
        """Learns from the headers of an answer."""
        self.has_answered = True
        limit = RATE_LIMIT.search(headers.get("RateLimit", ""))
        policy = POLICY.search(headers.get("RateLimit-Policy", ""))
        if policy and int(policy[1]) and 0 < int(policy[2]) <= LONGEST_WINDOW_SECONDS:
            self.quota, self.seconds = int(policy[1]), float(policy[2])
        if not limit or int(limit[2]) > LONGEST_WINDOW_SECONDS:
            return
        if (end := time.monotonic() + int(limit[2])) >= self.ends_at:  # the next window's
            self.lowest, self.ends_at = int(limit[1]), end + MARGIN_SECONDS
        self.lowest = min(self.lowest or 0, int(limit[1]))


class Quotas:
    """The windows of one session, by kind."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.windows = {kind: Window() for kind in KINDS}
        self._say = say

    @asynccontextmanager
    async def turn(self, kind: str) -> AsyncIterator[Update]:
        """Waits for the right to send one request; call what it yields with the answer's headers."""
        window = self.windows[kind]
        if kind != CDN and window.under_way and not window.has_answered:
            # the first request goes alone, so that many at once do not exceed an unknown quota
            await _wait(window.changed, FIRST_ANSWER_SECONDS)
        await self._until_one_is_left(kind, window)
        with _under_way(window):
            yield window.update

    async def _until_one_is_left(self, kind: str, window: Window) -> None:
        while window.left() <= 0:
            rest = window.ends_at - time.monotonic()
            if not window.lowest and rest > 0 and window.said_for != window.ends_at:
                window.said_for = window.ends_at
                self._say(f"the hub's quota of {kind} requests is used up: continuing in {rest:.0f} s")
            await _wait(window.changed, max(rest, 0) or None)


async def _wait(event: asyncio.Event, seconds: float | None) -> None:
    # not wait_for, which can lose a cancellation before Python 3.12
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


@contextmanager
def _under_way(window: Window) -> Iterator[None]:
    window.sent += 1
    window.under_way += 1
    try:
        yield
    finally:
        window.under_way -= 1
        window.changed.set()
        window.changed = asyncio.Event()
