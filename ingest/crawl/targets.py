"""The repos that a crawl is to read, from a file or from the hub's own list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ingest.hub.listing import Choice, Listing, list_repos
from ingest.hub.repo import RepoInfo
from ingest.hub.session import HttpSession
from ingest.registry import is_repo
from warehouse.console.output import counted
from warehouse.errors import UsageError


@dataclass(frozen=True)
class Target:
    """One repo to read; `info` is set if the hub's list has it."""

    repo: str
    info: RepoInfo | None = None
    is_gated: bool = False


def targets_in(path: Path) -> list[Target]:
    """The repos of a file, once each: a list or the first column of a CSV file; `#` begins a comment."""
    try:
        # some editors write a byte order mark
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(
            f"cannot read the list {path} ({why}): name a file with one owner/name a line"
        ) from None
    found = [
        _target(line, f"{path}:{number}") for number, line in enumerate(lines, start=1) if _content(line)
    ]
    if not found:
        raise UsageError(f"the list {path} names no repo: write one owner/name a line")
    return list(_once(found))


async def listed_targets(
    session: HttpSession, choice: Choice, listing: Listing, say: Callable[[str], None]
) -> list[Target]:
    found = [
        Target(listed.repo, info=listed.info, is_gated=listed.is_gated)
        async for listed in list_repos(session, choice, listing, say)
    ]
    if not found:
        why = "; ".join(list_problems(listing)) or "check --author, --tag and --downloads"
        raise UsageError(f"{session.settings.endpoint} lists no such model: {why}")
    return found


def list_problems(listing: Listing) -> Iterator[str]:
    """What was left out of a list."""
    if listing.cut:
        yield f"the list was read up to page {listing.pages:,} only: {listing.cut}"
    if listing.odd:
        more = listing.odd - len(listing.oddities)
        named = ", ".join(listing.oddities) + (f", and {more:,} more" if more else "")
        yield f"{counted(listing.odd, 'entry', 'entries')} of the list cannot be repos: {named}"


def _content(line: str) -> str:
    """The first column, without a comment; nothing of a CSV file's header."""
    text = line.partition("#")[0].partition(",")[0].strip()
    return "" if text == "repo" else text


def _target(line: str, where: str) -> Target:
    repo = _content(line)
    if not is_repo(repo):
        raise UsageError(f"{where}: {repo!r} is not a repo: write owner/name, as on the hub")
    return Target(repo)


def _once(targets: Iterable[Target]) -> Iterator[Target]:
    seen: set[str] = set()
    for target in targets:
        if target.repo.lower() not in seen:
            seen.add(target.repo.lower())
            yield target
