"""Answers of the hub and its CDN to a request, without sockets, modelled on the real hub's behaviour.

LFS files are redirected to a signed, expiring CDN address, with the metadata headers on the redirect itself;
error codes are in X-Error-Code.
"""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote, urlencode

from ingest.replica.api import answer_api
from ingest.replica.messages import Answer, Request, error, in_json, text
from ingest.replica.repos import HubFile
from ingest.replica.site import Site, access_error, find_repo, revision_error

# What this process has served, for benchmarks; `?reset=1` resets it. Not part of the real hub.
COUNTERS = "/_replica/counters"

_ONE_RANGE = re.compile(r"bytes=([0-9]*)-([0-9]*)")
# Beyond the end of any file. Longer numbers are not parsed: 5,000 digits would take long.
_FAR = 10**18


def respond(site: Site, request: Request) -> Answer:
    """The answer of either port."""
    if request.method not in ("GET", "HEAD", "POST"):
        return error(405, None, "Method not allowed")
    return _cdn(site, request) if request.port == "cdn" else _hub(site, request)


def _hub(site: Site, request: Request) -> Answer:
    if request.path == COUNTERS:
        return _counters(site, request)
    token = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    if token and site.token is not None and token not in (site.token, site.unapproved_token):
        return error(401, None, "Invalid credentials in Authorization header")
    if refused := site.quota.refusal(request, has_token=bool(token)):
        return refused
    answer = _page(site, request, token)
    limits = site.quota.headers(request, has_token=bool(token))
    return replace(answer, headers={**answer.headers, **limits})


def _page(site: Site, request: Request, token: str) -> Answer:
    path = request.path
    if path in ("/api/models", "/api/whoami-v2") or path.startswith("/api/models/"):
        return answer_api(site, request, token)
    repo_id, resolve, rest = path.lstrip("/").partition("/resolve/")
    if not resolve:
        return error(404, None, "No such page in the replica hub")
    return _resolve(site, request, repo_id, rest, token)


def _counters(site: Site, request: Request) -> Answer:
    names = ("hub_requests", "cdn_requests", "hub_bytes", "cdn_bytes")
    so_far = {name: site.counters[name] for name in names}
    if request.query.get("reset") == "1":
        site.counters.clear()
    total = {kind: so_far[f"hub_{kind}"] + so_far[f"cdn_{kind}"] for kind in ("requests", "bytes")}
    return in_json(total | so_far)


def _resolve(site: Site, request: Request, repo_id: str, rest: str, token: str) -> Answer:
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


def _cdn(site: Site, request: Request) -> Answer:
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
