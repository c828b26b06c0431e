"""A repo on a Hugging Face hub: its commit, its files, and byte ranges out of them.

As the hub's own client does it: `resolve` answers 302 to a signed address on another host, which is asked
without the token, used for all further ranges of that file, and renewed when it expires.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

import httpx

from ingest.files import json_object
from ingest.hub.session import Answer, Bytes, HttpSession, check_range, shown
from ingest.markers import REPLICA_TAG
from warehouse.errors import AccessDenied, HubError, NotOnHub

REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_REDIRECTS = 8
# What a CDN says to a signed address whose time is over.
EXPIRED = frozenset({400, 401, 403, 410})
MOST_RENEWALS = 3


@dataclass(frozen=True)
class RepoInfo:
    """What the hub says of a repo at a revision; the commit is what every later read uses."""

    repo: str
    commit: str
    sizes: dict[str, int | None]
    licence: str | None
    is_replica: bool


async def repo_info(session: HttpSession, repo: str, revision: str) -> RepoInfo:
    """Resolve a revision to its commit, once."""
    api = f"{session.settings.endpoint}/api/models/{repo}/revision/{quote(revision, safe='')}?blobs=true"
    answer = await follow(session, httpx.URL(api), None)
    if answer.status != 200:
        raise refusal(answer, session, repo, f"revision {revision}")
    info = json_object(answer.body, f"the answer of {shown(answer.url)}")
    commit, siblings = info.get("sha"), info.get("siblings")
    if (
        not isinstance(commit, str)
        or not re.fullmatch("[0-9a-f]{40}", commit)
        or not isinstance(siblings, list)
    ):
        raise HubError(
            f"{shown(answer.url)} did not name a commit and files: is HF_ENDPOINT a Hugging Face hub?"
        )
    tags = info.get("tags") or []
    return RepoInfo(
        repo=repo,
        commit=commit,
        sizes={entry["rfilename"]: entry.get("size") for entry in siblings if "rfilename" in entry},
        licence=_licence(info.get("cardData"), tags),
        is_replica=REPLICA_TAG in tags,
    )


def _licence(card: object, tags: Sequence[str]) -> str | None:
    stated = card.get("license") if isinstance(card, dict) else None
    if isinstance(stated, str):
        return stated
    return next((tag.removeprefix("license:") for tag in tags if tag.startswith("license:")), None)


class HubFiles:
    """The files of one repo at one commit."""

    def __init__(self, session: HttpSession, info: RepoInfo) -> None:
        self.where = info.repo
        self.names = sorted(info.sizes)
        self._session = session
        self._info = info
        self._base = f"{session.settings.endpoint}/{info.repo}/resolve/{info.commit}/"
        self._addresses: dict[str, httpx.URL] = {}

    def size(self, name: str) -> int | None:
        return self._info.sizes.get(name)

    async def whole(self, name: str) -> bytes:
        answer = await follow(self._session, self._resolve_url(name), None)
        if answer.status != 200:
            raise refusal(answer, self._session, self.where, name)
        return answer.body

    async def front(self, name: str, length: int) -> tuple[bytes, int]:
        wanted = Bytes(0, length)
        answer = await self._ranged(name, wanted)
        return answer.body, check_range(answer, wanted)

    async def range(self, name: str, start: int, stop: int) -> bytes:
        wanted = Bytes(start, stop)
        answer = await self._ranged(name, wanted)
        if check_range(answer, wanted) < stop:
            raise HubError(f"{self.where}/{name} is shorter than its own header says: report it to its owner")
        return answer.body

    async def _ranged(self, name: str, wanted: Bytes) -> Answer:
        for _ in range(MOST_RENEWALS):
            answer = await follow(self._session, self._addresses.get(name) or self._resolve_url(name), wanted)
            if answer.status == 206:
                self._addresses[name] = answer.url
                return answer
            if answer.status not in EXPIRED or self._session.settings.may_see_token(answer.url):
                raise refusal(answer, self._session, self.where, name)
            self._addresses.pop(name, None)
        raise HubError(
            f"{answer.url.host} refused {MOST_RENEWALS} fresh addresses of {self.where}/{name} "
            f"(status {answer.status}): check this machine's clock, or try again later"
        )

    def _resolve_url(self, name: str) -> httpx.URL:
        return httpx.URL(self._base + quote(name))


async def follow(session: HttpSession, url: httpx.URL, wanted: Bytes | None) -> Answer:
    """GET through redirects; the session sends the token to hub hosts only, whatever the way."""
    start = url
    for _ in range(MOST_REDIRECTS):
        answer = await session.get(url, wanted)
        if answer.status not in REDIRECTS:
            return answer
        try:
            url = url.join(answer.headers.get("Location", ""))
        except httpx.InvalidURL:
            url = httpx.URL()
        if (
            url.scheme not in ("http", "https")
            or not url.host
            or (answer.url.scheme, url.scheme) == ("https", "http")
        ):
            raise HubError(
                f"{shown(answer.url)} redirects to an address that cannot be used: report it to the hub"
            )
    raise HubError(
        f"{shown(start)} redirects in a loop ({MOST_REDIRECTS} times): use another endpoint (HF_ENDPOINT)"
    )


def refusal(answer: Answer, session: HttpSession, repo: str, what: str) -> HubError:
    """The one place that turns a refusing answer into an error. The hub hides private repos behind 401."""
    code = answer.headers.get("X-Error-Code", "")
    said = answer.headers.get("X-Error-Message", "")
    endpoint = session.settings.endpoint
    token = "a token was sent" if session.settings.token else "no token was sent"
    if code == "GatedRepo":
        return AccessDenied(
            f"{repo} is gated ({token}): accept its terms at {endpoint}/{repo}, then set HF_TOKEN to a token "
            f"of that account"
        )
    if code == "RevisionNotFound":
        return NotOnHub(f"{repo} has no {what}: look at {endpoint}/{repo}/commits, or ingest with --update")
    if code == "EntryNotFound":
        return NotOnHub(f"{repo} has no file {what}: look at {endpoint}/{repo}/tree/main")
    if "disabled" in said.lower():
        return AccessDenied(f"{repo} was disabled by the hub: it cannot be read")
    if answer.status == 401 and "invalid" in said.lower() and session.settings.token:
        return AccessDenied(
            f"{endpoint} does not accept the token: set HF_TOKEN anew, or unset it for public models"
        )
    if code == "RepoNotFound" or answer.status in (401, 404):
        return NotOnHub(
            f"no repo {repo} at {endpoint}, or it is private ({token}): check the name, or set HF_TOKEN"
        )
    if answer.status == 403:
        return AccessDenied(f"{endpoint} forbids {repo} ({token}): the token lacks the right to read it")
    return HubError(f"{shown(answer.url)} answered {answer.status} for {what} of {repo}: try again later")
