"""What servers answer, all of it checked, and what refusals and failed connections mean for the user."""

from __future__ import annotations

import os
import re
import ssl
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache

import httpx

from ingest.formats.safetensors_header import shown
from ingest.hub.settings import HubSettings
from ingest.registry import registry
from warehouse.console.exhausted import exhausted
from warehouse.errors import (
    AccessDenied,
    HubError,
    NotOnHub,
    ProxyRefused,
    Untrusted,
    UsageError,
    did_you_mean,
)

# ASCII digits, few enough for 63 bits
NUMBER = "([0-9]{1,18})"
RANGE = re.compile(f"bytes {NUMBER}-{NUMBER}/{NUMBER}")
OUTSIDE = re.compile(rf"bytes \*/{NUMBER}")
RATE_LIMIT = re.compile(rf"\br={NUMBER}\s*;\s*t={NUMBER}(?![0-9])")
# where the storage of a CDN gives its reason
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


PROXY_WANTS_PASSWORD = "407"
# a slow proxy, and too many requests
TEMPORARY = ("408", "429")


def tls_context(*, use_environment: bool) -> ssl.SSLContext:
    """The certificates that this machine trusts, or those of SSL_CERT_FILE or SSL_CERT_DIR."""
    try:
        return _tls_context(use_environment, os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
    except (OSError, ssl.SSLError) as error:
        if exhausted(error):
            raise
        raise UsageError(
            f"SSL_CERT_FILE or SSL_CERT_DIR cannot be read ({error.strerror or error}): "
            f"set it to a file of certificates, or unset it"
        ) from None


@cache
def _tls_context(use_environment: bool, *_variables: str | None) -> ssl.SSLContext:
    """Cached by what httpx reads, because loading the certificates takes 17 ms of CPU."""
    return httpx.create_ssl_context(trust_env=use_environment)


def refuse_untrusted(error: BaseException, url: httpx.URL) -> None:
    """Raises if the error is about a certificate: a retry or the replica would hide it."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            raise Untrusted(
                f"the certificate of {url.netloc.decode()} is not trusted ({cause.verify_message}): if it is "
                f"of your own network, set SSL_CERT_FILE to the file of its authority; else do not go on"
            ) from None
        cause = cause.__cause__ or cause.__context__


def refuse_proxy(said: str, url: httpx.URL) -> None:
    """Raises if a proxy refuses for good, as with `407 Proxy Authentication Required`.

    The replica is no substitute then, because there is a hub.
    """
    status = said[:3]
    if status == PROXY_WANTS_PASSWORD:
        advice = "set HTTPS_PROXY or ALL_PROXY to http://user:password@host:port"
    elif re.fullmatch("4[0-9]{2}", status) and status not in TEMPORARY:
        advice = f"ask whoever runs it, or set NO_PROXY to {url.host} if it can be reached without"
    else:
        return
    raise ProxyRefused(f"the proxy does not let us through to {url.netloc.decode()} ({said}): {advice}")


def reason(error: Exception) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "timed out"
    said = str(error)
    # messages about an answer that is not HTTP/1.1
    if re.search("disconnected without sending a response|illegal .* line|NO_APPLICATION", said):
        return "it does not answer in HTTP/1.1; a server of HTTP/2 alone would do so, and is not supported"
    return said or type(error).__name__


def refusal(answer: Answer, settings: HubSettings, repo: str, what: str) -> HubError:
    """The error that a refusing answer means. The hub answers 401 for private repos."""
    code = answer.headers.get("X-Error-Code", "")
    said = answer.headers.get("X-Error-Message", "")
    endpoint = settings.endpoint
    token = _token(settings)
    if code == "GatedRepo":
        return gated(settings, repo)
    if code == "RevisionNotFound":
        return NotOnHub(f"{repo} has no {what}: look at {endpoint}/{repo}/commits, or ingest with --update")
    if code == "EntryNotFound":
        return NotOnHub(f"{repo} has no file {what}: look at {endpoint}/{repo}/tree/main")
    if "disabled" in said.lower():
        return AccessDenied(f"{repo} was disabled by the hub: it cannot be read")
    if answer.status == 401 and "invalid" in said.lower() and settings.token:
        return AccessDenied(
            f"{endpoint} does not accept the token: set HF_TOKEN again, or unset it for public models"
        )
    if not settings.may_see_token(answer.url):
        return HubError(
            f"{answer.url.host}, where the hub sent us for {what} of {repo}, answered {answer.status}: "
            f"try again later, or use another endpoint (HF_ENDPOINT)"
        )
    if code == "RepoNotFound" or answer.status in (401, 404):
        listed = f"the aliases here are {', '.join(registry())}"
        aliases = "" if "/" in repo else f"; {did_you_mean(repo, registry(), listed)}"
        return NotOnHub(
            f"no repo {repo} at {endpoint}, or it is private ({token}): "
            f"check the name, or set HF_TOKEN{aliases}"
        )
    if answer.status == 403:
        return AccessDenied(f"{endpoint} forbids {repo} ({token}): the token lacks the right to read it")
    return HubError(f"{address(answer.url)} answered {answer.status} for {what} of {repo}: try again later")


def gated(settings: HubSettings, repo: str) -> AccessDenied:
    terms = f"{settings.endpoint}/{repo}"
    return AccessDenied(
        f"{repo} is gated ({_token(settings)}): accept its terms at {terms}, then set HF_TOKEN to a token "
        f"of that account"
    )


def _token(settings: HubSettings) -> str:
    return "a token was sent" if settings.token else "no token was sent"


def storage_refusal(answer: Answer, file: str, times: int) -> HubError:
    """For storage that refuses addresses which the hub has just signed."""
    said = words(answer)
    reply = f"status {answer.status}" + (f": {said}" if said else "")
    if "expire" in said.lower():
        return HubError(
            f"{answer.url.host} refused {times} fresh addresses of {file} as expired ({reply}): check this "
            f"machine's clock, or try again later"
        )
    return AccessDenied(
        f"{answer.url.host}, where the hub keeps {file}, refused {times} fresh addresses of it ({reply}): "
        f"ask whoever runs this network whether the host is blocked, or use another endpoint (HF_ENDPOINT)"
    )


def outside(answer: Answer, wanted: Bytes, file: str) -> HubError:
    size = size_outside(answer)
    if size is not None and size <= wanted.start:
        return HubError(
            f"{file} has {size:,} bytes, and {wanted} are past its end (status 416): report it to its owner"
        )
    return HubError(
        f"{answer.url.host} refuses {wanted} of {file} (status 416), which it has: use another endpoint"
    )
