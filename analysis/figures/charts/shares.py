"""The two parts of a cosine: what the means alone give, and the pattern that is left without them."""

from __future__ import annotations

from analysis.figures.charts import alt, pl
from analysis.figures.charts.style import (
    BAND,
    DISPUTED_COLOUR,
    FULL,
    HALF,
    INK,
    METRICS,
    NARROW,
    NORMS,
    RELATED_COLOUR,
    label,
    layer_axis,
    lowest,
    metric_colour,
    metric_names,
    tips,
)
from analysis.languages import Observed

REACH = 4  # standard deviations from the middle of a panel to its edge


def measured(rows: pl.DataFrame, narrow: bool = False) -> alt.VConcatChart:
    """Published cosine and Pearson by layer, and what the published means and spreads alone predict."""
    key = [
        "dot: cosine, measured",
        "ring: cosine predicted by means and standard deviations alone",
        "triangle: correlation (Pearson), measured",
    ]
    scale = alt.Scale(domain=[-0.1, 1.04], nice=False)
    panels: list[alt.LayerChart] = []
    for ln_type in [kind for kind in NORMS if kind in rows["ln_type"]]:
        some = rows.filter(ln_type=ln_type).select("layer", "cosine", "predicted", "pearson", "pearson_band")
        base = alt.Chart(some).encode(x=layer_axis())
        band = base.transform_calculate(low="-datum.pearson_band").mark_area(color=BAND)
        drawn = band.encode(y=alt.Y("low:Q", title=None), y2="pearson_band:Q")
        for column, hue, shape, size in (
            ("predicted", DISPUTED_COLOUR, "circle", 75 if narrow else 110),
            ("cosine", METRICS["cosine"][1], "circle", 12 if narrow else 26),
            ("pearson", METRICS["pearson"][1], "triangle-up", 16 if narrow else 30),
        ):
            marks = base.mark_point(
                filled=column != "predicted", size=size, shape=shape, color=hue, strokeWidth=1.3
            )
            tooltip = tips("layer:Q", alt.Tooltip(f"{column}:Q", format=".6f"))
            drawn += marks.encode(y=alt.Y(f"{column}:Q", title=None, scale=scale), tooltip=tooltip)
        title = NORMS[ln_type] if panels else [NORMS[ln_type], *(key if narrow else ["; ".join(key)])]
        place = {"width": NARROW, "height": 150} if narrow else {"width": 640, "height": 170}
        panels.append(drawn.properties(title=title, **place))
    return alt.vconcat(*panels, spacing=10)


def patterns(rows: pl.DataFrame, narrow: bool = False) -> alt.HConcatChart:
    """Two pairs at one layer; each axis in units of γ, as long as its spread."""
    panels = []
    for kind, colour in (("related", RELATED_COLOUR), ("disputed", DISPUTED_COLOUR)):
        some = rows.filter(kind=kind)
        if not some.is_empty():
            panels.append(_scatter(some, colour, narrow))
    return alt.hconcat(*panels, spacing=14 if narrow else 28)


def inside() -> pl.Expr:
    """Whether a dimension lies within a panel."""
    return (pl.col("a").abs() <= REACH * pl.col("std_a")) & (pl.col("b").abs() <= REACH * pl.col("std_b"))


def _scatter(rows: pl.DataFrame, colour: str, narrow: bool) -> alt.LayerChart:
    size = 120 if narrow else 400
    first = rows.row(0, named=True)
    names = label(first["model_a"]), label(first["model_b"])
    ends = {side: REACH * first[f"std_{side}"] for side in "ab"}
    ticks = alt.Axis(tickCount=3 if narrow else 5, grid=False, labelFontSize=9 if narrow else 11)
    x = alt.X(
        "a:Q",
        title=f"{names[0]}: γ − mean",
        scale=alt.Scale(domain=[-ends["a"], ends["a"]], nice=False),
        axis=ticks,
    )
    y = alt.Y(
        "b:Q",
        title=f"{names[1]}: γ − mean",
        scale=alt.Scale(domain=[-ends["b"], ends["b"]], nice=False),
        axis=ticks.copy(),
    )
    dots = (
        alt.Chart(rows.filter(inside()).select(pl.col("dim", "a", "b").implode()))
        .transform_flatten(["dim", "a", "b"])
        .mark_circle(size=5 if narrow else 9, opacity=0.55, color=colour)
        .encode(x=x, y=y, tooltip=tips("dim:Q", "a:Q", "b:Q"))
    )
    corner = pl.DataFrame({"a": [-ends["a"]], "b": [-ends["b"]], "a2": [ends["a"]], "b2": [ends["b"]]})
    line = (
        alt.Chart(corner)
        .mark_rule(color=INK, strokeDash=[4, 4], strokeWidth=0.8)
        .encode(x=x, y=y, x2="a2:Q", y2="b2:Q")
    )
    metrics = [f"cosine {first['cosine']:.3f}", f"Pearson {first['pearson']:.3f}".replace("-", "−")]
    title = alt.TitleParams(
        " × ".join(names),
        subtitle=metrics if narrow else " · ".join(metrics),
        fontSize=12 if narrow else 15,
        fontWeight="bold",
        subtitleFontSize=12 if narrow else 15,
        subtitleColor=colour,
        subtitlePadding=4,
    )
    done: alt.LayerChart = (dots + line).properties(width=size, height=size, title=title)
    return done


NEAR = 0.01  # of a cosine; a pair farther from its prediction is named


def predicted(rows: pl.DataFrame, narrow: bool = False) -> alt.VConcatChart:
    """A ring for what the means alone give, a dot for what is observed, pair by pair."""
    apart = pl.col("cosine") - pl.col("offset_share") > NEAR
    pair = pl.struct("model_a", "model_b").map_elements(
        lambda both: f"{label(both['model_a'])}–{label(both['model_b'])}", return_dtype=pl.String
    )
    table = rows.select(
        "offset_share",
        "cosine",
        "pearson",
        pair=pl.when("is_disputed").then(pl.lit("Solar–GLM")).otherwise(pair),
        place=pl.int_range(pl.len()),
        kind=pl.when("is_disputed")
        .then(pl.lit("disputed"))
        .when(apart)
        .then(pl.lit("apart"))
        .otherwise(pl.lit("")),
    )
    bottom = min(0.9, lowest(pl.concat([table["cosine"], table["offset_share"]])))
    scale = alt.Scale(domain=[int(bottom * 20) / 20, 1.005], nice=False)
    x = alt.X("place:Q", axis=None, scale=alt.Scale(domain=[-1, rows.height], nice=False))
    colour = (
        alt.when(alt.datum.kind == "disputed")
        .then(alt.value(DISPUTED_COLOUR))
        .when(alt.datum.kind == "apart")
        .then(alt.value(RELATED_COLOUR))
        .otherwise(alt.value("#777777"))
    )
    base = alt.Chart(table).encode(x=x, color=colour)
    y = alt.Y("cosine:Q", title="mean cosine", scale=scale, axis=alt.Axis(tickCount=5))
    marked = base.transform_filter("datum.kind == 'disputed'")
    column = marked.mark_rule(strokeWidth=8 if narrow else 16, opacity=0.15)
    gap = base.mark_rule(strokeWidth=1.5).encode(y=y, y2="offset_share:Q")
    rings = base.mark_point(size=26 if narrow else 60, strokeWidth=1.2).encode(
        y=alt.Y("offset_share:Q", scale=scale)
    )
    dots = base.mark_circle(size=12 if narrow else 26, opacity=1).encode(
        y=y,
        tooltip=tips(
            "pair:N",
            alt.Tooltip("offset_share:Q", title="predicted by the means", format=".4f"),
            alt.Tooltip("cosine:Q", title="observed", format=".4f"),
            alt.Tooltip("pearson:Q", format=".4f"),
        ),
    )
    size = 10 if narrow else 12
    room = rows.height * (0.62 if narrow else 0.8)  # beyond this, a name goes to the left of its dot
    words = base.encode(y=y, text="pair:N")
    names = []
    for kind, down in (("disputed", 26), ("apart", 4)):
        # on a phone there is room for the names of the argument only
        named = " && indexof(datum.pair, 'GLM') >= 0" if narrow else ""
        some = words.transform_filter(f"datum.kind == '{kind}'{named}")
        left = some.transform_filter(f"datum.place < {room}")
        right = some.transform_filter(f"datum.place >= {room}")
        names.append(left.mark_text(fontSize=size, fontWeight="bold", align="left", dx=8, dy=down))
        names.append(right.mark_text(fontSize=size, fontWeight="bold", align="right", dx=-8, dy=down))
    drawn = alt.layer(column, gap, rings, dots, *names).properties(
        width=NARROW if narrow else FULL,
        height=130 if narrow else 150,
        title="ring: predicted by means and standard deviations alone; dot: observed",
    )
    return alt.vconcat(drawn)


def decomposition(rows: pl.DataFrame) -> alt.ConcatChart:
    """Each cosine as the sum of its two parts, the offset share at the bottom."""
    only = rows["panel"].n_unique() == 1
    width = FULL if only else HALF
    panels = []
    for _, pair in rows.group_by("panel", maintain_order=True):
        table = pair.select("layer", "part", "share", "cosine", above=pl.col("part") == "pattern")
        bars = (
            alt.Chart(metric_names(table, "part"))
            .mark_bar(width=13 if only else 7)
            .encode(
                x=layer_axis(),
                y=alt.Y("share:Q", title="cosine", scale=alt.Scale(domain=[-0.1, 1], nice=False, clamp=True)),
                order="above:O",
                color=metric_colour(["offset", "pattern"], "part"),
                tooltip=tips(
                    "layer:Q",
                    "part:N",
                    alt.Tooltip("share:Q", format=".6f"),
                    alt.Tooltip("cosine:Q", format=".6f"),
                ),
            )
        )
        mean = Observed(pair.filter(part="pattern").select(pl.mean("pearson")).item())
        title = [
            f"{label(pair['model_a'][0])} × {label(pair['model_b'][0])}",
            f"the pattern fills {mean:.1%} of what the means leave open",
        ]
        panels.append(bars.properties(title=title, width=width, height=150))
    return alt.concat(*panels, columns=2, spacing=28)
