"""The report's section on lineage: the pairs of the lake at hand, and how often the test is wrong."""

from __future__ import annotations

from typing import Any

import duckdb

from analysis.lakes import TRAINED_LAKE, trained_lake
from analysis.lineage.calibrate import calibrated, check_bars
from analysis.lineage.pair import compare_pair
from analysis.lineage.real import readme_lines, stored_summary
from analysis.lineage.run import all_pairs
from analysis.lineage.show import LIMITS, pair_object
from analysis.lineage.slices.results import readme_lines as slices_lines
from analysis.lineage.slices.results import stored_results

# The disputed pair, then those whose relation is public; each gets a permutation p-value.
NAMED = (("solar", "glm"), ("glm", "intellect"), ("mistral_7b", "mixtral"), ("yi_6b", "yi_9b"))


def section_values(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """What the template shows."""
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
        "real": [line.removeprefix("- ") for line in readme_lines(stored_summary())],
        "disguised": [line.removeprefix("- ") for line in slices_lines(results)],
        "disguised_seen": results.seen,
    }


def _calibration() -> dict[str, Any]:
    """Error rates on the models of known ancestry, from the shipped files if none were trained here."""
    tables = calibrated(trained_lake())
    null, false, seen = (
        tables[f"calibration_{name}"].to_pylist() for name in ("null", "false_positives", "transformations")
    )
    return {"chance": false, "seen": seen, "bars": check_bars(null, false, seen)}
