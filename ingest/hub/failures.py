"""Why nothing came back: what a failed connection means, in words for whoever must mend it."""

from __future__ import annotations

import re
import ssl

import httpcore
import httpx

from warehouse.errors import Untrusted, UsageError


def tls_context(*, use_environment: bool) -> ssl.SSLContext:
    """What this machine trusts, and SSL_CERT_FILE or SSL_CERT_DIR if they are set."""
    try:
        return httpx.create_ssl_context(trust_env=use_environment)
    except (OSError, ssl.SSLError) as error:
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


def reason(error: Exception) -> str:
    if isinstance(error, httpcore.TimeoutException):
        return "timed out"
    said = str(error)
    # what comes instead of a first line, if anything does
    if re.search("disconnected without sending a response|illegal .* line|NO_APPLICATION", said):
        return "it does not answer in HTTP/1.1; a server of HTTP/2 alone would do so, and is not supported"
    return said or type(error).__name__
