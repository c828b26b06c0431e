"""A pair, or all pairs: open the lake, say which, test, print."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import Any

import duckdb

from analysis.lakes import announce, find_models
from analysis.lineage.pair import answered, compare_pair
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
from analysis.lineage.slices.results import stored_results
from analysis.rows import about_lake, fetch_dicts, show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import show
from warehouse.errors import UsageError
from warehouse.lake import existing_lake


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
