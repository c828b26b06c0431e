"""Cosines of many pairs of models beside each other: the critique's experiments 4 and 5."""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import DISPUTED_COLOUR, FULL, INK, METRICS, labelled, tips

DISPUTED = "Solar – GLM"
LOW = 0.88  # where the axis of cosines begins
APART = 1.2  # standard deviations from the mean of its group, from which a pair is named
# kind of mark: words beside it
KEY = {
    DISPUTED: "red square: Solar – GLM",
    "pair": "dot: another pair",
    "mean": "bar: mean of the group; grey: ± standard deviation; diamond: printed mean",
}


def by_chosen_layer(rows: pl.DataFrame) -> alt.VConcatChart:
    """Experiment 4: six pairs of models at six layers."""
    return _spread(rows, "layer", alt.X("layer:O", title="layer", axis=alt.Axis(labelAngle=0)), 0.2)


def by_architecture(rows: pl.DataFrame) -> alt.VConcatChart:
    """Experiment 5: MoE and dense models."""
    kinds = ["MoE with MoE", "MoE with dense", "dense with dense"]
    return _spread(rows, "kind", alt.X("kind:N", sort=kinds, title=None, axis=alt.Axis(labelAngle=0)), 1)


def _spread(rows: pl.DataFrame, group: str, x: alt.X, pearson_end: float) -> alt.VConcatChart:
    """Pairs of models as dots over a group, with mean and spread; below, the same without their means."""
    table = labelled(rows, "model_a", "model_b").with_columns(
        pair=pl.col("model_a") + " – " + pl.col("model_b")
    )
    figures = ["mean", "std", "stated_mean", "stated_std"]
    groups = alt.Chart(table.select(group, *figures).unique(maintain_order=True)).encode(x=x)
    bars = groups.transform_calculate(low="datum.mean - datum.std", high="datum.mean + datum.std")
    spread = bars.mark_rule(strokeWidth=40, color="#E4E4E4").encode(y=_cosine("low"), y2=alt.Y2("high:Q"))
    mean = groups.mark_tick(color=METRICS["cosine"][1], thickness=3, width=60).encode(y=_cosine("mean"))
    stated = groups.mark_point(shape="diamond", size=130, color=INK).encode(
        y=_cosine("stated_mean"), tooltip=tips(f"{group}:N", *map(_exact, figures))
    )
    pairs = _pairs(
        table.select(group, "pair", "cosine", "pearson").sort(pl.col("pair") == DISPUTED), group, x
    )
    # the two pairs farthest from the mean of their group, where they are far
    distance = (pl.col("cosine") - pl.col("mean")).abs()
    far = table.filter(
        distance > APART * pl.col("std"), distance.rank("ordinal", descending=True).over(group) <= 2
    )
    # of several in one place, one
    far = far.with_columns(place=pl.col("cosine").round(3)).unique([group, "place"], maintain_order=True)
    names = (
        alt.Chart(far.select(group, "pair", "cosine"))
        .mark_text(align="left", dx=26, fontSize=10, color=INK)
        .encode(x=x, y=_cosine("cosine"), text="pair:N")
    )
    key = [f"{KEY[DISPUTED]}; {KEY['pair']}, named where it lies apart", KEY["mean"]]
    above = alt.layer(spread, mean, pairs.encode(y=_cosine("cosine")), stated, names).properties(
        width=FULL, height=280, title=key
    )
    signed = alt.Scale(domain=[-pearson_end, pearson_end], clamp=True, nice=False)
    without = pairs.encode(y=alt.Y("pearson:Q", title="Pearson", scale=signed))
    kept = alt.Chart(
        table.filter(pl.col("pearson").abs() > 0.5 * pearson_end).select(group, "pair", "pearson")
    )
    kept_names = kept.mark_text(align="left", dx=10, fontSize=10, color=INK).encode(
        x=x, y=alt.Y("pearson:Q", scale=signed), text="pair:N"
    )
    below = (without + kept_names).properties(
        width=FULL, height=150, title=f"the same pairs without their means, axis ±{pearson_end:g}"
    )
    return alt.vconcat(above, below)


def _pairs(table: pl.DataFrame, group: str, x: alt.X) -> alt.Chart:
    chosen = alt.datum.pair == DISPUTED
    done: alt.Chart = (
        alt.Chart(table)
        .mark_point(size=60, filled=True, opacity=0.8)
        .encode(
            x=x,
            color=alt.when(chosen).then(alt.value(DISPUTED_COLOUR)).otherwise(alt.value("#777777")),
            shape=alt.when(chosen).then(alt.value("square")).otherwise(alt.value("circle")),
            tooltip=tips("pair:N", f"{group}:N", _exact("cosine"), _exact("pearson")),
        )
    )
    return done


def _cosine(column: str) -> alt.Y:
    """An axis that does not begin at 0, and says so."""
    scale = alt.Scale(domain=[LOW, 1], clamp=True, zero=False, nice=False)
    return alt.Y(f"{column}:Q", title=f"cosine (axis from {LOW} to 1)", scale=scale)


def _exact(column: str) -> alt.Tooltip:
    return alt.Tooltip(f"{column}:Q", title=column.replace("_", " "), format=".6~g")
