"""What a server answers, and what its headers say; anybody may have written them, so all is doubted."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import httpx

from ingest.formats.safetensors_header import shown
from warehouse.errors import HubError

# ASCII digits, few enough for 63 bits
NUMBER = "([0-9]{1,18})"
RANGE = re.compile(f"bytes {NUMBER}-{NUMBER}/{NUMBER}")
OUTSIDE = re.compile(rf"bytes \*/{NUMBER}")
RATE_LIMIT = re.compile(rf"\br={NUMBER}\s*;\s*t={NUMBER}(?![0-9])")
# how storage behind a CDN words a refusal
XML_REASON = re.compile(r"<(?:Code|Message)>([^<]{1,200})<")
MOST_WORDS = 120


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


def check_range(answer: Answer, wanted: Bytes) -> int:
    """Refuse a 206 that is not exactly the range asked for; returns the file's size."""
    stated = answer.headers.get("Content-Range", "")
    match = RANGE.fullmatch(stated)
    if match:
        first, last, size = (int(number) for number in match.groups())
        expected_last = min(wanted.stop, size) - 1
        if (first, last) == (wanted.start, expected_last) and len(answer.body) == last - first + 1:
            return size
    raise HubError(
        f"asked for {wanted} of {address(answer.url)}, got {len(answer.body)} bytes with Content-Range "
        f"{shown(stated)}: the server or a proxy is broken; use another endpoint"
    )


def size_outside(answer: Answer) -> int | None:
    """The file's size, as a 416 states it."""
    match = OUTSIDE.fullmatch(answer.headers.get("Content-Range", ""))
    return int(match[1]) if match else None


def is_empty_file(answer: Answer) -> bool:
    """An empty file has no range to give: some servers say 416 to any, some send all of it."""
    return size_outside(answer) == 0 if answer.status == 416 else answer.status == 200 and not answer.body


def asked_pause(answer: Answer) -> float | None:
    """Seconds the server asks for: its rate limit if that is used up, else Retry-After."""
    limit = RATE_LIMIT.search(answer.headers.get("RateLimit", ""))
    if answer.status == 429 and limit and int(limit[1]) == 0:
        return int(limit[2]) + 1.0
    retry_after = answer.headers.get("Retry-After", "")
    if re.fullmatch(NUMBER, retry_after):
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def words(answer: Answer) -> str:
    """The reason that a refusal gives in its body, without anything that may be a secret."""
    text = answer.body[:2_000].decode(errors="replace")
    reasons = XML_REASON.findall(text)
    said = ": ".join(reasons) if reasons else "" if "<" in text else " ".join(text.split())
    # addresses, signatures
    return re.sub(r"\S*://\S*|\S{33,}", "…", said)[:MOST_WORDS]


def address(url: httpx.URL) -> str:
    """Without the query: a signed address is a secret. Without a password, for the same reason."""
    return str(url.copy_with(query=None, userinfo=b""))
