"""The hub's list of models: filters, order, and pages that a Link header chains."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import parse_qs, urlencode

from ingest.replica.about import about_repo, siblings_of, tags_of
from ingest.replica.messages import Answer, Request, error, in_json
from ingest.replica.repos import HubRepo
from ingest.replica.site import Site

MOST_PER_PAGE = 1000  # of the hub, and what it gives unless told
ORDERS = ("downloads", "likes", "lastModified", "createdAt", "trendingScore")


def list_models(site: Site, request: Request, token: str) -> Answer:
    """One page; `cursor` says where it begins."""
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
    return in_json([about_repo(repo) | (siblings_of(repo) if is_full else {}) for repo in page], headers)


def _fits(repo: HubRepo, asked: dict[str, list[str]]) -> bool:
    owner = repo.name.partition("/")[0]
    tags = {tag.lower() for tag in tags_of(repo)}
    wanted = [tag for key in ("filter", "tags", "pipeline_tag") for tag in _listed(asked.get(key, ()))]
    return (
        asked.get("author", [owner])[0].lower() == owner.lower()
        and all(text.lower() in repo.name.lower() for text in asked.get("search", ()))
        and all(tag.lower() in tags for tag in wanted)
        and asked.get("gated", [str(repo.gated)])[0].lower() == str(repo.gated).lower()
    )


def _listed(values: Iterable[str]) -> list[str]:
    """Several may stand in one, between commas."""
    return [one for value in values for one in value.split(",") if one]


def _ordered(repos: list[HubRepo], order: str) -> list[HubRepo]:
    """Most or newest first, as the hub does; ties and everything else as they are served."""
    if order == "downloads":
        return sorted(repos, key=lambda repo: -repo.downloads)
    if order in ("lastModified", "createdAt"):
        return sorted(repos, key=lambda repo: repo.created, reverse=True)
    return repos
