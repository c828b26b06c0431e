"""The charts of the page; each says which lake it reads."""

from __future__ import annotations

import altair as alt
import polars as pl

METRICS = {
    "Pearson correlation (means taken out)": "pearson",
    "cosine": "cosine",
    "offset share (what the means alone give)": "offset_share",
    "z against shuffled dimensions": "permutation_z",
}
SIDE = 360
AT_LEAST = {"pearson": 0.2, "permutation_z": 5.0}
"""What full colour means at least."""


def heatmap(rows: pl.DataFrame, metric: str, models: tuple[str, str], subtitle: str) -> alt.Chart:
    """Every layer of one model against every layer of the other; a click chooses a pair."""
    chart: alt.Chart = (
        alt.Chart(rows, title=alt.Title(f"{models[0]} × {models[1]}: {metric}", subtitle=subtitle))
        .mark_rect()
        .encode(
            x=alt.X("layer_b:O", title=f"layer of {models[1]}", axis=alt.Axis(labelOverlap=True)),
            y=alt.Y("layer_a:O", title=f"layer of {models[0]}", axis=alt.Axis(labelOverlap=True)),
            color=alt.Color(f"{metric}:Q", title=metric, scale=_scale(rows[metric], metric)),
            tooltip=[
                alt.Tooltip(name, format=".4f") if rows[name].dtype.is_float() else alt.Tooltip(name)
                for name in rows.columns
            ],
        )
        .properties(width=SIDE, height=SIDE)
    )
    return chart


def scatter(rows: pl.DataFrame, names: tuple[str, str], pearson: float | None, subtitle: str) -> alt.Chart:
    """One point a dimension; two copies lie on a line, two strangers in a cloud."""
    correlation = "undefined" if pearson is None else f"{pearson:.4f}"
    title = alt.Title(f"γ minus its mean, dimension by dimension; Pearson {correlation}", subtitle=subtitle)
    chart: alt.Chart = (
        alt.Chart(rows, title=title)
        .mark_circle(size=14, opacity=0.45)
        .encode(
            x=alt.X("b:Q", title=names[1]),
            y=alt.Y("a:Q", title=names[0]),
            tooltip=["dim", alt.Tooltip("a", format=".5f"), alt.Tooltip("b", format=".5f")],
        )
        .properties(width=SIDE, height=SIDE)
    )
    return chart


def own_chart(rows: pl.DataFrame, x: str, y: str, subtitle: str) -> alt.Chart:
    """Two columns of an own query."""
    chart: alt.Chart = (
        alt.Chart(rows, title=alt.Title(f"{y} by {x}", subtitle=subtitle))
        .mark_circle(size=40)
        .encode(x=alt.X(x), y=alt.Y(y))
        .properties(width=2 * SIDE, height=SIDE // 2)
    )
    return chart


def _scale(values: pl.Series, metric: str) -> alt.Scale:
    """Around 0 where both signs mean something, and never so narrow that chance looks strong."""
    if metric in AT_LEAST:
        most = max([abs(value) for value in values.drop_nulls().to_list()] + [AT_LEAST[metric]])
        return alt.Scale(scheme="blueorange", domain=[-most, most], reverse=True)
    return alt.Scale(scheme="viridis", zero=False)
