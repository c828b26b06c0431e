"""`just calibrate --peers`: what the rules of others say of the same pairs of known relation.

What was found is committed: the view `peer_rules`, which the report's figure shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from analysis.lakes import TRAINED_LAKE, announce, trained_lake
from analysis.lineage.calibrate import calibrated
from analysis.lineage.rates import rate_called, register_known
from analysis.lineage.real import real_pairs, summed, write_results
from analysis.rows import about_lake, fetch_dicts, show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.connections import connect
from warehouse.catalog.definitions import read_query
from warehouse.console.output import show
from warehouse.lake import Lake, existing_lake
from warehouse.tables import TABLES

RESULTS = TABLES["peer_rules"].path
FALSE, FOUND = "unrelated pairs called related", "related pairs found"

FAIR = (
    "Related pairs of the zoo are unaltered children. Each rule is applied to norm weights alone, at the",
    "threshold named. Cisco's kit combines the concatenated cosine with other signals; its whole weight",
    "score made no such error on 496 unrelated small models of equal config and found every unaltered child",
    "at its 'Weak Match' line. Not covered: large released models, models of other widths, disguises.",
)

# `summed` leaves the families of real models.
ORIGINS_OF_REAL = """
create temp table origins as
select distinct unnest([model_a, model_b]) as model, unnest([family_a, family_b]) as origin from real_judged
"""

Row = Mapping[str, Any]


def run_peers(lake_name: str | None, *, write: bool = False, as_json: bool = False) -> int:
    lake = trained_lake() if lake_name in (None, TRAINED_LAKE) else existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake)
        rows = rates(called(connection, lake))
        about = about_lake(connection)
    if write:
        models = "real" if _is_real(lake) else "zoo"
        others = [row for row in stored_rates() if row["models"] != models]
        new = [
            {"models": models, **row, "low": round(row["low"], 4), "high": round(row["high"], 4)}
            for row in rows
        ]
        write_results(sorted([*others, *new], key=lambda row: row["models"], reverse=True), RESULTS)
    if as_json:
        show_json({**about, "rules": rows})
    else:
        show(*lines(rows))
    return 0


def stored_rates() -> list[dict[str, Any]]:
    """What is committed."""
    with connect() as connection:
        return fetch_dicts(connection, "from read_csv($path, header = true)", {"path": str(RESULTS)})


def called(connection: duckdb.DuckDBPyConnection, lake: Lake) -> list[dict[str, Any]]:
    """One row per pair of known relation and rule."""
    with connection.cursor() as own:
        if _is_real(lake):
            real_pairs(own)
            summed(own)
            own.execute(f"create temp table known as {read_query('calibration/peer_known_real')}")
            own.execute(ORIGINS_OF_REAL)
        else:
            register_known(own, calibrated(lake)["calibration_pairs"])
        return fetch_dicts(own, read_query("calibration/peer_calls"))


def _is_real(lake: Lake) -> bool:
    return (lake.folder / "packaged_truth").exists()


def rates(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One row per rule and what is counted, with a 95 % interval by a bootstrap over models."""
    found = []
    for rule in dict.fromkeys(row["rule"] for row in rows):
        for counted in (FALSE, FOUND):
            rate = rate_called(row for row in rows if row["rule"] == rule and _counts(row, counted))
            found.append(
                {
                    "rule": rule,
                    "counted": counted,
                    "called": rate.found,
                    "pairs": rate.of,
                    "low": rate.low,
                    "high": rate.high,
                }
            )
    return found


def _counts(row: Row, counted: str) -> bool:
    if counted == FALSE:
        return bool(row["relation"] != "related")
    return bool(row["relation"] == "related" and row["kind"] == "child")


def lines(rows: Sequence[Row]) -> list[str]:
    said = [f"{'rule':32} {FALSE:>42}   {FOUND}"]
    by_rule: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_rule.setdefault(row["rule"], {})[row["counted"]] = row
    for rule, both in sorted(by_rule.items(), key=lambda item: item[1][FALSE]["called"]):
        said.append(f"{rule:32} {_rate(both[FALSE]):>42}   {_rate(both[FOUND])}")
    return [*said, "", "Intervals of 95 % by a bootstrap over models, which pairs share.", *FAIR]


def _rate(row: Row) -> str:
    return f"{row['called']:,} of {row['pairs']:,} ({row['low']:.1%} to {row['high']:.1%})"
