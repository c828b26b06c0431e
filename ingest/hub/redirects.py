"""Where a redirect leads, and whether to go there: the address is whatever a server wrote."""

from __future__ import annotations

import httpx

from ingest.hub.answers import Answer, Bytes, address
from ingest.hub.session import HttpSession
from warehouse.errors import HubError

REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_REDIRECTS = 8


async def follow(session: HttpSession, url: httpx.URL, wanted: Bytes | None) -> Answer:
    """GET through redirects; the session sends the token to hub hosts only, whatever the way."""
    start, otherwise = url, None
    for _ in range(MOST_REDIRECTS):
        answer = await session.get(url, wanted)
        if answer.status == 404 and otherwise:
            url, otherwise = otherwise, None
        elif answer.status in REDIRECTS:
            url, otherwise = _target(answer, httpx.URL(session.settings.endpoint))
        else:
            return answer
    raise HubError(
        f"{address(start)} redirects in a loop ({MOST_REDIRECTS} times): use another endpoint (HF_ENDPOINT)"
    )


def _target(answer: Answer, endpoint: httpx.URL) -> tuple[httpx.URL, httpx.URL | None]:
    """The address to ask next, and one to ask if nothing is there.

    A hub behind a path (https://mirror/hf) may not know of it when it writes /owner/name: meant is the same
    below the path, unless there is no such thing.
    """
    location = answer.headers.get("Location", "")
    try:
        is_path = httpx.URL(location).is_relative_url
        url = answer.url.join(location)
    except (httpx.InvalidURL, ValueError):
        is_path, url = False, httpx.URL()
    if not _can_be_asked(url) or (answer.url.scheme, url.scheme) == ("https", "http"):
        raise HubError(
            f"{address(answer.url)} redirects to an address that cannot be used: report it to the hub"
        )
    prefix = endpoint.path.rstrip("/") + "/"
    is_from_below = answer.url.netloc == endpoint.netloc and answer.url.path.startswith(prefix)
    if is_path and is_from_below and not url.path.startswith(prefix):
        return url.copy_with(raw_path=endpoint.raw_path.rstrip(b"/") + url.raw_path), url
    return url, None


def _can_be_asked(url: httpx.URL) -> bool:
    """As systems take names and ports; httpx takes some that end in an exception when they are looked up."""
    labels = url.host.removesuffix(".").split(".")
    return (
        url.scheme in ("http", "https")
        and len(url.host) <= 253
        and all(0 < len(label) <= 63 for label in labels)
        and (url.port is None or 0 < url.port < 2**16)
    )
