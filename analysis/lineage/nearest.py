"""`just nearest MODEL`: which models of a lake share weight history with one, as far as their norms tell.

Sketches choose whom to compare (`nearest` in SQL); with `--all` every model is compared, in portions, so that
memory does not grow with the lake. Either way the answer about a pair is the lineage test's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from analysis.lakes import announce, find_models
from analysis.lineage.show import LIMITS, nearest_lines, wrapped
from analysis.rows import about_lake, fetch_dicts, show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import remark, show
from warehouse.lake import existing_lake

# Models compared at once with --all: 2,000 of 65 norms, 512 wide, are 0.3 GB of ranks.
PORTION = 2_000

# The first so many are told with what their weights are like, as `nearest` does.
WEIGHED = 20
UNWEIGHED = {"pearson_mean": None, "cosine_mean": None}

COLUMNS = (
    *("rank", "model", "z_eff", "verdict", "norms_used", "pearson_mean", "cosine_mean", "k_eff", "p"),
    *("by_chance", "statistic_used", "identical", "z_sketch", "searched", "further"),
)
COMPARED = """
select
    model_b as model, z_eff, verdict, norms_used, k_eff, p, statistic_used,
    expected_false_matches(p, z_weights, z_biases, $searched) as by_chance
from lineage_verdicts(among := $among, around := $model)
"""
ALIKE = """
select model_b as model, pearson_mean, cosine_mean
from lineage_weight_similarity(among := $among, around := $model)
"""

SHOWN_DUPLICATES = 5

MISSED = (
    "Sketches chose whom to compare, one bit a dimension: a relative that keeps little of the pattern, or "
    "keeps it in few layers or in biases only, may be missing. `--all` compares every model."
)

# Once in a hundred such searches chance finds one: from here on the answer says so.
LIKELY_BY_CHANCE = 0.01
BY_CHANCE = (
    "{searched:,} models were searched: among so many, {by_chance:.2g} without relation are expected to "
    "stand as high as {model} by chance. Ask about it by slices, too, before you rely on it."
)

FURTHER = (
    "{:,} more models were not compared, though by their sketches they stand as far from chance as relatives "
    "do (5 standard deviations or more)."
)

Row = Mapping[str, Any]


def show_nearest(
    model: str, lake_name: str | None, *, everyone: bool, as_json: bool, details: bool = False
) -> int:
    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake, caution=False)
        [model] = find_models(connection, lake, model)
        rows = compare_all(connection, model) if everyone else compare_likely(connection, model)
        about = about_lake(connection)
        same = fetch_dicts(connection, "from same_norms($model) where not is_stored", {"model": model})
    if as_json:
        show_json({**about, "model": model, "nearest": rows, "duplicates": same, "limits": LIMITS})
    else:
        show(*lines(model, rows, about["caution"], everyone=everyone, same=same, details=details))
    return 0


def compare_likely(connection: duckdb.DuckDBPyConnection, model: str) -> list[dict[str, Any]]:
    return fetch_dicts(connection, "from nearest($model)", {"model": model})


def compare_all(connection: duckdb.DuckDBPyConnection, model: str) -> list[dict[str, Any]]:
    """The rows of `nearest` for every other model."""
    sketched = fetch_dicts(connection, "from sketched($model) order by model", {"model": model})
    searched = sum(row["z_sketch"] is not None for row in sketched)
    found = []
    for begin in range(0, len(sketched), PORTION):
        portion = {row["model"]: row for row in sketched[begin : begin + PORTION]}
        asked = {"among": [model, *portion], "model": model, "searched": searched}
        rows = fetch_dicts(connection, COMPARED, asked)
        found += [{**row, **portion[row["model"]]} for row in rows]
        if len(sketched) > PORTION:
            remark(f"{min(begin + PORTION, len(sketched)):,} of {len(sketched):,} compared")
    ordered = sorted(found, key=_place)
    first = [model, *(row["model"] for row in ordered[:WEIGHED])]
    alike = {row["model"]: row for row in fetch_dicts(connection, ALIKE, {"among": first, "model": model})}
    found = [
        {
            **row,
            **alike.get(row["model"], UNWEIGHED),
            "rank": None if row["z_eff"] is None else rank,
            "searched": searched,
            "further": 0,
        }
        for rank, row in enumerate(ordered, start=1)
    ]
    return [{name: row[name] for name in COLUMNS} for row in found]


def _place(row: Row) -> tuple[object, ...]:
    """As `nearest` orders its rows."""
    z, z_sketch = row["z_eff"], row["z_sketch"]
    return z is None, not row["identical"], -(z or 0), z_sketch is None, -(z_sketch or 0), row["model"]


def lines(
    model: str,
    rows: Sequence[Row],
    caution: str | None,
    *,
    everyone: bool,
    same: Sequence[Row] = (),
    details: bool = False,
) -> list[str]:
    told = [
        {**row, "verdict": f"identical norms; {row['verdict']}"} if row["identical"] else row for row in rows
    ]
    further = rows[0]["further"] if rows else 0
    return [
        *nearest_lines(model, told, caution, details=details),
        *(wrapped(_duplicates(model, same)) if same else []),
        *(wrapped(BY_CHANCE.format(**weakest)) if (weakest := _weakest(rows)) else []),
        *(wrapped(FURTHER.format(further)) if further else []),
        *(wrapped(MISSED) if details and not everyone else []),
    ]


def _weakest(rows: Sequence[Row]) -> Row | None:
    """The relative that chance explains best, if it does at all."""
    relatives = [row for row in rows if str(row["verdict"]).startswith("share weight history")]
    found = max(relatives, key=lambda row: row["by_chance"], default=None)
    return found if found and found["by_chance"] >= LIKELY_BY_CHANCE else None


def _duplicates(model: str, same: Sequence[Row]) -> str:
    named = ", ".join(row["repo"] for row in same[:SHOWN_DUPLICATES])
    quoted = "'" + model.replace("'", "''") + "'"
    more = f" and {len(same) - SHOWN_DUPLICATES:,} more" if len(same) > SHOWN_DUPLICATES else ""
    return (
        f"Exactly the norms of {model}, and not stored a second time: {named}{more} "
        f"(`from same_norms({quoted})`)."
    )
