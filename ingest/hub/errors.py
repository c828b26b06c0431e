"""Turns failed connections and refusing answers into messages that say what to do."""

from __future__ import annotations

import re
import ssl

import httpx

from ingest.hub.responses import Answer, Bytes, address, size_outside, words
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

PROXY_WANTS_PASSWORD = "407"
# temporary: a slow proxy, and too many requests
PASSING = ("408", "429")


def tls_context(*, use_environment: bool) -> ssl.SSLContext:
    """The certificates that this machine trusts, or those of SSL_CERT_FILE or SSL_CERT_DIR."""
    try:
        return httpx.create_ssl_context(trust_env=use_environment)
    except (OSError, ssl.SSLError) as error:
        if exhausted(error):
            raise
        raise UsageError(
            f"SSL_CERT_FILE or SSL_CERT_DIR cannot be read ({error.strerror or error}): "
            f"set it to a file of certificates, or unset it"
        ) from None


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
    elif re.fullmatch("4[0-9]{2}", status) and status not in PASSING:
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
    """The storage behind the hub refuses addresses that the hub has just signed."""
    said = words(answer)
    told = f"status {answer.status}" + (f": {said}" if said else "")
    if "expire" in said.lower():
        return HubError(
            f"{answer.url.host} refused {times} fresh addresses of {file} as expired ({told}): check this "
            f"machine's clock, or try again later"
        )
    return AccessDenied(
        f"{answer.url.host}, where the hub keeps {file}, refused {times} fresh addresses of it ({told}): "
        f"ask whoever runs this network whether the host is blocked, or use another endpoint (HF_ENDPOINT)"
    )


def outside(answer: Answer, wanted: Bytes, file: str) -> HubError:
    size = size_outside(answer)
    if size is not None and size <= wanted.start:
        return HubError(
            f"{file} has {size:,} bytes, and {wanted} are behind its end (status 416): report it to its owner"
        )
    return HubError(
        f"{answer.url.host} refuses {wanted} of {file} (status 416), which it has: use another endpoint"
    )
