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
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field

import httpx

from ingest.hub.responses import NUMBER, RATE_LIMIT
from ingest.hub.settings import HubSettings

API, RESOLVERS, CDN = "api", "resolvers", "cdn"
KINDS = (API, RESOLVERS, CDN)
POLICY = re.compile(rf"\bq={NUMBER}\s*;\s*w={NUMBER}(?![0-9])")
# As the hub's own client: seconds are whole ones, rounded in whatever direction.
MARGIN_SECONDS = 1.0
# The hub's windows last 300 s; what is said of longer ones is not believed.
LONGEST_WINDOW_SECONDS = 330

# The others do not wait longer for the first answer, which may be slow for reasons of its own.
FIRST_ANSWER_SECONDS = 2.0

Told = Callable[[httpx.Headers], None]


def kind_of(url: httpx.URL, settings: HubSettings) -> str:
    if not settings.may_see_token(url):
        return CDN
    prefix = httpx.URL(settings.endpoint).path.rstrip("/")
    return API if url.path.removeprefix(prefix).startswith("/api/") else RESOLVERS


@dataclass
class Window:
    """What is known of the requests of one kind; `quota` is None where the hub does not tell."""

    sent: int = 0
    # on their way, or not known to have been answered
    under_way: int = 0
    quota: int | None = None
    seconds: float = 0.0
    # the least that an answer of this window said is left; answers come in any order
    lowest: int | None = None
    ends_at: float = 0.0
    has_answered: bool = False
    # set, and replaced by another, when one of those under way ends
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    said_for: float = 0.0

    def left(self) -> float:
        """How many may be sent now. Of those under way nobody knows whether they are counted: they are."""
        known = self.quota if time.monotonic() >= self.ends_at else self.lowest
        return float("inf") if known is None else known - self.under_way

    def told(self, headers: httpx.Headers) -> None:
        """What an answer says."""
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
    """Of one session; `windows` by kind counts its requests."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.windows = {kind: Window() for kind in KINDS}
        self._say = say

    @asynccontextmanager
    async def turn(self, kind: str) -> AsyncIterator[Told]:
        """The right to one request; tell it the answer's headers."""
        window = self.windows[kind]
        if kind != CDN and window.under_way and not window.has_answered:
            # one alone at first, so that many at once do not exceed a quota nobody knows yet
            await _wait(window.changed, FIRST_ANSWER_SECONDS)
        await self._until_one_is_left(kind, window)
        with _under_way(window):
            yield window.told

    async def _until_one_is_left(self, kind: str, window: Window) -> None:
        while window.left() <= 0:
            rest = window.ends_at - time.monotonic()
            if not window.lowest and rest > 0 and window.said_for != window.ends_at:
                window.said_for = window.ends_at
                self._say(f"the hub's quota of {kind} requests is used up: going on in {rest:.0f} s")
            await _wait(window.changed, max(rest, 0) or None)


async def _wait(event: asyncio.Event, seconds: float | None) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


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
