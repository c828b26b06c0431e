"""The rules of others, on pairs of known relation: what each says, counted by rule."""

from __future__ import annotations

import pyarrow as pa
import pytest

from analysis.lineage.peers import FALSE, FOUND, called, lines, rates, stored_rates
from analysis.lineage.rates import register_known
from analysis.rows import fetch_dicts
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import read_query
from warehouse.lake import Lake

OURS, COSINE, CONCATENATED = "normhouse", "mean cosine above 0.9", "concatenated cosine above 0.75"


def row(rule: str, relation: str, called: bool, one: str = "a", other: str = "b") -> dict[str, object]:
    kind = "child" if relation == "related" else None
    return {
        "rule": rule,
        "relation": relation,
        "kind": kind,
        "is_called": called,
        "origin_a": one,
        "origin_b": other,
    }


def test_false_calls_and_found_children_are_counted_by_rule_with_intervals() -> None:
    rows = [
        row(OURS, "related", True),
        row(OURS, "independent", False, "a", "c"),
        row(COSINE, "related", True),
        row(COSINE, "unrelated", True, "a", "c"),
    ]
    found = {(one["rule"], one["counted"]): one for one in rates(rows)}
    assert (found[OURS, FALSE]["called"], found[OURS, FALSE]["pairs"]) == (0, 1)
    assert (found[COSINE, FALSE]["called"], found[COSINE, FOUND]["called"]) == (1, 1)
    assert found[OURS, FALSE]["high"] > 0.5, "one pair proves little"
    said = lines(rates(rows))
    assert [line.split(" " * 3)[0].strip() for line in said[1:3]] == [OURS, COSINE]


@pytest.mark.exhaustive
def test_cosines_call_strangers_related_and_the_lineage_test_does_not(
    zoo: Lake, calibration: dict[str, pa.Table]
) -> None:
    with open_catalog(zoo) as connection, connection.cursor() as own:
        register_known(own, calibration["calibration_pairs"])
        found = {
            (one["rule"], one["counted"]): one
            for one in rates(fetch_dicts(own, read_query("calibration/peer_calls")))
        }
    assert len(found) == 2 * 5
    for rule in (COSINE, CONCATENATED):
        assert found[rule, FALSE]["called"] > found[rule, FALSE]["pairs"] / 2
    assert found[OURS, FALSE]["called"] == 0
    assert found[OURS, FOUND]["called"] == found[OURS, FOUND]["pairs"]


@pytest.mark.exhaustive
def test_what_is_committed_is_what_the_shipped_zoo_gives(shipped_zoo: Lake) -> None:
    with open_catalog(shipped_zoo) as connection:
        found = rates(called(connection, shipped_zoo))
    stored = [row for row in stored_rates() if row["models"] == "zoo"]
    assert [
        {**row, "low": pytest.approx(row["low"], abs=1e-4), "high": pytest.approx(row["high"], abs=1e-4)}
        for row in found
    ] == [{name: row[name] for name in found[0]} for row in stored]
