"""The charts of the page, in the colours and scales of the report; each says which lake it shows.

Vega-Lite reads a column name as a path (`a.b`, `a[0]`) and Altair as a shorthand (`a:Q`, `count()`), so we
name every column ourselves, and its name in the lake is only a title.
"""

from __future__ import annotations

import altair as alt
import polars as pl

from analysis.explore.page import visible
from analysis.figures.charts.style import CONFIG, INK, MAGNITUDE, SIGNED, label

METRICS = {
    "Pearson correlation (means taken out)": "pearson",
    "cosine": "cosine",
    "offset share (what the means alone give)": "offset_share",
    "z against shuffled dimensions": "permutation_z",
}
SCALES = {
    "pearson": ("±0.1", alt.Scale(scheme=SIGNED, domain=[-0.1, 0.1], clamp=True)),
    "permutation_z": ("±6", alt.Scale(scheme=SIGNED, domain=[-6, 6], clamp=True)),
    "cosine": ("0.9–1", alt.Scale(scheme=MAGNITUDE, domain=[0.9, 1], clamp=True)),
    "offset_share": ("0.9–1", alt.Scale(scheme=MAGNITUDE, domain=[0.9, 1], clamp=True)),
}
"""The same for every pair of models, so that two heatmaps can be compared; values beyond are cropped."""
SIDE = 360
LONGEST_TITLE = 120  # characters


def heatmap(rows: pl.DataFrame, metric: str, models: tuple[str, str], subtitle: str) -> alt.Chart:
    """Every layer of one model against every layer of the other; a click chooses a pair."""
    one, other = map(label, models)
    reach, scale = SCALES[metric]
    axis = alt.Axis(labelOverlap=True, grid=False)
    chart: alt.Chart = (
        alt.Chart(rows, title=_title(f"{one} × {other}: {metric}, cropped to {reach}", subtitle))
        .mark_rect()
        .encode(
            x=alt.X("layer_b:O", title=_text(f"layer of {other}"), axis=axis),
            y=alt.Y("layer_a:O", title=_text(f"layer of {one}"), sort="descending", axis=axis),
            color=alt.Color(f"{metric}:Q", title=metric, scale=scale),
            tooltip=[
                alt.Tooltip(name, format=".4f") if rows[name].dtype.is_float() else alt.Tooltip(name)
                for name in rows.columns
            ],
        )
        .properties(width=SIDE, height=SIDE)
        .configure(**CONFIG)
    )
    return chart


def scatter(rows: pl.DataFrame, names: tuple[str, str], pearson: float | None, subtitle: str) -> alt.Chart:
    """One point per dimension: two copies lie on a line, unrelated models in a cloud."""
    correlation = "undefined" if pearson is None else f"{pearson:.4f}"
    title = _title(f"γ minus its mean, dimension by dimension; Pearson {correlation}", subtitle)
    chart: alt.Chart = (
        alt.Chart(rows, title=title)
        .mark_circle(size=14, opacity=0.45, color=INK)
        .encode(
            x=alt.X("b:Q", title=_text(names[1])),
            y=alt.Y("a:Q", title=_text(names[0])),
            tooltip=["dim", alt.Tooltip("a", format=".5f"), alt.Tooltip("b", format=".5f")],
        )
        .properties(width=SIDE, height=SIDE)
        .configure(**CONFIG)
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
        .mark_circle(size=40, color=INK)
        .encode(x=channel, y=alt.Y("y:Q", title=_text(y)))
        .properties(width=2 * SIDE, height=SIDE // 2)
        .configure(**CONFIG)
    )
    return chart


def _title(text: str, subtitle: str) -> alt.Title:
    return alt.Title(_text(text), subtitle=_text(subtitle))


def _text(text: object) -> str:
    return visible(text, LONGEST_TITLE)
