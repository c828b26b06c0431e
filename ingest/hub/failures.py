"""Why nothing came back: what a failed connection means, in words for whoever must mend it."""

from __future__ import annotations

import re
import ssl

import httpcore
import httpx

from warehouse.console.exhausted import exhausted
from warehouse.errors import ProxyRefused, Untrusted, UsageError

PROXY_WANTS_PASSWORD = "407"
# a slow proxy, and one that is asked too often
PASSING = ("408", "429")


def tls_context(*, use_environment: bool) -> ssl.SSLContext:
    """What this machine trusts, and SSL_CERT_FILE or SSL_CERT_DIR if they are set."""
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
    """Raises if this is about a certificate: asking again, or somebody else, would hide it."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            raise Untrusted(
                f"the certificate of {url.netloc.decode()} is not trusted ({cause.verify_message}): if it is "
                f"of your own network, set SSL_CERT_FILE to the file of its authority; else do not go on"
            ) from None
        cause = cause.__cause__ or cause.__context__


def refuse_proxy(said: str, url: httpx.URL) -> None:
    """Raises if a proxy says no for good (`407 Proxy Authentication Required`); who fails is asked again.

    Another source would hide it: there is a hub, and somebody stands before it.
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
    if isinstance(error, httpcore.TimeoutException):
        return "timed out"
    said = str(error)
    # what comes instead of a first line, if anything does
    if re.search("disconnected without sending a response|illegal .* line|NO_APPLICATION", said):
        return "it does not answer in HTTP/1.1; a server of HTTP/2 alone would do so, and is not supported"
    return said or type(error).__name__
