"""The hub's JSON interface: the list of models, a model with its files, history and access, and who asks."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, quote

from ingest.replica.about import about_model, commits, entry, refs, tree
from ingest.replica.listing import list_models
from ingest.replica.messages import Answer, Request, error, in_json
from ingest.replica.site import Site, access_error, find_repo, revision_error

# What may follow a repo's name.
KINDS = ("revision", "tree", "paths-info", "commits", "refs", "auth-check")


def answer_api(site: Site, request: Request, token: str) -> Answer:
    """Anything below /api."""
    if request.path == "/api/whoami-v2":
        return _whoami(token)
    rest = request.path.removeprefix("/api/models").strip("/")
    if not rest:
        return list_models(site, request, token)
    name, kind, where = _parsed(rest)
    repo = find_repo(site, name, token)
    if isinstance(repo, Answer):
        return repo
    if kind == "auth-check":
        return access_error(site, repo, token) or in_json({})
    if kind == "refs":
        return in_json(refs(repo, pull_requests=_is_set(request, "include_prs")))
    revision, _, folder = where.partition("/")
    if kind and (wrong := revision_error(repo, revision)):
        return wrong
    if kind == "commits":
        return in_json(commits(repo))
    if kind == "tree":
        entries = tree(repo, folder, recursive=_is_set(request, "recursive"))
        return in_json(entries) if entries else error(404, "EntryNotFound", f"{quote(folder)} does not exist")
    if kind == "paths-info":
        asked = _asked_paths(request)
        if asked is None:
            return error(400, None, "The body must name paths, as JSON or as a form")
        return in_json([entry(path, repo.files[path]) for path in asked if path in repo.files])
    return in_json(about_model(repo, blobs=_is_set(request, "blobs")))


def _parsed(rest: str) -> tuple[str, str, str]:
    """Repo, what of it, and the rest; the oldest repos have a name without an owner."""
    parts = rest.split("/")
    for length in (1, 2):
        if len(parts) > length and parts[length] in KINDS:
            return "/".join(parts[:length]), parts[length], "/".join(parts[length + 1 :])
    return rest, "", ""


def _is_set(request: Request, name: str) -> bool:
    return request.query.get(name, "").lower() in ("1", "true")


def _asked_paths(request: Request) -> list[str] | None:
    """Each once; None if the body is not understood."""
    try:
        if not request.headers.get("content-type", "").startswith("application/json"):
            return list(dict.fromkeys(parse_qs(request.body.decode()).get("paths", [])))
        asked = json.loads(request.body or b"{}")
    except (ValueError, RecursionError):
        return None
    paths = asked.get("paths", []) if isinstance(asked, dict) else None
    paths = [paths] if isinstance(paths, str) else paths
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        return None
    return list(dict.fromkeys(paths))


def _whoami(token: str) -> Answer:
    if not token:
        return error(401, None, "Invalid username or password.")
    access = {"displayName": "replica", "role": "read"}
    return in_json(
        {
            "type": "user",
            "id": "0" * 24,
            "name": "replica",
            "fullname": "A user of the replica hub",
            "isPro": False,
            "orgs": [],
            "auth": {"type": "access_token", "accessToken": access},
        }
    )
