"""The hub's rate limits, kept before they are met: so many requests of a kind in a window.

It counts API and resolver requests apart, and what its CDN serves not at all. Each of its answers says how
many are left and for how long (`RateLimit: "api";r=3;t=120`), and what a window has (`RateLimit-Policy:
"fixed window";"api";q=500;w=300`). When none is left, requests of that kind wait for the next window; those
of other kinds go on. A hub that tells nothing is asked freely. What is refused all the same (429), because
others share the quota, is waited for in `session.py`.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from ingest.hub.answers import NUMBER, RATE_LIMIT
from ingest.hub.settings import HubSettings

API, RESOLVERS, CDN = "api", "resolvers", "cdn"
KINDS = (API, RESOLVERS, CDN)
POLICY = re.compile(rf"\bq={NUMBER}\s*;\s*w={NUMBER}(?![0-9])")
# As the hub's own client: seconds are whole ones, rounded in whatever direction.
MARGIN_SECONDS = 1.0
# The hub's windows last 300 s; what is said of longer ones is not believed.
LONGEST_WINDOW_SECONDS = 330

Told = Callable[[httpx.Headers], None]


def kind_of(url: httpx.URL, settings: HubSettings) -> str:
    if not settings.may_see_token(url):
        return CDN
    prefix = httpx.URL(settings.endpoint).path.rstrip("/")
    return API if url.path.removeprefix(prefix).startswith("/api/") else RESOLVERS


@dataclass
class Window:
    """What is known of the requests of one kind; `left` and `quota` are None where the hub does not tell."""

    sent: int = 0
    left: int | None = None
    quota: int | None = None
    seconds: float = 0.0
    ends_at: float = 0.0
    # which request the last word was about: older ones come late
    told_of: int = 0
    first: asyncio.Lock = field(default_factory=asyncio.Lock)
    has_answered: bool = False
    is_waited_for: bool = False

    def take(self) -> int:
        """The number of a request that is sent now."""
        self.sent += 1
        if self.left is not None:
            self.left -= 1
        return self.sent

    def told(self, number: int, headers: httpx.Headers) -> None:
        """What the answer to this request says; later ones are on their way, and count already."""
        self.has_answered = True
        limit = RATE_LIMIT.search(headers.get("RateLimit", ""))
        policy = POLICY.search(headers.get("RateLimit-Policy", ""))
        if number <= self.told_of or not limit or int(limit[2]) > LONGEST_WINDOW_SECONDS:
            return
        self.told_of = number
        self.left = int(limit[1]) - (self.sent - number)
        self.ends_at = time.monotonic() + int(limit[2]) + MARGIN_SECONDS
        if policy and 0 < int(policy[2]) <= LONGEST_WINDOW_SECONDS:
            self.quota, self.seconds = int(policy[1]), float(policy[2])

    def begin_anew(self) -> None:
        """The next window; what is said of the last one no longer counts."""
        self.is_waited_for = False
        self.left = self.quota
        self.ends_at = time.monotonic() + self.seconds + MARGIN_SECONDS
        self.told_of = self.sent


class Quotas:
    """Of one session; `windows` by kind counts its requests."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.windows = {kind: Window() for kind in KINDS}
        self._say = say

    @asynccontextmanager
    async def turn(self, kind: str) -> AsyncIterator[Told]:
        """The right to one request; tell it the answer's headers."""
        window = self.windows[kind]
        if kind != CDN and not window.has_answered:
            # one alone, so that many at once do not exceed a quota nobody knows yet
            async with window.first:
                if not window.has_answered:
                    yield self._teller(window)
                    return
        await self._until_one_is_left(kind, window)
        yield self._teller(window)

    def _teller(self, window: Window) -> Told:
        number = window.take()
        return lambda headers: window.told(number, headers)

    async def _until_one_is_left(self, kind: str, window: Window) -> None:
        while window.left is not None and window.left <= 0:
            rest = window.ends_at - time.monotonic()
            if rest <= 0:
                window.begin_anew()
                return
            if not window.is_waited_for:
                window.is_waited_for = True
                self._say(f"the hub's quota of {kind} requests is used up: going on in {rest:.0f} s")
            await asyncio.sleep(rest)
