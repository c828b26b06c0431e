"""The report's section on lineage: the pairs of the lake at hand, and how often the test is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb

from analysis.lakes import TRAINED_LAKE, trained_lake
from analysis.lineage.calibrate import calibrated, check_bars
from analysis.lineage.pair import MATRIX_PERMUTATIONS, Pair, compare_pair
from analysis.lineage.run import compare_all
from analysis.lineage.show import LIMITS

# The disputed pair, then those whose relation is public; each gets a permutation p-value.
NAMED = (("solar", "glm"), ("glm", "intellect"), ("mistral_7b", "mixtral"), ("yi_6b", "yi_9b"))


def section_values(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """What the template shows."""
    models = {model for (model,) in connection.sql("select model from models").fetchall()}
    [(lake, caution)] = connection.sql("select lake, caution from lake").fetchall()
    named = [
        compare_pair(connection, *pair, mapped_permutations=MATRIX_PERMUTATIONS)
        for pair in NAMED
        if models.issuperset(pair)
    ]
    # All pairs of 168 small models are what the calibration below sums up.
    pairs = compare_all(connection) if lake != TRAINED_LAKE else []
    return {
        "caution": caution,
        "named": [_shown(pair) for pair in named],
        "pairs": [_shown(pair) for pair in sorted(pairs, key=lambda pair: -(pair.z or -1e9)) if pair.z],
        "undecided": sum(pair.z is None for pair in pairs),
        "limits": LIMITS,
        **_calibration(),
    }


def _shown(pair: Pair) -> Mapping[str, Any]:
    permuted = pair.mapped or pair.matched
    return {**pair.row, "z": pair.z, "p": permuted.p if permuted else None, "verdict": pair.verdict}


def _calibration() -> dict[str, Any]:
    """Error rates on the models of known ancestry, from the shipped files if none were trained here."""
    tables = calibrated(trained_lake())
    null, false, seen = (
        tables[f"calibration_{name}"].to_pylist() for name in ("null", "false_positives", "transformations")
    )
    return {"chance": false, "seen": seen, "bars": check_bars(null, false, seen)}
