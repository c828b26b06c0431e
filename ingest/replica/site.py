"""A hub with its CDN as one thing to configure, and the look-ups both its API and its files need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from ingest.replica.messages import Answer, error
from ingest.replica.quotas import Quota
from ingest.replica.repos import HubRepo


@dataclass
class Site:
    """A hub with its CDN: what it serves and how it behaves."""

    repos: Mapping[str, HubRepo]
    redirect: bool = True  # False: LFS files come straight from the hub port
    token: str | None = None  # the one accepted; None: any token will do
    unapproved_token: str | None = None  # also valid, but has not been let into gated repos
    address_seconds: float = 3600.0  # life of a signed CDN address
    secret: bytes = b"replica"
    endpoint: str = ""  # set when the ports are known
    cdn: str = ""
    quota: Quota = field(default_factory=Quota)
    counters: Counter[str] = field(default_factory=Counter)  # requests and bytes of body, by port


def find_repo(site: Site, repo_id: str, token: str) -> HubRepo | Answer:
    """The repo, whatever the case of its name, or why it is not shown."""
    repo = site.repos.get(repo_id)
    if repo is None:
        name = next((name for name in site.repos if name.lower() == repo_id.lower()), None)
        repo = site.repos[name] if name else None
    if repo is None or (repo.private and not token):
        # Without a token the hub does not tell what is missing from what is private.
        return error(404 if token else 401, "RepoNotFound", "Repository not found")
    return repo


def access_error(site: Site, repo: HubRepo, token: str) -> Answer | None:
    """A refusal unless the repo is open, or the token has been let into it."""
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
