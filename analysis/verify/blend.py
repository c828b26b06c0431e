"""`just blend A B C`: are A's norms a weighted mean of the norms of B and C?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from analysis.lakes import announce, find_models
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
