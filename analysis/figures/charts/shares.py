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
    RELATED_COLOUR,
    label,
    layer_axis,
    lowest,
    metric_colour,
    metric_names,
    norms,
    pair_names,
    tips,
)
from analysis.figures.figure import CASE, Facts
from analysis.languages import Observed

# on a phone a longer line would make the whole picture smaller
PREDICTED = ("ring: cosine predicted by means", "and standard deviations alone")
REACH = 4  # standard deviations from the middle of a panel to its edge


def measured(rows: pl.DataFrame, narrow: bool = False) -> alt.VConcatChart:
    """Published cosine and Pearson by layer, and what the published means and spreads alone predict."""
    dot, triangle = "dot: cosine, measured", "triangle: correlation (Pearson), measured"
    key = [dot, *PREDICTED, triangle] if narrow else [f"{dot}; {' '.join(PREDICTED)}; {triangle}"]
    scale = alt.Scale(domain=[-0.1, 1.04], nice=False)
    panels: list[alt.LayerChart] = []
    for ln_type, norm in norms(rows).items():
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
        title = norm if panels else [norm, *key]
        place = {"width": NARROW, "height": 150} if narrow else {"width": 640, "height": 170}
        panels.append(drawn.properties(title=title, **place))
    return alt.vconcat(*panels, spacing=10)


def measured_facts(rows: pl.DataFrame) -> Facts:
    gap = rows.select((pl.col("cosine") - pl.col("predicted")).abs().max()).item()
    four = rows.filter(pl.col("layer").is_in([10, 20, 30, 40]), ln_type="input_layernorm")
    by_norm = {norm: rows.filter(ln_type=norm)["pearson"].mean() for norm in rows["ln_type"].unique()}
    return {
        CASE: "predicted" if gap < 0.02 else "figures",
        "norms": rows.height,
        "layers": rows["layer"].n_unique(),
        "gap": gap,
        "cosine": rows["cosine"].mean(),
        "predicted": rows["predicted"].mean(),
        "pearson_input": by_norm.get("input_layernorm"),
        "pearson_post": by_norm.get("post_attention_layernorm"),
        "four": four["cosine"].mean(),
        "four_predicted": four["predicted"].mean(),
        "file": rows["file"][0],
        "commit": rows["commit"][0],
    }


def patterns(rows: pl.DataFrame, narrow: bool = False) -> alt.HConcatChart:
    """Two pairs at one layer; each axis in units of γ, as long as its spread."""
    panels = []
    for kind, colour in (("related", RELATED_COLOUR), ("disputed", DISPUTED_COLOUR)):
        some = rows.filter(kind=kind)
        if not some.is_empty():
            panels.append(_scatter(some, colour, narrow))
    return alt.hconcat(*panels, spacing=14 if narrow else 28)


def patterns_facts(rows: pl.DataFrame) -> Facts:
    values = {
        f"{metric}_{kind}": next(iter(rows.filter(kind=kind)[metric]), None)
        for kind in ("related", "disputed")
        for metric in ("cosine", "pearson")
    }
    related, disputed = values["pearson_related"], values["pearson_disputed"]
    is_plain = related is not None and disputed is not None and related > 0.9 and abs(disputed) < 0.1
    return {
        CASE: "line_and_cloud" if is_plain else "figures",
        "layer": rows["layer"][0],
        "dots": f"{rows.height:,}",
        "beyond": rows.filter(~inside()).height,
        **values,
    }


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
    return (dots + line).properties(width=size, height=size, title=title)


KEY = "ring: predicted by means and standard deviations alone; dot: observed"
NEAR = 0.01  # of a cosine; a pair farther from its prediction is named


def predicted(rows: pl.DataFrame, narrow: bool = False) -> alt.VConcatChart:
    """A ring for what the means alone give, a dot for what is observed, pair by pair."""
    apart = pl.col("cosine") - pl.col("offset_share") > NEAR
    table = rows.select(
        "offset_share",
        "cosine",
        "pearson",
        pair=pl.when("is_disputed").then(pl.lit("Solar–GLM")).otherwise(pl.Series(pair_names(rows))),
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
        title=[*PREDICTED, "dot: cosine, observed"] if narrow else KEY,
    )
    return alt.vconcat(drawn)


def predicted_facts(rows: pl.DataFrame) -> Facts:
    disputed = rows.filter("is_disputed")
    gap = pl.col("cosine") - pl.col("offset_share")
    above = rows.filter(gap > NEAR).sort(gap, descending=True)
    return {
        CASE: "disputed_within" if disputed.height else "without",
        "predicted": disputed["offset_share"][0] if disputed.height else None,
        "cosine": disputed["cosine"][0] if disputed.height else None,
        "pairs": rows.height,
        "near": rows.filter(gap.abs() <= NEAR).height,
        "above": ", ".join(pair_names(above)) or "–",
    }


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


def decomposition_facts(rows: pl.DataFrame) -> Facts:
    once = rows.filter(part="pattern")
    related, disputed = (
        once.filter(model_a=a, model_b=b)["pearson"].mean()
        for a, b in (("glm", "intellect"), ("solar", "glm"))
    )
    return {"related": related, "disputed": disputed}
