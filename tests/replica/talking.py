"""A minimal HTTP client for the replica server, without redirects."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import Message
from hashlib import sha256
from http.client import HTTPConnection
from urllib.parse import urlsplit

from ingest.replica.repos import HubRepo, file_of
from tests.hub import RunningHub

WEIGHTS = bytes(range(256)) * 40
CONFIG = b'{"hidden_size": 4}'


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Message
    body: bytes


def ask(address: str, method: str = "GET", body: str | None = None, **headers: str) -> Reply:
    """Sends one request on a new connection; keywords are headers, such as `Range`."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc, timeout=10)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request(
            method, target, body=body, headers={k.replace("_", "-"): v for k, v in headers.items()}
        )
        answer = connection.getresponse()
        return Reply(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def small_repo(name: str = "owner/small", *, gated: bool = False, private: bool = False) -> HubRepo:
    """A repo with a config, a folder and one LFS file."""
    files = {
        "config.json": file_of(CONFIG),
        "model.safetensors": file_of(WEIGHTS, lfs=True),
        "sub/notes.txt": file_of(b"notes"),
    }
    commit = sha256(name.encode()).hexdigest()[:40]
    return HubRepo(name, commit, files, gated=gated, private=private, licence="mit")


def small_repos() -> dict[str, HubRepo]:
    repos = [small_repo(), small_repo("owner/gated", gated=True), small_repo("owner/private", private=True)]
    return {repo.name: repo for repo in repos}


def weights_at(hub: RunningHub, repo: str = "owner/small") -> str:
    return f"{hub.endpoint}/{repo}/resolve/main/model.safetensors"


def signed(hub: RunningHub, **headers: str) -> str:
    """The CDN address of the small repo's weights."""
    return ask(weights_at(hub), **headers).headers["Location"]
