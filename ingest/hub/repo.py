"""Reads a repo of a Hugging Face hub: its commit, its files, and byte ranges of them.

As in the hub's own client, `resolve` answers 302 with a signed address on another host. We ask there without
the token, use the address for all further ranges of that file, and renew it when it expires.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from ingest.formats.safetensors_header import shown
from ingest.hub.responses import (
    Answer,
    Bytes,
    address,
    check_range,
    is_empty_file,
    outside,
    refusal,
    storage_refusal,
)
from ingest.hub.session import HttpSession
from ingest.metadata import bases_of_hub, printable
from ingest.model_files import is_inside, json_object
from ingest.origin_marks import REPLICA_TAG
from ingest.registry import is_repo
from warehouse.errors import HubError
from warehouse.rows import DeclaredBase

REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_REDIRECTS = 8


async def follow(session: HttpSession, url: httpx.URL, wanted: Bytes | None) -> Answer:
    """GET through redirects. The session sends the token to hub hosts only."""
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
    """The address to ask next, and another in case of a 404.

    A hub behind a path (https://mirror/hf) may redirect to /owner/name without that path: we try below the
    path first.
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
    """Whether name and port are valid; httpx accepts some that raise when they are looked up."""
    labels = url.host.removesuffix(".").split(".")
    return (
        url.scheme in ("http", "https")
        and len(url.host) <= 253
        and all(0 < len(label) <= 63 for label in labels)
        and (url.port is None or 0 < url.port < 2**16)
    )


# What a CDN answers to an expired signed address.
EXPIRED = frozenset({400, 401, 403, 410})
MOST_RENEWALS = 3


@dataclass(frozen=True)
class RepoInfo:
    """A repo at a revision. All later reads use the commit."""

    # the requested and the current name
    repo: str
    name: str
    commit: str
    sizes: dict[str, int | None]
    licence: str | None
    is_replica: bool
    declared_bases: Sequence[DeclaredBase] = ()


async def repo_info(session: HttpSession, repo: str, revision: str) -> RepoInfo:
    """Resolves a revision to its commit."""
    api = f"{session.settings.endpoint}/api/models/{repo}/revision/{quote(revision, safe='')}?blobs=true"
    answer = await follow(session, httpx.URL(api), None)
    if answer.status == 200 and "blobs" not in answer.url.params:
        # the redirect to a renamed repo drops the query
        answer = await follow(session, answer.url.copy_add_param("blobs", "true"), None)
    if answer.status != 200:
        raise refusal(answer, session.settings, repo, f"revision {revision}")
    info = json_object(answer.body, f"the answer of {address(answer.url)}")
    return read_info(info, repo, answer.url)


def read_info(info: Mapping[str, Any], repo: str, url: httpx.URL) -> RepoInfo:
    """One repo of an answer, which may be about this one or many."""
    commit, name, tags = info.get("sha"), info.get("id"), info.get("tags")
    if not isinstance(commit, str) or not re.fullmatch("[0-9a-f]{40}", commit):
        raise HubError(f"{address(url)} did not name a commit and files: is HF_ENDPOINT a Hugging Face hub?")
    texts = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
    return RepoInfo(
        repo=repo,
        name=name if isinstance(name, str) and is_repo(name) else repo,
        commit=commit,
        sizes=_sizes(info.get("siblings"), url),
        licence=_licence(info.get("cardData"), texts),
        is_replica=REPLICA_TAG in texts,
        declared_bases=bases_of_hub(info.get("cardData"), texts),
    )


def _sizes(siblings: object, url: httpx.URL) -> dict[str, int | None]:
    """The files and their sizes, if stated; names that lead out of the repo are left out."""
    sizes: dict[str, int | None] = {}
    for entry in siblings if isinstance(siblings, list) else [None]:
        name, size = (entry.get("rfilename"), entry.get("size")) if isinstance(entry, dict) else (None, None)
        if not isinstance(name, str) or not (size is None or (type(size) is int and 0 <= size < 2**63)):
            raise HubError(
                f"{address(url)} names the file {shown(entry)}, not a name and a size: "
                f"is HF_ENDPOINT a Hugging Face hub?"
            )
        if is_inside(name):
            sizes[name] = size
    return sizes


def _licence(card: object, tags: Sequence[str]) -> str | None:
    stated = printable(card.get("license")) if isinstance(card, dict) else None
    tagged = (tag.removeprefix("license:") for tag in tags if tag.startswith("license:"))
    return stated or next(filter(None, map(printable, tagged)), None)


class HubFiles:
    """The files of one repo at one commit."""

    def __init__(self, session: HttpSession, info: RepoInfo) -> None:
        self.where = info.repo
        self.names = sorted(info.sizes)
        self._session = session
        # lists of repos have no sizes; `front` adds them
        self._sizes = dict(info.sizes)
        self._base = f"{session.settings.endpoint}/{info.name}/resolve/{info.commit}/"
        self._addresses: dict[str, httpx.URL] = {}

    def size(self, name: str) -> int | None:
        return self._sizes.get(name)

    async def whole(self, name: str) -> bytes:
        answer = await follow(self._session, self._resolve_url(name), None)
        if answer.status != 200:
            raise refusal(answer, self._session.settings, self.where, name)
        return answer.body

    async def front(self, name: str, length: int) -> tuple[bytes, int]:
        wanted = Bytes(0, length)
        answer = await self._ranged(name, wanted)
        if is_empty_file(answer):
            return b"", 0
        size = self._sizes[name] = check_range(answer, wanted)
        return answer.body, size

    async def range(self, name: str, start: int, stop: int) -> bytes:
        wanted = Bytes(start, stop)
        answer = await self._ranged(name, wanted)
        if is_empty_file(answer) or check_range(answer, wanted) < stop:
            raise HubError(f"{self.where}/{name} is shorter than its own header says: report it to its owner")
        return answer.body

    def check_unchanged(self) -> None:
        """A commit never changes."""

    async def _ranged(self, name: str, wanted: Bytes) -> Answer:
        for _ in range(MOST_RENEWALS):
            answer = await follow(self._session, self._addresses.get(name) or self._resolve_url(name), wanted)
            if answer.status == 206 or is_empty_file(answer):
                self._addresses[name] = answer.url
                return answer
            if answer.status == 416:
                raise outside(answer, wanted, f"{self.where}/{name}")
            if answer.status not in EXPIRED or self._session.settings.may_see_token(answer.url):
                raise refusal(answer, self._session.settings, self.where, name)
            self._addresses.pop(name, None)
        raise storage_refusal(answer, f"{self.where}/{name}", MOST_RENEWALS)

    def _resolve_url(self, name: str) -> httpx.URL:
        return httpx.URL(self._base + quote(name))
