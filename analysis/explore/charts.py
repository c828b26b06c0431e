"""The charts of the page; each says which lake it reads.

Vega-Lite reads a column name as a path (`a.b`, `a[0]`) and Altair as a shorthand (`a:Q`, `count()`), so every
column has a name of ours, and what it is called in the lake is only a title.
"""

from __future__ import annotations

import altair as alt
import polars as pl

from analysis.explore.page import visible

METRICS = {
    "Pearson correlation (means taken out)": "pearson",
    "cosine": "cosine",
    "offset share (what the means alone give)": "offset_share",
    "z against shuffled dimensions": "permutation_z",
}
SIDE = 360
AT_LEAST = {"pearson": 0.2, "permutation_z": 5.0}
"""What full colour means at least."""
LONGEST_TITLE = 120  # characters


def heatmap(rows: pl.DataFrame, metric: str, models: tuple[str, str], subtitle: str) -> alt.Chart:
    """Every layer of one model against every layer of the other; a click chooses a pair."""
    chart: alt.Chart = (
        alt.Chart(rows, title=_title(f"{models[0]} × {models[1]}: {metric}", subtitle))
        .mark_rect()
        .encode(
            x=alt.X("layer_b:O", title=_text(f"layer of {models[1]}"), axis=alt.Axis(labelOverlap=True)),
            y=alt.Y("layer_a:O", title=_text(f"layer of {models[0]}"), axis=alt.Axis(labelOverlap=True)),
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
    title = _title(f"γ minus its mean, dimension by dimension; Pearson {correlation}", subtitle)
    chart: alt.Chart = (
        alt.Chart(rows, title=title)
        .mark_circle(size=14, opacity=0.45)
        .encode(
            x=alt.X("b:Q", title=_text(names[1])),
            y=alt.Y("a:Q", title=_text(names[0])),
            tooltip=["dim", alt.Tooltip("a", format=".5f"), alt.Tooltip("b", format=".5f")],
        )
        .properties(width=SIDE, height=SIDE)
    )
    return chart


def own_chart(rows: pl.DataFrame, x: str, y: str, subtitle: str) -> alt.Chart:
    """Two columns of an own query, the second of numbers."""
    kind = rows.schema[x]
    if kind.is_numeric():
        across, channel = pl.col(x).cast(pl.Float64), alt.X("x:Q", title=_text(x))
    elif kind in (pl.Date, pl.Datetime):
        across, channel = pl.col(x), alt.X("x:T", title=_text(x))
    else:
        texts = [None if value is None else _text(value) for value in rows[x]]
        across = pl.lit(pl.Series(texts, dtype=pl.String))
        channel = alt.X("x:N", title=_text(x))
    drawn = rows.select(across.alias("x"), pl.col(y).cast(pl.Float64).alias("y"))
    chart: alt.Chart = (
        alt.Chart(drawn, title=_title(f"{y} by {x}", subtitle))
        .mark_circle(size=40)
        .encode(x=channel, y=alt.Y("y:Q", title=_text(y)))
        .properties(width=2 * SIDE, height=SIDE // 2)
    )
    return chart


def _title(text: str, subtitle: str) -> alt.Title:
    return alt.Title(_text(text), subtitle=_text(subtitle))


def _text(text: object) -> str:
    return visible(text, LONGEST_TITLE)


def _scale(values: pl.Series, metric: str) -> alt.Scale:
    """Around 0 where both signs mean something, and never so narrow that chance looks strong."""
    if metric in AT_LEAST:
        most = max([abs(value) for value in values.drop_nulls().to_list()] + [AT_LEAST[metric]])
        return alt.Scale(scheme="blueorange", domain=[-most, most], reverse=True)
    return alt.Scale(scheme="viridis", zero=False)
