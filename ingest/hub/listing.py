"""The hub's own list of its models, page by page: most downloaded first, by author or tag.

A page tells the commit and the files of up to 500 repos in one API request, so that none is needed for each.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx

from ingest.formats.safetensors_header import shown
from ingest.hub.answers import address
from ingest.hub.redirects import follow
from ingest.hub.repo import RepoInfo, read_info
from ingest.hub.session import HttpSession
from ingest.registry import is_repo
from warehouse.errors import HubError

# The hub gives up to 1,000; with their files, some of which are thousands, that would be tens of MB.
PER_PAGE = 500
NEXT = re.compile(r'<([^<>]+)>\s*;\s*rel="?next"?')


@dataclass(frozen=True)
class Choice:
    """Which models to list; everything where it does not say."""

    author: str | None = None
    tags: tuple[str, ...] = ()
    least_downloads: int = 0
    most: int | None = None


@dataclass(frozen=True)
class Listed:
    """One repo of the list; `info` is None where the hub does not tell enough."""

    repo: str
    info: RepoInfo | None
    is_gated: bool


async def list_repos(session: HttpSession, choice: Choice) -> AsyncIterator[Listed]:
    """Downloads are those of the last thirty days, by which the hub orders them."""
    endpoint = session.settings.endpoint
    asked = {"sort": "downloads", "direction": "-1", "full": "true", "limit": str(PER_PAGE)}
    asked |= {"author": choice.author} if choice.author else {}
    url: httpx.URL | None = httpx.URL(f"{endpoint}/api/models", params={**asked, "filter": choice.tags})
    found = 0
    seen: set[httpx.URL] = set()
    while url is not None:
        if url in seen:
            raise HubError(f"the list of {endpoint} comes back to a page it had: use another endpoint")
        seen.add(url)
        answer = await follow(session, url, None)
        if answer.status != 200:
            raise HubError(f"{address(url)} answered {answer.status} instead of a list: try again later")
        for entry in _entries(answer.body, url):
            if _downloads(entry) < choice.least_downloads or found == choice.most:
                return
            if is_repo(str(entry["id"])):
                found += 1
                yield _listed(entry, answer.url)
        url = _next(answer.headers.get("Link", ""), session)


def _entries(body: bytes, url: httpx.URL) -> list[dict[str, object]]:
    try:
        entries = json.loads(body)
    except (ValueError, RecursionError):
        entries = None
    if not isinstance(entries, list) or not all(isinstance(one, dict) and "id" in one for one in entries):
        raise HubError(f"{address(url)} is no list of repos: is HF_ENDPOINT a Hugging Face hub?")
    return entries


def _downloads(entry: dict[str, object]) -> int:
    downloads = entry.get("downloads")
    return downloads if isinstance(downloads, int) else 0


def _listed(entry: dict[str, object], url: httpx.URL) -> Listed:
    repo = str(entry["id"])
    tells = isinstance(entry.get("sha"), str) and isinstance(entry.get("siblings"), list)
    info = read_info(entry, repo, url) if tells else None
    return Listed(repo, info, entry.get("gated") not in (None, False))


def _next(link: str, session: HttpSession) -> httpx.URL | None:
    """The next page, at the endpoint: a mirror may pass on the hub's own address."""
    found = NEXT.search(link)
    if not found:
        return None
    endpoint = httpx.URL(session.settings.endpoint)
    try:
        url = endpoint.join(found[1])
    except (httpx.InvalidURL, ValueError):
        url = httpx.URL("")
    if not session.settings.may_see_token(url) or not url.path.endswith("/api/models"):
        raise HubError(f"the list of {endpoint} goes on at {shown(found[1])}: use another endpoint")
    return httpx.URL(f"{session.settings.endpoint}/api/models").copy_with(query=url.query)
