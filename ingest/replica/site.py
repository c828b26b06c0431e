"""What a hub serves and to whom: repos, tokens, rate limits, and files from the hub or its CDN.

LFS files are redirected to a signed, expiring CDN address, with the metadata headers on the redirect itself;
error codes are in X-Error-Code. Rate limits follow the hub's documentation (September 2025): windows of five
minutes; 500 API and 3,000 resolver requests without a token, 1,000 and 5,000 with one; none for the CDN.
Headers are as in the IETF's draft.
"""

from __future__ import annotations

import hmac
import re
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from ingest.replica.messages import Answer, Request, error, text
from ingest.replica.repos import HubFile, HubRepo

WINDOW_SECONDS = 300
WITHOUT_TOKEN = {"api": 500, "resolvers": 3000}
WITH_TOKEN = {"api": 1000, "resolvers": 5000}

_ONE_RANGE = re.compile(r"bytes=([0-9]*)-([0-9]*)")
# Beyond the end of any file. Longer numbers are not parsed: 5,000 digits would take long.
_FAR = 10**18


@dataclass
class Quota:
    """Requests of the current window."""

    enforced: bool = False  # False: count and report, refuse nothing
    window: float = WINDOW_SECONDS
    without_token: dict[str, int] = field(default_factory=lambda: dict(WITHOUT_TOKEN))
    with_token: dict[str, int] = field(default_factory=lambda: dict(WITH_TOKEN))
    _begun: float = -float("inf")
    _used: Counter[tuple[str, bool]] = field(default_factory=Counter)

    def refusal(self, request: Request, *, has_token: bool) -> Answer | None:
        """Counts a request; 429 if it exceeds an enforced limit."""
        now = time.monotonic()
        if now - self._begun >= self.window:
            self._begun = now
            self._used.clear()
        bucket = _bucket(request)
        self._used[bucket, has_token] += 1
        if not self.enforced or self._used[bucket, has_token] <= self._limit(bucket, has_token):
            return None
        return text(429, "We had to rate limit you", self.headers(request, has_token=has_token))

    def headers(self, request: Request, *, has_token: bool) -> dict[str, str]:
        """The rate-limit headers of the answer."""
        bucket = _bucket(request)
        limit = self._limit(bucket, has_token)
        left = max(limit - self._used[bucket, has_token], 0) if self.enforced else limit - 1
        seconds = max(self.window - (time.monotonic() - self._begun), 0)
        return {
            "RateLimit": f'"{bucket}";r={left};t={-int(-seconds // 1)}',
            "RateLimit-Policy": f'"fixed window";"{bucket}";q={limit};w={self.window:g}',
        }

    def _limit(self, bucket: str, has_token: bool) -> int:
        return (self.with_token if has_token else self.without_token)[bucket]


def _bucket(request: Request) -> str:
    return "api" if request.path.startswith("/api/") else "resolvers"


@dataclass
class Site:
    """A hub with its CDN."""

    repos: Mapping[str, HubRepo]
    redirect: bool = True  # False: LFS files come straight from the hub port
    token: str | None = None  # the one valid token; None: every token is valid
    unapproved_token: str | None = None  # valid, but without access to gated repos
    address_seconds: float = 3600.0  # how long a signed CDN address is valid
    secret: bytes = b"replica"
    endpoint: str = ""  # set when the ports are known
    cdn: str = ""
    quota: Quota = field(default_factory=Quota)
    counters: Counter[str] = field(default_factory=Counter)  # requests and bytes of body, by port


def find_repo(site: Site, repo_id: str, token: str) -> HubRepo | Answer:
    """The repo (names are case-insensitive), or a refusal."""
    repo = site.repos.get(repo_id)
    if repo is None:
        name = next((name for name in site.repos if name.lower() == repo_id.lower()), None)
        repo = site.repos[name] if name else None
    if repo is None or (repo.private and not token):
        # Without a token the hub answers for private repos as for missing ones.
        return error(404 if token else 401, "RepoNotFound", "Repository not found")
    return repo


def access_error(site: Site, repo: HubRepo, token: str) -> Answer | None:
    """A refusal if the repo is gated and the token has no access to it."""
    if repo.gated and not token:
        say = f"Access to model {repo.name} is restricted. You must be authenticated to access it."
        return error(401, "GatedRepo", say)
    if repo.gated and token == site.unapproved_token:
        say = f"Access to model {repo.name} is restricted and you are not in the authorized list."
        return error(403, "GatedRepo", say)
    return None


def revision_error(repo: HubRepo, revision: str) -> Answer | None:
    """A refusal unless the revision is the branch main or the commit."""
    if revision in ("main", repo.commit):
        return None
    return error(404, "RevisionNotFound", f"Invalid rev id: {quote(revision)}")


def resolve(site: Site, request: Request, repo_id: str, rest: str, token: str) -> Answer:
    """A file from the hub port, or a redirect to the CDN; `rest` is revision/path."""
    repo = find_repo(site, repo_id, token)
    if isinstance(repo, Answer):
        return repo
    if refused := access_error(site, repo, token):
        return refused
    revision, _, path = rest.partition("/")
    if wrong := revision_error(repo, revision):
        return wrong
    file = repo.files.get(path)
    if file is None:
        return error(404, "EntryNotFound", "Entry not found", {"X-Repo-Commit": repo.commit})
    about = {"X-Repo-Commit": repo.commit, "Accept-Ranges": "bytes"}
    if file.lfs:
        about |= {"X-Linked-Etag": f'"{file.etag}"', "X-Linked-Size": str(file.size)}
        if site.redirect:
            pinned = f"/{repo.name}/resolve/{repo.commit}/{path}"
            location = sign(site, pinned, time.time() + site.address_seconds)
            return text(302, "Found. Redirecting to the CDN", about | {"Location": location})
    return _file(file, request, about)


def sign(site: Site, path: str, expires: float) -> str:
    """A CDN address that is valid until `expires` (Unix seconds)."""
    until = f"{expires:.3f}"
    query = {"Expires": until, "Signature": _signature(site, path, until)}
    return f"{site.cdn}{quote(path)}?{urlencode(query)}"


def _signature(site: Site, path: str, expires: str) -> str:
    return hmac.new(site.secret, f"{path}\n{expires}".encode(), "sha256").hexdigest()


def answer_cdn(site: Site, request: Request) -> Answer:
    """A file from the CDN port, for which the address must be signed."""
    given, expires = request.query.get("Signature", ""), request.query.get("Expires", "0")
    if given and "authorization" in request.headers:
        return text(400, "Only one auth mechanism allowed")  # as S3 says it
    if not hmac.compare_digest(given.encode(), _signature(site, request.path, expires).encode()):
        return text(403, "Missing or wrong signature")
    if float(expires) < time.time():
        return text(403, "Request has expired")
    repo_id, _, rest = request.path.lstrip("/").partition("/resolve/")
    file = site.repos[repo_id].files[rest.partition("/")[2]]
    return _file(file, request, {"Accept-Ranges": "bytes"})


def _file(file: HubFile, request: Request, headers: Mapping[str, str]) -> Answer:
    """The requested range; the whole file if there is no range, several, or a malformed one."""
    about = {**headers, "ETag": f'"{file.etag}"', "Content-Type": "application/octet-stream"}
    asked = _ONE_RANGE.fullmatch(request.headers.get("range", ""))
    if asked is None or asked[0] == "bytes=-":
        return Answer(200, about, file.size, file.read)
    first, last = asked.groups()
    start = _position(first) if first else max(file.size - _position(last), 0)
    stop = min(_position(last) + 1, file.size) if first and last else file.size
    if start >= stop:
        return text(416, "Range not satisfiable", {"Content-Range": f"bytes */{file.size}"})
    about["Content-Range"] = f"bytes {start}-{stop - 1}/{file.size}"
    return Answer(206, about, stop - start, lambda a, b: file.read(start + a, start + b))


def _position(digits: str) -> int:
    return int(digits) if len(digits) <= len(str(_FAR)) else _FAR
