"""The repos to crawl, from a file or from the hub's own list.

One API request for the hub's list returns the commits and files of up to 500 repos, which saves a request
for each of them. Reading the list ends whatever a hub answers, and an invalid entry is noted and left out.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from ingest.formats.safetensors_header import shown
from ingest.hub.repo import RepoInfo, follow, read_info
from ingest.hub.responses import address
from ingest.hub.session import HttpSession
from ingest.registry import is_repo
from warehouse.console.output import counted
from warehouse.errors import HubError, UsageError

# The hub allows 1,000, but with their files that would be tens of MB.
PER_PAGE = 500
NEXT = re.compile(r'<([^<>]+)>\s*;\s*rel="?next"?')
# Reading this many models takes days.
MOST_REPOS = 1_000_000
MOST_PAGES = 10_000
# in a row; the hub itself sends none
MOST_STALE_PAGES = 3
LONGEST_ADDRESS = 4_000
# Limit of file names kept for all repos together. Each repo beyond it costs one more request.
MOST_FILES = 5_000_000
CHOOSE = "choose some with --author, --tag or --downloads"
SECONDS_BETWEEN_LINES = 10.0
NAMED_ODDITIES = 5


@dataclass(frozen=True)
class Target:
    """One repo to read; `info` is set if the hub's list has it."""

    repo: str
    info: RepoInfo | None = None
    is_gated: bool = False


@dataclass(frozen=True)
class Choice:
    """Which models to list; all by default."""

    author: str | None = None
    tags: tuple[str, ...] = ()
    least_downloads: int = 0
    most: int | None = None


@dataclass
class Listing:
    """What was read of a list so far."""

    repos: int = 0
    pages: int = 0
    files: int = 0
    # invalid entries, and descriptions of the first ones
    odd: int = 0
    oddities: list[str] = field(default_factory=list)
    # why the list was not read to its end, or ""
    cut: str = ""

    def add_odd(self, what: str) -> None:
        self.odd += 1
        if len(self.oddities) < NAMED_ODDITIES:
            self.oddities.append(f"page {self.pages}: {what}")


def targets_in(path: Path) -> list[Target]:
    """The repos of a file, once each: a list or the first column of a CSV file; `#` begins a comment."""
    try:
        # some editors write a byte order mark
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(
            f"cannot read the list {path} ({why}): name a file with one owner/name a line"
        ) from None
    found: dict[str, Target] = {}
    for number, line in enumerate(lines, start=1):
        repo = line.partition("#")[0].partition(",")[0].strip()
        if repo in ("", "repo"):  # the header of a CSV file
            continue
        if not is_repo(repo):
            raise UsageError(f"{path}:{number}: {repo!r} is not a repo: write owner/name, as on the hub")
        found.setdefault(repo.lower(), Target(repo))
    if not found:
        raise UsageError(f"the list {path} names no repo: write one owner/name a line")
    return list(found.values())


async def listed_targets(
    session: HttpSession, choice: Choice, listing: Listing, say: Callable[[str], None]
) -> list[Target]:
    found = [target async for target in list_repos(session, choice, listing, say)]
    if not found:
        why = "; ".join(list_problems(listing)) or "check --author, --tag and --downloads"
        raise UsageError(f"{session.settings.endpoint} lists no such model: {why}")
    return found


def list_problems(listing: Listing) -> Iterator[str]:
    """What was left out of a list."""
    if listing.cut:
        yield f"the list was read up to page {listing.pages:,} only: {listing.cut}"
    if listing.odd:
        more = listing.odd - len(listing.oddities)
        named = ", ".join(listing.oddities) + (f", and {more:,} more" if more else "")
        yield f"{counted(listing.odd, 'entry', 'entries')} of the list cannot be repos: {named}"


async def list_repos(
    session: HttpSession, choice: Choice, listing: Listing, say: Callable[[str], None]
) -> AsyncIterator[Target]:
    """Each repo once, ordered by downloads in the last thirty days; `listing` collects the rest."""
    endpoint = session.settings.endpoint
    asked = {"sort": "downloads", "direction": "-1", "full": "true", "limit": str(PER_PAGE)}
    asked |= {"author": choice.author} if choice.author else {}
    url: httpx.URL | None = httpx.URL(f"{endpoint}/api/models", params={**asked, "filter": choice.tags})
    pages: set[httpx.URL] = set()
    repos: set[str] = set()
    stale_pages = 0
    said_at = time.monotonic()
    while url is not None:
        listing.cut = _cut(listing, stale_pages, comes_back=url in pages)
        if listing.cut:
            return
        pages.add(url)
        answer = await follow(session, url, None)
        if answer.status != 200:
            raise HubError(f"{address(url)} answered {answer.status} instead of a list: try again later")
        listing.pages += 1
        repos_before = listing.repos
        for entry in _entries(answer.body, url):
            if what := oddity(entry, choice):
                listing.add_odd(what)
                continue
            if choice.least_downloads and entry["downloads"] < choice.least_downloads:
                return
            repo = str(entry["id"])
            if repo.lower() in repos:
                continue
            if listing.repos == MOST_REPOS:
                listing.cut = f"it has more than {MOST_REPOS:,} repos: {CHOOSE}"
                return
            repos.add(repo.lower())
            listing.repos += 1
            yield _listed(entry, repo, answer.url, listing)
            if listing.repos == choice.most:
                return
        stale_pages = 0 if listing.repos > repos_before else stale_pages + 1
        if time.monotonic() - said_at > SECONDS_BETWEEN_LINES:
            said_at = time.monotonic()
            pages_read = counted(listing.pages, "page")
            say(f"the list of {endpoint} has {counted(listing.repos, 'repo')} on {pages_read} so far")
        url = _next(answer.headers.get("Link", ""), session)


def _cut(listing: Listing, stale_pages: int, *, comes_back: bool) -> str:
    """Why to stop here, or ""."""
    if comes_back:
        return "it comes back to a page it had"
    if stale_pages >= MOST_STALE_PAGES:
        return f"{stale_pages} pages in a row brought nothing new"
    if listing.pages >= MOST_PAGES:
        return f"it has more than {MOST_PAGES:,} pages: {CHOOSE}"
    return ""


def _entries(body: bytes, url: httpx.URL) -> list[Any]:
    try:
        entries = json.loads(body)
    except (ValueError, RecursionError):
        entries = None
    if not isinstance(entries, list):
        raise HubError(f"{address(url)} is no list of repos: is HF_ENDPOINT a Hugging Face hub?")
    return entries


def oddity(entry: object, choice: Choice) -> str:
    """Why an entry is invalid, in a few words, or ""."""
    if not isinstance(entry, dict) or "id" not in entry:
        return shown(entry)
    repo, downloads = entry["id"], entry.get("downloads")
    if not isinstance(repo, str) or not is_repo(repo):
        return shown(repo)
    if choice.least_downloads and type(downloads) is not int:
        return f"{repo} with {shown(downloads)} downloads"
    return ""


def _listed(entry: dict[str, object], repo: str, url: httpx.URL, listing: Listing) -> Target:
    info = None
    siblings = entry.get("siblings")
    if isinstance(siblings, list) and listing.files + len(siblings) <= MOST_FILES:
        listing.files += len(siblings)
        with suppress(HubError):  # the request for this repo reports it
            info = read_info(entry, repo, url)
    return Target(repo, info, entry.get("gated") not in (None, False))


def _next(link: str, session: HttpSession) -> httpx.URL | None:
    """The next page, always at the endpoint: a mirror may send the hub's own address."""
    found = NEXT.search(link)
    if not found:
        return None
    endpoint = httpx.URL(session.settings.endpoint)
    try:
        url = endpoint.join(found[1] if len(found[1]) <= LONGEST_ADDRESS else "")
    except (httpx.InvalidURL, ValueError):
        url = httpx.URL("")
    if not session.settings.may_see_token(url) or not url.path.endswith("/api/models"):
        raise HubError(f"the list of {endpoint} goes on at {shown(found[1])}: use another endpoint")
    return httpx.URL(f"{session.settings.endpoint}/api/models").copy_with(query=url.query)
