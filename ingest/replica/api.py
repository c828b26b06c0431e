"""The hub's JSON interface below /api/models: listing, model info, file tree, paths-info."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, quote

from ingest.replica.messages import Answer, Request, error, in_json
from ingest.replica.repos import HubFile, HubRepo
from ingest.replica.site import Site, find_repo, revision_error


def answer_api(site: Site, request: Request, token: str) -> Answer:
    """Anything below /api/models."""
    rest = request.path.removeprefix("/api/models").strip("/")
    if not rest:  # no siblings in the listing: it would make up the files of every repo
        return in_json([_about(repo) for repo in site.repos.values() if token or not repo.private])
    repo_id, kind, where = rest, "", ""
    for separator in ("/revision/", "/tree/", "/paths-info/"):
        if separator in rest:
            repo_id, kind, where = rest.partition(separator)
    repo = find_repo(site, repo_id, token)
    if isinstance(repo, Answer):
        return repo
    revision, _, folder = where.partition("/")
    if kind and (wrong := revision_error(repo, revision)):
        return wrong
    if kind == "/tree/":
        entries = _tree(repo, folder, recursive=request.query.get("recursive", "").lower() in ("1", "true"))
        return in_json(entries) if entries else error(404, "EntryNotFound", f"{quote(folder)} does not exist")
    if kind == "/paths-info/":
        paths = _asked_paths(request)
        return in_json([_entry(path, repo.files[path]) for path in paths if path in repo.files])
    if request.query.get("blobs", "").lower() in ("1", "true"):
        siblings = [_sibling(path, file) for path, file in repo.files.items()]
    else:
        siblings = [{"rfilename": path} for path in repo.files]
    return in_json(_about(repo) | {"siblings": siblings})


def _asked_paths(request: Request) -> list[str]:
    if request.headers.get("content-type", "").startswith("application/json"):
        asked = json.loads(request.body or b"{}").get("paths", [])
        return [asked] if isinstance(asked, str) else list(asked)
    return parse_qs(request.body.decode()).get("paths", [])


def _about(repo: HubRepo) -> dict[str, object]:
    licence = {"license": repo.licence} if repo.licence else {}
    return {
        "_id": repo.commit[:24],
        "id": repo.name,
        "modelId": repo.name,
        "author": repo.name.partition("/")[0],
        "sha": repo.commit,
        "lastModified": "2026-01-01T00:00:00.000Z",
        "createdAt": "2026-01-01T00:00:00.000Z",
        "private": repo.private,
        "gated": "auto" if repo.gated else False,
        "disabled": False,
        "downloads": 0,
        "likes": 0,
        "library_name": "transformers",
        "pipeline_tag": "text-generation",
        "tags": ["safetensors", *repo.tags, *(f"license:{name}" for name in licence.values())],
        "cardData": licence,
    }


def _sibling(path: str, file: HubFile) -> dict[str, object]:
    entry = _entry(path, file)
    about: dict[str, object] = {"rfilename": path, "size": file.size, "blobId": entry["oid"]}
    if file.lfs:
        about["lfs"] = {"sha256": file.etag, "size": file.size, "pointerSize": 135}
    return about


def _entry(path: str, file: HubFile) -> dict[str, object]:
    entry: dict[str, object] = {"type": "file", "path": path, "size": file.size, "oid": file.etag[:40]}
    if file.lfs:
        entry["lfs"] = {"oid": file.etag, "size": file.size, "pointerSize": 135}
    return entry


def _tree(repo: HubRepo, folder: str, *, recursive: bool) -> list[dict[str, object]]:
    """Files below a folder; unless recursive, deeper ones are shown as the directory they lie in."""
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
