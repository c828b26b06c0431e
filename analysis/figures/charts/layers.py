"""What changes with depth: Figures 3-1, 8 and 10, the sanity check, the drift."""

from __future__ import annotations

from math import floor
from typing import Any

from analysis.figures.charts import alt, pl
from analysis.figures.charts.style import (
    BAND,
    FAINT,
    FULL,
    HALF,
    INK,
    METRICS,
    NARROW,
    NORM_COLOURS,
    by_name,
    highest,
    label,
    labelled,
    layer_axis,
    model_colour,
    model_shape,
    tips,
)
from analysis.figures.figure import Facts, means_of

# ticks of logarithmic axes; those beyond the data are not drawn
POWERS = [10.0**n for n in range(-9, 3)]
STEPS = [factor * 10**n for n in range(5) for factor in (1, 2, 5)]
LEVELS = {"above 90 %": "#882255", "10 to 50 %": "#DDAA33", "below 10 %": "#88CCEE"}


def figure_03_1(rows: pl.DataFrame) -> alt.VConcatChart:
    """Figure 3-1: share of values that moved, and how far."""
    base = alt.Chart(rows).encode(x=layer_axis())
    share = (
        base.mark_bar(width=8)
        .encode(
            y=alt.Y(
                "changed_ratio:Q", title="values changed", axis=alt.Axis(format="%"), scale=_from_to(0, 1)
            ),
            color=by_name(alt.Color, "level", LEVELS, title="the document says of these layers:"),
            tooltip=tips("layer:Q", alt.Tooltip("changed_ratio:Q", format=".3%"), "level:N"),
        )
        .properties(width=FULL, height=170, title="share of values that differ")
    )
    rules = (
        alt.Chart(pl.DataFrame({"at": [0.1, 0.5, 0.9]}))
        .mark_rule(strokeDash=[3, 3], color=FAINT)
        .encode(y="at:Q")
    )
    distance = _line(base, "mean_abs_diff", "mean |difference|", scale=alt.Scale(type="log"), format=".1e")
    return alt.vconcat(
        share + rules, distance.properties(width=FULL, height=170, title="how far, on a logarithmic axis")
    )


def figure_03_1_facts(rows: pl.DataFrame) -> Facts:
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    return {"first": first["changed_ratio"], "last": last["changed_ratio"], "deepest": last["layer"]}


def figure_08(rows: pl.DataFrame) -> alt.ConcatChart:
    """Figure 8: mean, spread and range by layer."""
    models = rows["model"].unique().to_list()
    base = alt.Chart(labelled(rows, "model")).encode(x=layer_axis(), color=model_colour(models))
    panels = []
    for column, title in (
        ("mean", "mean"),
        ("std", "standard deviation"),
        ("min", "smallest weight"),
        ("max", "largest weight"),
    ):
        drawn = _by_model(base, column, models, size=14)
        panels.append(drawn.properties(width=HALF, height=170, title=title))
    return alt.concat(*panels, columns=2)


figure_08_facts = means_of("mean", 20)


def _by_model(base: alt.Chart, column: str, models: list[str], size: int) -> alt.LayerChart:
    """A line for each model, with a dot per layer."""
    y = alt.Y(f"{column}:Q", title=None)
    points = base.mark_point(size=size, filled=True).encode(
        y=y,
        shape=model_shape(models),
        tooltip=tips("model:N", "layer:Q", alt.Tooltip(f"{column}:Q", format=".6g")),
    )
    return base.mark_line(strokeWidth=1).encode(y=y) + points


def figure_10(rows: pl.DataFrame) -> alt.VConcatChart:
    """Figure 10: input norm minus post-attention norm."""
    models = [rows["model_a"][0], rows["model_b"][0]]
    sides = [
        rows.select(
            "layer",
            pl.lit(label(model)).alias("model"),
            pl.col(f"diff_mean_{side}").alias("diff_mean"),
            pl.col(f"diff_std_{side}").alias("diff_std"),
        )
        for model, side in zip(models, "ab", strict=True)
    ]
    base = alt.Chart(pl.concat(sides)).encode(x=layer_axis(), color=model_colour(models))
    panels: list[alt.LayerChart] = []
    for column, title in (("diff_mean", "mean of the difference"), ("diff_std", "spread of the difference")):
        drawn = _by_model(base, column, models, size=26)
        panels.append(drawn.properties(width=FULL, height=130, title=title))
    if rows["is_mtp"].any():
        panels[0] += _marked(rows.filter("is_mtp"), "layer {}: GLM's MTP layer")
    alone = alt.Chart(rows.select("layer", "pearson", "pearson_band")).encode(x=layer_axis())
    alike = _against_chance(alone, "pearson", "pearson_band", scale=_from_to(-0.2, 0.2), colour="pearson")
    end = (
        "Pearson of the two models' differences, axis from −0.2 to 0.2; grey: chance, two standard deviations"
    )
    return alt.vconcat(*panels, alike.properties(width=FULL, height=140, title=end))


def figure_10_facts(rows: pl.DataFrame) -> Facts:
    deepest = rows.row(-1, named=True)
    jump = {
        "en": f"The jump at layer {deepest['layer']}: that is GLM's multi-token-prediction (MTP) layer.",
        "ko": f"레이어 {deepest['layer']}에서 값이 뛰는데, GLM의 다중 토큰 예측(MTP) 레이어입니다.",
    }
    return {
        "pearson": rows["pearson"].mean(),
        "layers": rows.height,
        "jump": jump if deepest["is_mtp"] else "",
    }


def _marked(rows: pl.DataFrame, words: str) -> alt.LayerChart:
    """A vertical line at some layers, named to its left."""
    base = alt.Chart(rows.select("layer", text=pl.format(words, "layer"))).encode(x="layer:Q")
    text = base.mark_text(align="right", dx=-5, y=12, color=INK, fontSize=11).encode(text="text:N")
    return base.mark_rule(color=FAINT, strokeDash=[3, 3]) + text


def sanity(rows: pl.DataFrame, narrow: bool = False) -> alt.VConcatChart:
    """The sanity check: the cosine, and its mean over all orders of the dimensions."""
    size = {"width": NARROW if narrow else FULL, "height": 110 if narrow else 150}
    shown = rows.drop("model_a", "model_b", "d", "band_low", "band_high")
    base = alt.Chart(shown).encode(x=layer_axis())
    mean = base.mark_line(color=FAINT, strokeDash=[5, 3]).encode(y=alt.Y("offset_share:Q"))
    grey = "grey: two standard deviations of shuffling"
    panels = (
        (
            mean + _line(base, "cosine", scale=_from_to(0, 1), format=".6f"),
            ["dots: cosine", "dashed: its mean over all shuffles of the dimensions"],
        ),
        (
            _against_chance(base, "pattern_share", "band", colour="pattern", format=".6f"),
            ["cosine minus that mean, enlarged", grey],
        ),
        (
            _against_chance(base, "pearson", "pearson_band", colour="pearson", format=".6f"),
            ["centred cosine = Pearson", grey],
        ),
    )
    titles = (words if narrow else "; ".join(words) for _, words in panels)
    return alt.vconcat(
        *(drawn.properties(title=title, **size) for (drawn, _), title in zip(panels, titles, strict=True))
    )


def sanity_facts(rows: pl.DataFrame) -> Facts:
    inside = rows.filter(pl.col("pearson").abs() <= pl.col("pearson_band"))
    return {"layers": rows.height, "inside": inside.height}


def _against_chance(base: alt.Chart, column: str, band: str, **line: Any) -> alt.LayerChart:  # noqa: ANN401
    """A line around 0; grey from minus to plus `band`, which is what chance gives."""
    area = base.transform_calculate(low=f"-datum.{band}").mark_area(color=BAND)
    zero = alt.Chart(alt.InlineData([{"zero": 0}])).mark_rule(color=INK, strokeWidth=0.7).encode(y="zero:Q")
    return area.encode(y=alt.Y("low:Q", title=None), y2=f"{band}:Q") + zero + _line(base, column, **line)


def drift(rows: pl.DataFrame) -> alt.VConcatChart:
    """How far a derived model's norms moved, both norms, by layer."""
    base = alt.Chart(labelled(rows, "ln_type").drop("model_a", "model_b", "max_abs_diff")).encode(
        x=layer_axis(), color=by_name(alt.Color, "ln_type", NORM_COLOURS)
    )
    log = alt.Scale(type="log")
    steps = alt.Axis(values=STEPS, format="d", grid=False)
    drawn = []
    for column, title, scale, axis in (
        ("changed_ratio", "share of values that differ", _from_to(0, 1), alt.Axis(format="%")),
        ("mean_abs_diff", "mean |difference|, logarithmic", log, _powers()),
        ("mean_bf16_steps", "mean BF16 steps of those that moved, logarithmic", log, steps),
        ("distance", "1 − Pearson, logarithmic", log, _powers()),
    ):
        y = alt.Y(f"{column}:Q", title=None, scale=scale, axis=axis)
        points = base.mark_point(filled=True).encode(
            y=y,
            shape=alt.Shape("ln_type:N", title=None, scale=alt.Scale(domain=list(NORM_COLOURS))),
            # where both norms agree, the larger mark is visible around the smaller
            size=alt.when(alt.datum.ln_type == "input norm").then(alt.value(60)).otherwise(alt.value(18)),
            tooltip=tips("ln_type:N", "layer:Q", alt.Tooltip(f"{column}:Q", format=".4g")),
        )
        lines = base.mark_line(strokeWidth=1).encode(y=y)
        drawn.append((lines + points).properties(width=FULL, height=120, title=title))
    return alt.vconcat(*drawn)


def drift_facts(rows: pl.DataFrame) -> Facts:
    # rounded down: the title says "or more"
    return {"lowest": floor(1000 * (1 - highest(rows["distance"]))) / 1000}


def _line(
    base: alt.Chart,
    column: str,
    title: str | None = None,
    scale: alt.Scale | None = None,
    format: str = ".6g",
    colour: str = "cosine",
) -> alt.LayerChart:
    """A line in the colour of its metric, with a dot per layer."""
    _, ink, shape = METRICS[colour]
    axis = _powers() if format.endswith("e") else alt.Axis()
    y = alt.Y(f"{column}:Q", title=title, scale=scale or alt.Scale(), axis=axis)
    points = base.mark_point(filled=True, size=26, color=ink, shape=shape).encode(
        y=y, tooltip=tips("layer:Q", alt.Tooltip(f"{column}:Q", format=format))
    )
    return base.mark_line(strokeWidth=1, color=ink).encode(y=y) + points


def _powers() -> alt.Axis:
    return alt.Axis(format=".0e", values=POWERS, grid=False)


def _from_to(low: float, high: float) -> alt.Scale:
    return alt.Scale(domain=[low, high], nice=False, clamp=True)
