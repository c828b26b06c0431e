"""`just nearest MODEL`: which models of a lake share weight history with one, as far as their norms tell.

Sketches choose whom to compare (`nearest` in SQL); with `--all` every model is compared, in portions, so that
memory does not grow with the lake. Either way the answer about a pair is the lineage test's.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from analysis.json_text import json_text
from analysis.lakes import announce, check_models
from analysis.lineage.show import LIMITS, nearest_lines, wrapped
from analysis.rows import about_lake, records
from warehouse.catalog import open_catalog
from warehouse.errors import plain_lines
from warehouse.lake import existing_lake

# Models compared at once with --all: 2,000 of 65 norms, 512 wide, are 0.3 GB of ranks.
PORTION = 2_000

SHOWN_DUPLICATES = 5

MISSED = (
    "Sketches chose whom to compare, one bit a dimension: a relative that keeps little of the pattern, or "
    "keeps it in few layers or in biases only, may be missing. `--all` compares every model."
)

FURTHER = (
    "{:,} more models were not compared, though by their sketches they stand as far from chance as relatives "
    "do (5 standard deviations or more)."
)

Row = Mapping[str, Any]


def show_nearest(model: str, lake_name: str | None, *, everyone: bool, as_json: bool) -> int:
    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake)
        check_models(connection, lake, model)
        rows = compare_all(connection, model) if everyone else compare_likely(connection, model)
        about = about_lake(connection)
        same = records(connection, "from same_norms($model) where not is_stored", {"model": model})
    if as_json:
        told = {**about, "model": model, "nearest": rows, "duplicates": same, "limits": LIMITS}
        print(json_text(told, indent=2))
    else:
        print(plain_lines("\n".join(lines(model, rows, about["caution"], everyone=everyone, same=same))))
    return 0


def compare_likely(connection: duckdb.DuckDBPyConnection, model: str) -> list[dict[str, Any]]:
    return records(connection, "from nearest($model)", {"model": model})


def compare_all(connection: duckdb.DuckDBPyConnection, model: str) -> list[dict[str, Any]]:
    """The rows of `nearest` for every other model."""
    sketched = records(connection, "from sketched($model) order by model", {"model": model})
    found = []
    for begin in range(0, len(sketched), PORTION):
        portion = {row["model"]: row for row in sketched[begin : begin + PORTION]}
        rows = records(
            connection,
            "from lineage_pairs(among := $among, around := $model)",
            {"among": [model, *portion], "model": model},
        )
        found += [told(row, portion[row["model_b"]]) for row in rows]
        if len(sketched) > PORTION:
            print(f"{min(begin + PORTION, len(sketched)):,} of {len(sketched):,} compared", file=sys.stderr)
    return ranked(found)


def told(pair: Row, sketched: Row) -> dict[str, Any]:
    """A row of `nearest`, from what the lineage test and the sketches say."""
    names = (
        *("norms_used", "pearson_mean", "cosine_mean", "k_eff", "z_eff", "p", "statistic_used", "verdict"),
    )
    return {**{name: pair[name] for name in names}, **sketched, "further": 0}


def ranked(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """As `nearest` orders them."""
    ordered = sorted(
        rows, key=lambda row: (row["z_eff"] is None, not row["identical"], -(row["z_eff"] or 0), row["model"])
    )
    return [
        {"rank": None if row["z_eff"] is None else rank, **row} for rank, row in enumerate(ordered, start=1)
    ]


def lines(
    model: str, rows: Sequence[Row], caution: str | None, *, everyone: bool, same: Sequence[Row] = ()
) -> list[str]:
    told = [
        {**row, "verdict": f"identical norms; {row['verdict']}"} if row["identical"] else row for row in rows
    ]
    further = rows[0]["further"] if rows else 0
    return [
        *nearest_lines(model, told, caution),
        *(wrapped(_duplicates(model, same)) if same else []),
        *(wrapped(FURTHER.format(further)) if further else []),
        *([] if everyone else wrapped(MISSED)),
    ]


def _duplicates(model: str, same: Sequence[Row]) -> str:
    named = ", ".join(row["repo"] for row in same[:SHOWN_DUPLICATES])
    more = f" and {len(same) - SHOWN_DUPLICATES:,} more" if len(same) > SHOWN_DUPLICATES else ""
    return (
        f"Exactly the norms of {model}, and not stored a second time: {named}{more} "
        f"(`from same_norms('{model}')`)."
    )
