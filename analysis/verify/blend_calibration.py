"""How often `blend` is wrong: on merges of the zoo, and on relatives that were not merged."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from analysis.lakes import TRAINED_LAKE, announce, trained_lake
from analysis.rows import about_lake, fetch_dicts, show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import show
from warehouse.lake import existing_lake

TRIPLES = 500
TOLERANCE = 0.02
MERGES = """
select
    child as model,
    case when count(*) = 2 then min(parent) else min(parent) || '_ft_long_high' end as one,
    case when count(*) = 2 then max(parent) else min(parent) || '_ft_short_high' end as other
from lineage_truth
where transformation in ('merged_siblings', 'merged_unrelated')
group by child
order by child
"""
FAMILIES = """
select parent, list(child order by child) || [parent] as models
from lineage_truth
where parent is not null and related and transformation not like 'merged%'
group by parent
having count(*) >= 3
order by parent
"""


def show_calibration(lake_name: str | None, *, as_json: bool) -> int:
    """1 if a merge was missed or something else was called one."""
    lake = trained_lake() if lake_name in (None, TRAINED_LAKE) else existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake)
        merges = [
            {**_blend(connection, merge), "is_merge": True} for merge in fetch_dicts(connection, MERGES)
        ]
        others = [{**_blend(connection, triple), "is_merge": False} for triple in _triples(connection)]
        about = about_lake(connection)
    if as_json:
        show_json({**about, "triples": merges + others})
    else:
        show(*_lines(merges, others))
    return 1 if _missed(merges) or _false(others) else 0


def _triples(connection: duckdb.DuckDBPyConnection) -> list[dict[str, str]]:
    """Relatives in random order, the same in every run."""
    families = [row["models"] for row in fetch_dicts(connection, FAMILIES)]
    draw = random.Random(0)
    chosen = [draw.sample(draw.choice(families), 3) for _ in range(TRIPLES)] if families else []
    return [{"model": model, "one": one, "other": other} for model, one, other in chosen]


def _blend(connection: duckdb.DuckDBPyConnection, asked: Mapping[str, str]) -> dict[str, Any]:
    [row] = fetch_dicts(connection, "from blend($model, $one, $other)", dict(asked))
    return row


def _missed(merges: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [row for row in merges if not _is_called_a_mixture(row) or abs(row["weight"] - 0.5) > TOLERANCE]


def _false(others: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [row for row in others if _is_called_a_mixture(row)]


def _is_called_a_mixture(row: Mapping[str, Any]) -> bool:
    return str(row["verdict"]).startswith("a mixture")


def _lines(merges: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]) -> list[str]:
    missed, false = _missed(merges), _false(others)
    worst = max((abs(row["weight"] - 0.5) for row in merges if row["weight"] is not None), default=0.0)
    explained = max((row["explained"] for row in others if row["explained"] is not None), default=0.0)
    unsure = sum(str(row["verdict"]).startswith("cannot tell") for row in others)
    # of no error in n tries, the error rate is below 3/n with 95 % confidence
    bound = (
        f", so that the rate of false answers is below {3 / len(others):.1%}" if others and not false else ""
    )
    return [
        f"merges (means of two models): {len(merges) - len(missed)} of {len(merges)} found; "
        f"largest error of the weight {worst:.2g}",
        f"relatives that are no merges: {len(false)} of {len(others)} called a mixture{bound}",
        f"  cannot tell: {unsure}; at most {explained:.1%} explained (a mixture needs 99%)",
        *(
            f"wrong: {row['model']}, {row['model_one']}, {row['model_other']}: {row['verdict']}"
            for row in [*missed, *false]
        ),
    ]
