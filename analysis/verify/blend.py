"""`just blend A B C`: are A's norms a weighted mean of those of B and C? How often is the answer wrong?"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from analysis.lakes import TRAINED_LAKE, announce, find_models, trained_lake
from analysis.rows import about_lake, fetch_dicts, show_json
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import show
from warehouse.errors import UsageError
from warehouse.lake import existing_lake

LIMITS = (
    "The test compares norms only. It does not see a merge that was trained further for long, a sum of task "
    "vectors whose weights do not add up to 1, or layers that were moved; SLERP of very different parents is "
    "nearly a mixture, and its interval does not cover that difference. It has no direction: if A is the "
    "mean of B and C, then B is an extrapolation from A and C."
)
CONTROLS = 5
RELATIVES = """
select distinct model
from (from nearest($one) union all by name from nearest($other))
where verdict = 'share weight history' and model not in ($model, $one, $other) and not identical
order by model
limit $controls
"""
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


@dataclass(frozen=True)
class Blend:
    """What `blend` found, norm by norm as well, and the same question about other relatives of B and C."""

    row: Mapping[str, Any]
    norms: Sequence[Mapping[str, Any]]
    controls: Sequence[Mapping[str, Any]]


def show_blend(model: str, one: str, other: str, lake_name: str | None, *, as_json: bool) -> int:
    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake, caution=False)
        model, one, other = find_models(connection, lake, model, one, other)
        if len({model, one, other}) < 3:
            raise UsageError("a mixture has two parents: name three different models, `just blend A B C`")
        found = compare_blend(connection, model, one, other)
        about = about_lake(connection)
    if as_json:
        show_json({**about, **found.row, "norms": found.norms, "controls": found.controls, "limits": LIMITS})
    else:
        show(*blend_lines(found, about["caution"]))
    return 0


def compare_blend(
    connection: duckdb.DuckDBPyConnection, model: str, one: str, other: str, controls: int = CONTROLS
) -> Blend:
    asked = {"model": model, "one": one, "other": other}
    [row] = fetch_dicts(connection, "from blend($model, $one, $other)", asked)
    norms = fetch_dicts(
        connection,
        "select layer, ln_type, d, weight, standard_error from blend_norms($model, $one, $other)",
        asked,
    )
    relatives = (
        fetch_dicts(connection, RELATIVES, {**asked, "controls": controls})
        if row["explained"] is not None
        else []
    )
    compared = [
        fetch_dicts(connection, "from blend($model, $one, $other)", {**asked, "model": relative["model"]})[0]
        for relative in relatives
    ]
    return Blend(row, norms, [control for control in compared if control["explained"] is not None])


def blend_lines(found: Blend, caution: str | None) -> list[str]:
    """The answer first; then the figures that it rests on."""
    row = found.row
    lines = [f"{row['model']}: {row['verdict']}"]
    if caution:
        lines.append(f"caution: {caution}")
    if row["weight"] is not None:
        singles = (
            f"; single norms {row['least']:.4f} to {row['most']:.4f}" if row["least"] is not None else ""
        )
        lines.append(
            f"weight of {row['model_one']}: {row['weight']:.4f}, 95 % interval {row['weight_low']:.4f} to "
            f"{row['weight_high']:.4f}{singles}"
        )
    if row["explained"] is not None:
        steps = row["residual_steps"]
        lines += [
            f"explained: {row['explained']:.2%} of the squared distance to the nearer of the two, "
            f"{row['explained_by_norm']:.2%} with a weight for each of {row['norms_used']} norms",
            f"residual: {steps:{',.0f' if steps > 10 else '.2f'}} rounding steps of the stored type "
            f"(an exact mean leaves 0.3)",
        ]
    if found.controls:
        count = len(found.controls)
        largest = max(found.controls, key=lambda control: control["explained"])
        lines.append(
            f"controls: of {count} other relative{'s' if count > 1 else ''} at most "
            f"{largest['explained']:.2%} is explained ({largest['model']})"
        )
    return lines


def show_calibration(lake_name: str | None, *, as_json: bool) -> int:
    """1 if a merge was missed or something else was called one."""
    lake = trained_lake() if lake_name in (None, TRAINED_LAKE) else existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake)
        merges = [{**_row(connection, merge), "is_merge": True} for merge in fetch_dicts(connection, MERGES)]
        others = [{**_row(connection, triple), "is_merge": False} for triple in _triples(connection)]
        about = about_lake(connection)
    if as_json:
        show_json({**about, "triples": merges + others})
    else:
        show(*_calibration_lines(merges, others))
    return 1 if _missed(merges) or _false(others) else 0


def _triples(connection: duckdb.DuckDBPyConnection) -> list[dict[str, str]]:
    """Relatives in random order, the same in every run."""
    families = [row["models"] for row in fetch_dicts(connection, FAMILIES)]
    draw = random.Random(0)
    chosen = [draw.sample(draw.choice(families), 3) for _ in range(TRIPLES)] if families else []
    return [{"model": model, "one": one, "other": other} for model, one, other in chosen]


def _row(connection: duckdb.DuckDBPyConnection, asked: Mapping[str, str]) -> dict[str, Any]:
    [row] = fetch_dicts(connection, "from blend($model, $one, $other)", dict(asked))
    return row


def _missed(merges: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [row for row in merges if not _is_called_a_mixture(row) or abs(row["weight"] - 0.5) > TOLERANCE]


def _false(others: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [row for row in others if _is_called_a_mixture(row)]


def _is_called_a_mixture(row: Mapping[str, Any]) -> bool:
    return str(row["verdict"]).startswith("a mixture")


def _calibration_lines(merges: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]) -> list[str]:
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
