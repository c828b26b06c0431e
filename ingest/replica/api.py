"""Answers of the hub to a request, without sockets: JSON API and files, modelled on the real hub."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import parse_qs, quote, urlencode

from ingest.replica.messages import Answer, Request, error, in_json
from ingest.replica.repos import HubFile, HubRepo
from ingest.replica.running import COUNTERS
from ingest.replica.site import Site, access_error, answer_cdn, find_repo, resolve, revision_error

# What may follow the name of a repo in a path.
KINDS = ("revision", "tree", "paths-info", "commits", "refs", "auth-check")
MOST_PER_PAGE = 1000  # also the default
ORDERS = ("downloads", "likes", "lastModified", "createdAt", "trendingScore")


def respond(site: Site, request: Request) -> Answer:
    """The answer of either port."""
    if request.method not in ("GET", "HEAD", "POST"):
        return error(405, None, "Method not allowed")
    return answer_cdn(site, request) if request.port == "cdn" else _hub(site, request)


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
        return _answer_api(site, request, token)
    repo_id, is_file, rest = path.lstrip("/").partition("/resolve/")
    if not is_file:
        return error(404, None, "No such page in the replica hub")
    return resolve(site, request, repo_id, rest, token)


def _counters(site: Site, request: Request) -> Answer:
    names = ("hub_requests", "cdn_requests", "hub_bytes", "cdn_bytes")
    so_far = {name: site.counters[name] for name in names}
    if request.query.get("reset") == "1":
        site.counters.clear()
    total = {kind: so_far[f"hub_{kind}"] + so_far[f"cdn_{kind}"] for kind in ("requests", "bytes")}
    return in_json(total | so_far)


def _answer_api(site: Site, request: Request, token: str) -> Answer:
    """Anything below /api."""
    if request.path == "/api/whoami-v2":
        return _whoami(token)
    rest = request.path.removeprefix("/api/models").strip("/")
    if not rest:
        return _list_models(site, request, token)
    name, kind, where = _parsed(rest)
    repo = find_repo(site, name, token)
    if isinstance(repo, Answer):
        return repo
    if kind == "auth-check":
        return access_error(site, repo, token) or in_json({})
    if kind == "refs":
        return in_json(_refs(repo, pull_requests=_is_set(request, "include_prs")))
    revision, _, folder = where.partition("/")
    if kind and (wrong := revision_error(repo, revision)):
        return wrong
    if kind == "commits":
        return in_json(_commits(repo))
    if kind == "tree":
        entries = _tree(repo, folder, recursive=_is_set(request, "recursive"))
        return in_json(entries) if entries else error(404, "EntryNotFound", f"{quote(folder)} does not exist")
    if kind == "paths-info":
        asked = _asked_paths(request)
        if asked is None:
            return error(400, None, "The body must name paths, as JSON or as a form")
        return in_json([_entry(path, repo.files[path]) for path in asked if path in repo.files])
    return in_json(_about_model(repo, blobs=_is_set(request, "blobs")))


def _parsed(rest: str) -> tuple[str, str, str]:
    """Repo, kind, and the rest of a path; the oldest repos have no owner in their name."""
    parts = rest.split("/")
    for length in (1, 2):
        if len(parts) > length and parts[length] in KINDS:
            return "/".join(parts[:length]), parts[length], "/".join(parts[length + 1 :])
    return rest, "", ""


def _is_set(request: Request, name: str) -> bool:
    return request.query.get(name, "").lower() in ("1", "true")


def _asked_paths(request: Request) -> list[str] | None:
    """The paths named in the body, without repetitions; None if the body is malformed."""
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


def _list_models(site: Site, request: Request, token: str) -> Answer:
    """One page of models, beginning at `cursor`."""
    asked = parse_qs(request.target.partition("?")[2])
    limit, cursor = (asked.get(name, [""])[0] for name in ("limit", "cursor"))
    order = asked.get("sort", [""])[0]
    if not all(re.fullmatch("[0-9]{0,18}", number) for number in (limit, cursor)):
        return error(400, None, "limit and cursor must be whole numbers")
    if order and order not in ORDERS:
        return error(400, None, f"sort must be one of {', '.join(ORDERS)}")
    found = [repo for repo in site.repos.values() if (token or not repo.private) and _fits(repo, asked)]
    begin, count = int(cursor or 0), min(int(limit or MOST_PER_PAGE), MOST_PER_PAGE)
    page = _ordered(found, order)[begin : begin + count]
    headers = {}
    if page and begin + count < len(found):
        further = urlencode({**asked, "cursor": [str(begin + count)]}, doseq=True)
        headers["Link"] = f'<{site.endpoint}/api/models?{further}>; rel="next"'
    is_full = asked.get("full", [""])[0].lower() in ("1", "true")
    return in_json([_about_repo(repo) | (_siblings(repo) if is_full else {}) for repo in page], headers)


def _fits(repo: HubRepo, asked: dict[str, list[str]]) -> bool:
    owner = repo.name.partition("/")[0]
    tags = {tag.lower() for tag in _tags(repo)}
    wanted = [tag for key in ("filter", "tags", "pipeline_tag") for tag in _listed(asked.get(key, ()))]
    return (
        asked.get("author", [owner])[0].lower() == owner.lower()
        and all(text.lower() in repo.name.lower() for text in asked.get("search", ()))
        and all(tag.lower() in tags for tag in wanted)
        and asked.get("gated", [str(repo.gated)])[0].lower() == str(repo.gated).lower()
    )


def _listed(values: Iterable[str]) -> list[str]:
    """Each value may be a list with commas."""
    return [one for value in values for one in value.split(",") if one]


def _ordered(repos: list[HubRepo], order: str) -> list[HubRepo]:
    """Most downloads or newest first, as on the hub; other orders keep the served one."""
    if order == "downloads":
        return sorted(repos, key=lambda repo: -repo.downloads)
    if order in ("lastModified", "createdAt"):
        return sorted(repos, key=lambda repo: repo.created, reverse=True)
    return repos


def _about_repo(repo: HubRepo) -> dict[str, object]:
    """A model as it appears in lists; generates none of its files."""
    licence = {"license": repo.licence} if repo.licence else {}
    base = {"base_model": repo.base, "base_model_relation": "finetune"} if repo.base else {}
    return {
        "_id": repo.commit[:24],
        "id": repo.name,
        "modelId": repo.name,
        "author": repo.name.partition("/")[0],
        "sha": repo.commit,
        "lastModified": repo.created,
        "createdAt": repo.created,
        "private": repo.private,
        "gated": "auto" if repo.gated else False,
        "disabled": False,
        "downloads": repo.downloads,
        "likes": 0,
        "library_name": "transformers",
        "pipeline_tag": "text-generation",
        "tags": _tags(repo),
        "cardData": licence | base,
    }


def _tags(repo: HubRepo) -> list[str]:
    """The repo's own tags and those that the hub derives from its card."""
    licence = [f"license:{repo.licence}"] if repo.licence else []
    base = [f"base_model:{repo.base}", f"base_model:finetune:{repo.base}"] if repo.base else []
    return list(
        dict.fromkeys(["transformers", "safetensors", "text-generation", *repo.tags, *base, *licence])
    )


def _about_model(repo: HubRepo, *, blobs: bool) -> dict[str, object]:
    """A model with its files and parameter counts."""
    about = _about_repo(repo) | _siblings(repo)
    if blobs:
        about["siblings"] = [_file_sibling(path, file) for path, file in repo.files.items()]
    if repo.parameters:
        counts = repo.parameters()
        about["safetensors"] = {"parameters": counts, "total": sum(counts.values())}
    return about


def _siblings(repo: HubRepo) -> dict[str, object]:
    """The names of a repo's files; generates none of them."""
    return {"siblings": [{"rfilename": path} for path in repo.files]}


def _file_sibling(path: str, file: HubFile) -> dict[str, object]:
    about: dict[str, object] = {"rfilename": path, "size": file.size, "blobId": file.blob}
    if file.sha256:
        about["lfs"] = {"sha256": file.sha256, "size": file.size, "pointerSize": len(file.pointer)}
    return about


def _entry(path: str, file: HubFile) -> dict[str, object]:
    """A file as tree and paths-info show it."""
    about: dict[str, object] = {"type": "file", "path": path, "size": file.size, "oid": file.blob}
    if file.sha256:
        about["lfs"] = {"oid": file.sha256, "size": file.size, "pointerSize": len(file.pointer)}
    return about


def _tree(repo: HubRepo, folder: str, *, recursive: bool) -> list[dict[str, object]]:
    """Files below a folder; unless recursive, deeper ones appear as their directory."""
    prefix = folder.rstrip("/") + "/" if folder else ""
    entries: dict[str, dict[str, object]] = {}
    for path, file in repo.files.items():
        if not path.startswith(prefix):
            continue
        child, deeper, _ = path.removeprefix(prefix).partition("/")
        if deeper and not recursive:
            at = prefix + child
            entries[at] = {"type": "directory", "path": at, "size": 0, "oid": repo.commit}
        else:
            entries[path] = _entry(path, file)
    return list(entries.values())


def _commits(repo: HubRepo) -> list[dict[str, object]]:
    """The one commit of a repo."""
    return [
        {
            "id": repo.commit,
            "title": "Make up the model",
            "message": "",
            "authors": [{"user": "normhouse", "avatar": ""}],
            "date": repo.created,
        }
    ]


def _refs(repo: HubRepo, *, pull_requests: bool) -> dict[str, object]:
    """The one branch, main."""
    main = {"name": "main", "ref": "refs/heads/main", "targetCommit": repo.commit}
    found: dict[str, object] = {"branches": [main], "converts": [], "tags": []}
    return found | {"pullRequests": []} if pull_requests else found
