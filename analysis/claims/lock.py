"""`sql/claims/claims.lock`: id, version and sha256 of every claim's query, so that none changes in silence.

A changed query needs a raised version and its reason in the header; then `just claims-lock` writes the file.
Comments and layout are no part of the sum (`Claim.sha256`), so `just format` leaves the lock as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from analysis.claims.claim_file import CLAIMS, BrokenClaim, Claim
from warehouse.lake import write_text_atomically

NAME = "claims.lock"


def check_lock(claims: Iterable[Claim], root: Path = CLAIMS) -> list[str]:
    """One line per claim that the lock does not know as it is; empty when all is well."""
    locked = read_lock(root)
    problems = []
    for claim in claims:
        version, sha256 = locked.pop(claim.id, (0, ""))
        if version == 0:
            problems.append(f"{claim.id} is not locked: run `just claims-lock`")
        elif sha256 != claim.sha256 and version >= claim.version:
            problems.append(
                f"{claim.id} changed but is still version {claim.version}: raise it, say why in "
                f"`-- history:`, and run `just claims-lock`"
            )
        elif (version, sha256) != (claim.version, claim.sha256):
            problems.append(
                f"{claim.id} is at v{claim.version}, locked at v{version}: run `just claims-lock`"
            )
    return problems + [f"{name} is locked but has no file: run `just claims-lock`" for name in sorted(locked)]


def write_lock(claims: Iterable[Claim], root: Path = CLAIMS) -> list[str]:
    """Locks the claims as they are and returns what moved; refuses a query changed under its old version."""
    claims = list(claims)
    locked = read_lock(root)
    moved = []
    for claim in claims:
        version, sha256 = locked.get(claim.id, (0, ""))
        if sha256 != claim.sha256 and 0 < claim.version <= version:
            raise BrokenClaim(
                f"{claim.id} changed but is still version {claim.version}: "
                f"raise it and say why in `-- history:`"
            )
        if (version, sha256) != (claim.version, claim.sha256):
            moved.append(f"{claim.id} v{claim.version}" + (f" (was v{version})" if version else " (new)"))
    moved += [f"{name} (gone)" for name in sorted(locked.keys() - {claim.id for claim in claims})]
    lines = [f"{claim.id} {claim.version} {claim.sha256}\n" for claim in sorted(claims, key=lambda c: c.id)]
    write_text_atomically(root / NAME, "".join(lines))
    return moved


def read_lock(root: Path = CLAIMS) -> dict[str, tuple[int, str]]:
    """Version and sha256 by claim id."""
    path = root / NAME
    locked = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        parts = line.split()
        if len(parts) != 3 or not parts[1].isdigit():
            raise BrokenClaim(f"{NAME} has the line {line!r}: restore the file, or delete it and lock anew")
        locked[parts[0]] = (int(parts[1]), parts[2])
    return locked
