"""Locks every query by id, version and sha256, and refuses to run one that changed under its version.

After changing a query, raise the version in its header and say why in `-- history:`; `just claims-lock` then
writes `sql/claims/claims.lock` and `sql/findings/findings.lock`. The sha256 is of the query's tokens, so
comments and layout may change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from analysis.claims.claim_file import (
    CLAIMS,
    FINDINGS,
    Broken,
    BrokenClaim,
    Claim,
    read_claims,
)
from analysis.claims.results import Item, read_items
from warehouse.catalog.definitions import SQL
from warehouse.documents import ITEMS_CSV
from warehouse.lake import write_text_atomically

Lock = Mapping[str, tuple[int, str]]
"""Version and sha256 by claim id."""


@dataclass(frozen=True)
class ClaimFiles:
    """The claim files that a command runs, and the inventory of items."""

    items: Mapping[str, Item]
    is_complete: bool
    """Whether all claims are here, so that every item must be returned by one."""
    claims: list[Claim] = field(default_factory=list)
    findings: list[Claim] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    """Files that cannot be read, and queries that the lock refuses."""
    unlocked: list[str] = field(default_factory=list)
    """Ids of new claims and raised versions that are not locked yet."""

    @property
    def names(self) -> set[str]:
        """The ids of all of them, broken ones included."""
        return {one.id for one in (*self.claims, *self.findings)} | {one.name for one in self.broken}


def read_locked(
    sql: Path = SQL, names: Collection[str] | None = None, *, allow_unlocked: bool = False
) -> ClaimFiles:
    """The claims and findings of those ids (default: all), compared with their lock.

    A query that changed under its version is broken, and so is a new version that is not locked yet. With
    `allow_unlocked`, for runs that are not recorded, new versions are only listed.
    """
    files = ClaimFiles(read_items(sql / ITEMS_CSV.relative_to(SQL)), is_complete=names is None)
    for root, kept in ((sql / CLAIMS.name, files.claims), (sql / FINDINGS.name, files.findings)):
        claims, broken = read_claims(root, names)
        lock = read_lock(root)
        files.broken.extend(broken)
        for claim in claims:
            state = _state(claim, lock)
            if state == "changed":
                files.broken.append(Broken(claim.id, _refusal(claim)))
            elif state == "unlocked" and not allow_unlocked:
                reason = f"version {claim.version} is not locked: run `just claims-lock`"
                files.broken.append(Broken(claim.id, reason))
            else:
                kept.append(claim)
                if state == "unlocked":
                    files.unlocked.append(claim.id)
        if names is None and not allow_unlocked:
            there = {claim.id for claim in claims} | {one.name for one in broken}
            reason = "is locked but has no file: restore it, or run `just claims-lock`"
            files.broken.extend(Broken(name, reason) for name in sorted(lock.keys() - there))
    return files


def write_lock(claims: Iterable[Claim], root: Path = CLAIMS) -> list[str]:
    """Lock the claims as they are and return what changed; refuses a query changed under its version."""
    claims = sorted(claims, key=lambda claim: claim.id)
    lock = read_lock(root)
    moved = []
    for claim in claims:
        state = _state(claim, lock)
        if state == "changed":
            raise BrokenClaim(f"{claim.id}: {_refusal(claim)}")
        if state == "unlocked":
            was = f"was v{lock[claim.id][0]}" if claim.id in lock else "new"
            moved.append(f"{claim.id} v{claim.version} ({was})")
    moved += [f"{name} (gone)" for name in sorted(lock.keys() - {claim.id for claim in claims})]
    lines = [f"{claim.id} {claim.version} {claim.sha256}\n" for claim in claims]
    write_text_atomically(_file(root), "".join(lines))
    return moved


def read_lock(root: Path = CLAIMS) -> Lock:
    path = _file(root)
    lock = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        parts = line.split()
        if len(parts) != 3 or not parts[1].isdigit():
            raise BrokenClaim(
                f"{path.name} has the line {line!r}: restore the file, or delete it and lock all"
            )
        lock[parts[0]] = (int(parts[1]), parts[2])
    return lock


def _state(claim: Claim, lock: Lock) -> Literal["locked", "unlocked", "changed"]:
    version, sha256 = lock.get(claim.id, (0, ""))
    if (version, sha256) == (claim.version, claim.sha256):
        return "locked"
    is_changed = sha256 != claim.sha256 and claim.version <= version
    return "changed" if is_changed else "unlocked"


def _refusal(claim: Claim) -> str:
    return (
        f"the query changed but is still version {claim.version}: raise the version, "
        "say why in `-- history:`, then run `just claims-lock`"
    )


def _file(root: Path) -> Path:
    return root / f"{root.name}.lock"
