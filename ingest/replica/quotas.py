"""The hub's rate limits: so many requests of a kind in a window, and headers that say how many are left.

By its documentation (September 2025): windows of five minutes; 500 API and 3,000 resolver requests without a
token, 1,000 and 5,000 with one; what the CDN serves is not counted. Headers as in the IETF's draft.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace

from ingest.replica.messages import Answer, Request, text

WINDOW_SECONDS = 300
WITHOUT_TOKEN = {"api": 500, "resolvers": 3000}
WITH_TOKEN = {"api": 1000, "resolvers": 5000}


@dataclass
class Quota:
    """What has been asked in the current window; refuses what is too much only if it is told to."""

    enforced: bool = False
    window: float = WINDOW_SECONDS
    without_token: dict[str, int] = field(default_factory=lambda: dict(WITHOUT_TOKEN))
    with_token: dict[str, int] = field(default_factory=lambda: dict(WITH_TOKEN))
    _begun: float = -float("inf")
    _used: Counter[tuple[str, bool]] = field(default_factory=Counter)

    def refusal(self, request: Request, *, has_token: bool) -> Answer | None:
        """Count a request; 429 if it is one too many."""
        now = time.monotonic()
        if now - self._begun >= self.window:
            self._begun = now
            self._used.clear()
        bucket = _bucket(request)
        self._used[bucket, has_token] += 1
        if not self.enforced or self._used[bucket, has_token] <= self._limit(bucket, has_token):
            return None
        return text(429, "We had to rate limit you", self.headers(request, has_token=has_token))

    def headers(self, request: Request, *, has_token: bool) -> dict[str, str]:
        """What the request's answer says of the window."""
        bucket = _bucket(request)
        limit = self._limit(bucket, has_token)
        left = max(limit - self._used[bucket, has_token], 0) if self.enforced else limit - 1
        seconds = max(self.window - (time.monotonic() - self._begun), 0)
        return {
            "RateLimit": f'"{bucket}";r={left};t={-int(-seconds // 1)}',
            "RateLimit-Policy": f'"fixed window";"{bucket}";q={limit};w={self.window:g}',
        }

    def _limit(self, bucket: str, has_token: bool) -> int:
        return (self.with_token if has_token else self.without_token)[bucket]


def counted(quota: Quota, request: Request, answer: Answer, *, has_token: bool) -> Answer:
    """The answer with the headers of the window."""
    return replace(answer, headers={**answer.headers, **quota.headers(request, has_token=has_token)})


def _bucket(request: Request) -> str:
    return "api" if request.path.startswith("/api/") else "resolvers"
