"""What would be said if the replica were the released weights: every item that would not hold has a reason.

The replica is planted with published statistics, so an item that fails there fails for one of three reasons:
the replica does not plant that figure, a figure conflicts with another published one, or the item is open to
more than one reading. A fourth, that our reading could never hold, must not occur; the tables were made by
looking at each, and this test keeps them complete and true.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from analysis.claims.results import Run

TABLES = sorted((Path(__file__).parent / "as_if_hub").glob("*.csv"))
REASONS = ("replica: ", "conflict: ", "open: ")


def noted() -> dict[str, tuple[str, str]]:
    """Verdict and reason by item."""
    rows: dict[str, tuple[str, str]] = {}
    for table in TABLES:
        with table.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                assert row["item"] not in rows, row["item"]
                rows[row["item"]] = (row["verdict"], row["reason"])
    return rows


@pytest.mark.slow
def test_every_item_that_would_not_hold_is_noted_with_its_verdict(replica_run: Run) -> None:
    judged = {one.item.item: one.verdict for result in replica_run.results for one in result.items}
    settled = ("reproduced", "by definition")
    unsettled = {item: verdict for item, verdict in judged.items() if verdict not in settled}
    assert {item: verdict for item, (verdict, _) in noted().items()} == unsettled


def test_every_reason_is_one_that_leaves_the_author_a_chance() -> None:
    assert [item for item, (_, reason) in noted().items() if not reason.startswith(REASONS)] == []
    assert len({reason for _, reason in noted().values()}) > 20
