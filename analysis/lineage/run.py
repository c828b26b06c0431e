"""A pair, or all pairs, for the terminal; and the section on lineage of the report."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import Any

import duckdb

from analysis.lakes import TRAINED_LAKE, announce, find_models, trained_lake
from analysis.lineage.calibrate import calibrated, check_bars
from analysis.lineage.pair import answered, compare_pair
from analysis.lineage.real import report_lines, stored_summary
from analysis.lineage.show import (
    BY_NORMS,
    LIMITS,
    LIMITS_WITH_SLICES,
    TIERS,
    answer_lines,
    matrix_lines,
    pair_lines,
    pair_object,
)
from analysis.lineage.slices.results import report_lines as slices_lines
from analysis.lineage.slices.results import stored_results
from analysis.rows import about_lake, fetch_dicts, show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import show
from warehouse.errors import UsageError
from warehouse.lake import existing_lake

# The disputed pair, then those whose relation is public; each gets a permutation p-value.
NAMED = (("solar", "glm"), ("glm", "intellect"), ("mistral_7b", "mixtral"), ("yi_6b", "yi_9b"))


def show_pair(
    one: str,
    other: str,
    lake_name: str | None,
    permutations: int,
    seed: int,
    *,
    as_json: bool = False,
    details: bool = False,
) -> int:
    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake, caution=False)
        one, other = find_models(connection, lake, one, other)
        if one == other:
            raise UsageError(f"{one!r} twice: a model shares all its history with itself; name two models")
        if permutations < 1:
            raise UsageError(f"--permutations {permutations}: at least 1 is needed for a p-value")
        if as_json or details:
            pair = compare_pair(connection, one, other, permutations, seed)
        else:
            pair = answered(connection, one, other)
        about = about_lake(connection)
    if as_json:
        limits = LIMITS_WITH_SLICES if pair.slices else LIMITS
        show_json({**about, "pair": pair_object(pair), "limits": limits, "tiers": TIERS})
    elif not details:
        show(*answer_lines(pair, about["caution"]))
    else:
        strangers = stored_results().largest("share") if pair.slices else None
        show(*pair_lines(pair, about["caution"], strangers))
    return 0


def show_matrix(lake_name: str | None, *, as_json: bool = False, details: bool = False) -> int:
    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake, caution=False)
        rows = all_pairs(connection)
        about = about_lake(connection)
    if not rows:
        raise UsageError(
            f"lake {lake.name!r} has no two models: `just ingest … --lake {quote(lake.name)}` brings more"
        )
    if as_json:
        show_json({**about, "pairs": rows, "by": BY_NORMS, "limits": LIMITS})
    else:
        show(*matrix_lines(rows, about["caution"], details=details))
    return 0


def all_pairs(
    connection: duckdb.DuckDBPyConnection, among: Sequence[str] | None = None
) -> list[dict[str, Any]]:
    """Of the lake, or among some of its models."""
    if among is None:
        return fetch_dicts(connection, "from lineage_matrix order by model_a, model_b")
    query = "from lineage_pairs(among := $among) order by model_a, model_b"
    return fetch_dicts(connection, query, {"among": list(among)})


def section_values(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """What the report shows: the pairs of the lake at hand, and how often the test is wrong."""
    models = {model for (model,) in connection.sql("select model from models").fetchall()}
    [(shown,)] = connection.sql("select coalesce(list(model), []) from _shown_models").fetchall()
    [(lake, caution)] = connection.sql("select lake, caution from lake").fetchall()
    # All pairs of some 200 small models are what the calibration below sums up.
    pairs = all_pairs(connection, shown) if lake != TRAINED_LAKE else []
    decided = [row for row in pairs if row["z_eff"] is not None]
    results = stored_results()
    return {
        "caution": caution,
        "named": [pair_object(compare_pair(connection, *pair)) for pair in NAMED if models.issuperset(pair)],
        "pairs": sorted(decided, key=lambda row: -row["z_eff"]),
        "undecided": len(pairs) - len(decided),
        "left_out": len(models) - len(shown),
        "limits": LIMITS,
        **_calibration(),
        "real": [line.removeprefix("- ") for line in report_lines(stored_summary())],
        "disguised": [line.removeprefix("- ") for line in slices_lines(results)],
        "disguised_seen": results.seen,
    }


def _calibration() -> dict[str, Any]:
    """Error rates on the models of known ancestry, from the shipped files if none were trained here."""
    tables = calibrated(trained_lake())
    chance, seen = (
        tables[f"calibration_{name}"].to_pylist() for name in ("false_positives", "transformations")
    )
    return {"chance": chance, "seen": seen, "bars": check_bars(tables)}
