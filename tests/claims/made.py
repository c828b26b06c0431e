"""Claims, items and results made up for tests of the machinery."""

from __future__ import annotations

from analysis.claims.claim_file import Claim, Evidence
from analysis.claims.results import Item, Judged, Reading, Result, Verdict


def claim(
    query: str, evidence: Evidence = "printed", needs: tuple[str, ...] = (), name: str = "a.b"
) -> Claim:
    return Claim(name, "title", ("hyunwoong",), "1", evidence, needs, 1, "", (), query)


def inventory(evidence: str, *names: str) -> dict[str, Item]:
    return {name: Item(name, "hyunwoong", evidence, f"Statement of {name}.") for name in names}


def reading(
    item: str = "x", name: str = "plain", observed: float | None = 0.951, holds: bool = True
) -> Reading:
    """Of a figure printed as 0.95."""
    miss = None if observed is None else abs(observed - 0.95) / 0.005
    return Reading(item, name, None, 0.95, 0.005, observed, holds, miss)


def result(of: Claim, verdict: Verdict, *readings: Reading, note: str = "") -> Result:
    """All readings of the items that they name, each item with the same verdict."""
    items = inventory(of.evidence, *(one.item for one in readings))
    judged = tuple(
        Judged(item, verdict, tuple(one for one in readings if one.item == name))
        for name, item in items.items()
    )
    return Result(of, judged, note)
