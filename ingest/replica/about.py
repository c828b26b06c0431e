"""What the hub's JSON says of a repo and of its files."""

from __future__ import annotations

from ingest.replica.repos import HubFile, HubRepo


def about_repo(repo: HubRepo) -> dict[str, object]:
    """A model's entry as listings have it, which makes up none of its files."""
    licence = {"license": repo.licence} if repo.licence else {}
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
        "tags": tags_of(repo),
        "cardData": licence,
    }


def tags_of(repo: HubRepo) -> list[str]:
    """The repo's own, and those that the hub makes of its card."""
    licence = [f"license:{repo.licence}"] if repo.licence else []
    return list(dict.fromkeys(["transformers", "safetensors", "text-generation", *repo.tags, *licence]))


def about_model(repo: HubRepo, *, blobs: bool) -> dict[str, object]:
    """A model's own page: with its files and the number of its parameters."""
    about = about_repo(repo) | siblings_of(repo)
    if blobs:
        about["siblings"] = [_sibling(path, file) for path, file in repo.files.items()]
    if repo.parameters:
        counts = repo.parameters()
        about["safetensors"] = {"parameters": counts, "total": sum(counts.values())}
    return about


def siblings_of(repo: HubRepo) -> dict[str, object]:
    """The names of its files, which makes up none of them."""
    return {"siblings": [{"rfilename": path} for path in repo.files]}


def _sibling(path: str, file: HubFile) -> dict[str, object]:
    about: dict[str, object] = {"rfilename": path, "size": file.size, "blobId": file.blob}
    if file.sha256:
        about["lfs"] = {"sha256": file.sha256, "size": file.size, "pointerSize": len(file.pointer)}
    return about


def entry(path: str, file: HubFile) -> dict[str, object]:
    """A file as the tree and paths-info show it."""
    about: dict[str, object] = {"type": "file", "path": path, "size": file.size, "oid": file.blob}
    if file.sha256:
        about["lfs"] = {"oid": file.sha256, "size": file.size, "pointerSize": len(file.pointer)}
    return about


def tree(repo: HubRepo, folder: str, *, recursive: bool) -> list[dict[str, object]]:
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
            entries[path] = entry(path, file)
    return list(entries.values())


def commits(repo: HubRepo) -> list[dict[str, object]]:
    """A repo of the replica has one."""
    return [
        {
            "id": repo.commit,
            "title": "Make up the model",
            "message": "",
            "authors": [{"user": "normhouse", "avatar": ""}],
            "date": repo.created,
        }
    ]


def refs(repo: HubRepo, *, pull_requests: bool) -> dict[str, object]:
    """The branch main and nothing else."""
    main = {"name": "main", "ref": "refs/heads/main", "targetCommit": repo.commit}
    found: dict[str, object] = {"branches": [main], "converts": [], "tags": []}
    return found | {"pullRequests": []} if pull_requests else found
