"""What a server answers: byte ranges, sizes, requested pauses and reasons, all checked."""

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
# where the storage behind a CDN gives its reason
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
    """The file's size, from a 206 with exactly the requested range; any other 206 is refused."""
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
    """The file's size according to a 416."""
    match = OUTSIDE.fullmatch(answer.headers.get("Content-Range", ""))
    return int(match[1]) if match else None


def is_empty_file(answer: Answer) -> bool:
    """Whether the file is empty. Some servers answer 416 to any range of it, some send all of it."""
    return size_outside(answer) == 0 if answer.status == 416 else answer.status == 200 and not answer.body


def asked_pause(answer: Answer) -> float | None:
    """The seconds to wait: until the window ends if the rate limit is used up, else Retry-After."""
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
    """The reason in the body of a refusal, without anything that may be a secret."""
    text = answer.body[:2_000].decode(errors="replace")
    reasons = XML_REASON.findall(text)
    said = ": ".join(reasons) if reasons else "" if "<" in text else " ".join(text.split())
    # addresses, signatures
    return re.sub(r"\S*://\S*|\S{33,}", "…", said)[:MOST_WORDS]


def address(url: httpx.URL) -> str:
    """The URL without query and password, because signed addresses are secrets."""
    return str(url.copy_with(query=None, userinfo=b""))
