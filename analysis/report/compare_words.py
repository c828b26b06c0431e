"""What a comparison says, in sentences: what was measured, never where a model came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

CAUTION = (
    "This compares numbers. Norm weights cannot settle whether one model was derived from another: "
    "shared training practice raises a cosine, and retraining can erase a pattern."
)
MOSTLY = 0.9  # share of changed values up to which those that are the same are worth a sentence


@dataclass(frozen=True)
class Sentences:
    """About one norm of the two models."""

    ln_type: str
    lines: tuple[str, ...]


def sentences(rows: Iterable[Mapping[str, Any]]) -> list[Sentences]:
    """One paragraph per norm, from the rows of `sql/figures/compare/words.sql`."""
    return [Sentences(row["ln_type"], tuple(_lines(row))) for row in rows]


def _lines(row: Mapping[str, Any]) -> Iterable[str]:
    layers = row["matched_layers"]
    if row["cosine_mean"] is None:
        yield "The cosine is undefined: a vector of zeros has no direction."
        return
    shares = (
        f"{_figure(row['offset_share_mean'])} of it comes from the means alone, "
        f"{_figure(row['pattern_share_mean'])} from the patterns around them."
    )
    if layers == 1:
        yield f"The cosine is {_figure(row['cosine_mean'])}: {shares}"
    else:
        reach = f"{_figure(row['cosine_min'])} to {_figure(row['cosine_max'])}"
        averages = f"the cosine averages {_figure(row['cosine_mean'])} ({reach})"
        yield f"Over the {layers} layers that both have, {averages}: {shares}"
    if row["judged"] == 0:
        yield "The correlation is undefined: a vector whose values are all the same has no pattern."
        return
    yield _correlation(row)
    if row["mismatched_pairs"] and row["pearson_mismatched_mean"] is not None:
        unequal = f"Unequal layers ({row['mismatched_pairs']} pairs) correlate at"
        yield f"{unequal} {_figure(row['pearson_mismatched_mean'])} on average."
    if row["changed_mean"] is not None and row["changed_mean"] < MOSTLY:
        yield f"{1 - row['changed_mean']:.1%} of the values are the same number in both."


def _correlation(row: Mapping[str, Any]) -> str:
    chance = f"shuffled dimensions would give 0 ± {_figure(row['chance_std'])}"
    if row["judged"] == 1:
        return f"Without the means, the correlation is {_figure(row['pearson_mean'])}; {chance}."
    reach = f"{_figure(row['pearson_min'])} to {_figure(row['pearson_max'])}"
    averages = f"the correlation averages {_figure(row['pearson_mean'])} ({reach})"
    return f"Without the means, {averages}; {chance} in each layer."


def lineage_sentence(row: Mapping[str, Any]) -> str:
    """What the lineage test says of the two; z is that of the norms."""
    z = "" if row["z_eff"] is None else f" (z {row['z_eff']:+.1f}, by {row['statistic_used']})"
    asked = "norms and slices tell" if row.get("slices") else "norms tell"
    return f"Do they share weight history, as far as {asked}? {row['verdict'].capitalize()}{z}."


def _figure(value: float) -> str:
    """Four decimals, and no minus before a zero."""
    return f"{value:z.4f}"
