"""What a cosine is compared with: layer 0, middle layers, other models, random vectors, toy models.

Figures of the critique's experiments 1, 2, 4, 5 and 6 and of the second document's layer-0 and toy
comparisons. A black tick or ring is a figure that the document prints.
"""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import (
    FAINT,
    FULL,
    HALF,
    INK,
    METRICS,
    NORMS,
    label,
    labelled,
    layer_axis,
    metric_colour,
    metric_names,
    metric_shape,
    model_colour,
    model_shape,
    tips,
)

REFERENCES = {"layer 0": "#4D4D4D", "layer 10": "#EE7733"}
DISPUTED = "Solar – GLM"
DISPUTED_COLOUR = "#CC3311"  # of no model
PRINTED = {
    "printed": ("circle", "ring: printed"),
    "printed bound": ("triangle-up", "triangle: printed bound"),
}


def layer_0_outlier(rows: pl.DataFrame) -> alt.VConcatChart:
    """Experiment 1: bars from 0, so that their lengths compare."""
    models = rows["model"].unique().to_list()
    base = alt.Chart(labelled(rows, "model")).encode(
        x=alt.X("layer:O", title="layer compared with layer 0", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("model:N", sort=["Solar", "GLM"]),
    )
    bars = base.mark_bar().encode(
        y=alt.Y("cosine:Q", title="cosine", scale=alt.Scale(domain=[0, 1])),
        color=model_colour(models),
        tooltip=tips("model:N", "layer:O", _exact("cosine"), _exact("pearson"), _exact("stated", "printed")),
    )
    numbers = base.mark_text(dy=-11, fontSize=10).encode(
        y="cosine:Q", text=alt.Text("cosine:Q", format=".4f")
    )
    ticks = base.mark_tick(color=INK, thickness=2, width=26).encode(y="stated:Q")
    words = "bar and number: this lake; black tick: printed in the document"
    return alt.vconcat((bars + ticks + numbers).properties(width=FULL, height=260, title=words))


def fair_baseline(rows: pl.DataFrame) -> alt.VConcatChart:
    """Experiment 2: points, because the axis is cropped and bars would mislead."""
    models = rows["model"].unique().to_list()
    base = alt.Chart(labelled(rows, "model").drop("layer_a", "layer_b")).encode(
        x=alt.X("layers:N", title="layers of one model", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("model:N", sort=["Solar", "GLM"]),
    )
    points = base.mark_point(filled=True, size=140).encode(
        y=_cropped("cosine", 0.95),
        color=model_colour(models),
        shape=model_shape(models),
        tooltip=tips("model:N", "layers:N", _exact("cosine"), _exact("pearson"), _exact("stated", "printed")),
    )
    numbers = base.mark_text(dy=16, fontSize=11).encode(
        y=_cropped("cosine", 0.95), text=alt.Text("cosine:Q", format=".4f")
    )
    ticks = base.mark_tick(color=INK, thickness=2, width=40).encode(y=_cropped("stated", 0.95))
    words = "point and number: this lake; black tick: printed in the document"
    return alt.vconcat((ticks + points + numbers).properties(width=400, height=260, title=words))


def by_chosen_layer(rows: pl.DataFrame) -> alt.VConcatChart:
    """Experiment 4: six pairs of models at six layers."""
    return _spread(rows, "layer", alt.X("layer:O", title="layer", axis=alt.Axis(labelAngle=0)), 0.2)


def by_architecture(rows: pl.DataFrame) -> alt.VConcatChart:
    """Experiment 5: MoE and dense models."""
    kinds = ["MoE with MoE", "MoE with dense", "dense with dense"]
    return _spread(rows, "kind", alt.X("kind:N", sort=kinds, title=None, axis=alt.Axis(labelAngle=0)), 1)


def three_metrics(rows: pl.DataFrame) -> alt.HConcatChart:
    """Experiment 6: cosine, Pearson and distance of eight comparisons."""
    order = rows.unique("comparison", maintain_order=True)["comparison"].to_list()
    names = {text: _named(text) for text in order}
    table = rows.with_columns(pl.col("comparison").replace(names))
    panels: list[alt.LayerChart] = []
    for metric, title, scale in (
        ("cosine", "cosine", alt.Scale(domain=[0, 1.05], nice=False)),
        ("pearson", "Pearson", alt.Scale(domain=[-0.1, 1.05], nice=False)),
        ("l2_distance", "L2 distance", alt.Scale(domainMin=0)),
    ):
        cells = table.filter(metric=metric).drop("metric", "n")
        base = alt.Chart(cells).encode(
            y=alt.Y(
                "comparison:N",
                sort=[names[text] for text in order],
                title=None,
                axis=alt.Axis(labels=not panels, ticks=not panels, labelLimit=220),
            )
        )
        _, colour, shape = METRICS.get(metric, ("", FAINT, "square"))
        dots = base.mark_point(filled=True, size=80, opacity=1, color=colour, shape=shape).encode(
            x=alt.X("value:Q", title=title, scale=scale, axis=alt.Axis(tickCount=3, labelFlush=False)),
            tooltip=tips(
                "part:N", "comparison:N", _exact("value"), _exact("std"), _exact("stated", "printed")
            ),
        )
        ticks = base.mark_tick(color=INK, thickness=2, height=16).encode(x="stated:Q")
        words = ["", ""] if panels else ["point: this lake", "black tick: printed"]
        panels.append((ticks + dots).properties(width=130, height=260, title=words))
    return alt.hconcat(*panels, spacing=12)


def layer_0(rows: pl.DataFrame) -> alt.HConcatChart:
    """Layers 0 and 10 of one model against all its layers, in both norms."""
    table = rows.with_columns(reference=pl.format("layer {}", "reference"))
    panels = []
    for ln_type in [kind for kind in NORMS if kind in rows["ln_type"]]:
        some = table.filter(ln_type=ln_type).drop("model", "ln_type")
        domain = alt.Scale(domain=list(REFERENCES), range=list(REFERENCES.values()))
        base = alt.Chart(some.filter(kind="measured").drop("kind")).encode(
            x=layer_axis(), color=alt.Color("reference:N", title="compared with", scale=domain)
        )
        y = alt.Y("cosine:Q", scale=alt.Scale(domain=[0, 1.02], nice=False))
        line = base.mark_line(strokeWidth=1).encode(y=y)
        dots = base.mark_point(filled=True, size=18).encode(
            y=y,
            shape=alt.Shape("reference:N", title="compared with", scale=alt.Scale(domain=list(REFERENCES))),
            tooltip=tips("reference:N", "layer:Q", _exact("cosine")),
        )
        drawn = line + dots
        shown = [kind for kind in PRINTED if kind in some["kind"]]
        for kind in shown:
            figures, shape = some.filter(kind=kind), PRINTED[kind][0]
            stated = alt.Chart(figures).mark_point(size=130, color=INK, strokeWidth=1.5, shape=shape)
            words = tips("kind:N", "reference:N", "layer:Q", _exact("cosine"))
            drawn += stated.encode(x=alt.X("layer:Q"), y=y, tooltip=words)
        title = [NORMS[ln_type], "; ".join(PRINTED[kind][1] for kind in shown)]
        panels.append(drawn.properties(width=HALF, height=230, title=title))
    return alt.hconcat(*panels)


def toy(rows: pl.DataFrame) -> alt.ConcatChart:
    """Two small models that never met, begun at ones or at random."""
    panels = []
    for start, words in (("ones", "norms begin at 1"), ("rand", "norms begin at random")):
        for ln_type in [kind for kind in NORMS if kind in rows["ln_type"]]:
            some = rows.filter(pl.col("metric") != "offset_share", start=start, ln_type=ln_type)
            base = alt.Chart(metric_names(some.filter(kind="measured").select("layer", "metric", "value")))
            y = alt.Y(
                "value:Q", title="similarity", scale=alt.Scale(domain=[-0.3, 1.05], nice=False, clamp=True)
            )
            line = base.encode(x=layer_axis(), y=y, color=metric_colour(["cosine", "pearson"]))
            dots = line.mark_point(filled=True, size=50, opacity=1).encode(
                shape=metric_shape(["cosine", "pearson"]),
                tooltip=tips("metric:N", "layer:Q", _exact("value")),
            )
            drawn = line.mark_line(strokeWidth=1) + dots
            title = [f"{words}, {NORMS[ln_type]}"]
            printed = some.filter(kind="printed").select("layer", "value")
            if not printed.is_empty():
                title.append("ring: printed cosine")
                rings = alt.Chart(printed).mark_point(size=90, color=INK)
                exact = tips("layer:Q", _exact("value", "printed cosine"))
                drawn += rings.encode(x="layer:Q", y=y, tooltip=exact)
            panels.append(drawn.properties(width=HALF, height=170, title=title))
    return alt.concat(*panels, columns=2)


def _spread(rows: pl.DataFrame, group: str, x: alt.X, pearson_end: float) -> alt.VConcatChart:
    """Pairs of models as dots over a group, with mean and spread; below, the same without their means."""
    table = labelled(rows, "model_a", "model_b").with_columns(
        pair=pl.col("model_a") + " – " + pl.col("model_b")
    )
    figures = ["mean", "std", "stated_mean", "stated_std"]
    groups = alt.Chart(table.select(group, *figures).unique(maintain_order=True)).encode(x=x)
    bars = groups.transform_calculate(low="datum.mean - datum.std", high="datum.mean + datum.std")
    spread = bars.mark_rule(strokeWidth=26, color="#E4E4E4").encode(
        y=_cropped("low", 0.88), y2=alt.Y2("high:Q")
    )
    mean = groups.mark_tick(color=METRICS["cosine"][1], thickness=3, width=40).encode(
        y=_cropped("mean", 0.88)
    )
    stated = groups.mark_point(shape="diamond", size=130, color=INK).encode(
        y=_cropped("stated_mean", 0.88), tooltip=tips(f"{group}:N", *map(_exact, figures))
    )
    chosen = alt.datum.pair == DISPUTED
    pairs = (
        alt.Chart(table.select(group, "pair", "cosine", "pearson").sort(pl.col("pair") == DISPUTED))
        .mark_point(size=45, filled=True, opacity=0.8)
        .encode(
            x=x,
            color=alt.when(chosen).then(alt.value(DISPUTED_COLOUR)).otherwise(alt.value("#777777")),
            shape=alt.when(chosen).then(alt.value("square")).otherwise(alt.value("circle")),
            tooltip=tips("pair:N", f"{group}:N", _exact("cosine"), _exact("pearson")),
        )
    )
    above = (spread + mean + pairs.encode(y=_cropped("cosine", 0.88)) + stated).properties(
        width=FULL,
        height=240,
        title=[
            f"dots: pairs of models, {DISPUTED} as a red square",
            "bar: mean; grey: ± std; diamond: printed mean",
        ],
    )
    signed = alt.Scale(domain=[-pearson_end, pearson_end], clamp=True, nice=False)
    below = pairs.encode(y=alt.Y("pearson:Q", title="Pearson", scale=signed)).properties(
        width=FULL, height=130, title=f"the same pairs without their means, axis ±{pearson_end:g}"
    )
    return alt.vconcat(above, below)


def _cropped(column: str, low: float) -> alt.Y:
    """A cosine's axis that does not begin at 0, and says so."""
    scale = alt.Scale(domain=[low, 1], clamp=True, zero=False, nice=False)
    return alt.Y(f"{column}:Q", title=f"cosine (axis from {low} to 1)", scale=scale)


def _named(text: str) -> str:
    """`solar 10 with glm 10` with the models' names."""
    return " ".join(label(word) for word in text.split(" "))


def _exact(column: str, title: str | None = None) -> alt.Tooltip:
    return alt.Tooltip(f"{column}:Q", title=title or column.replace("_", " "), format=".6~g")
