"""What a cosine is compared with: layer 0, middle layers, random vectors, toy models.

Figures of the critique's experiments 1, 2 and 6 and of the second document's layer-0 and toy comparisons. A
tick or ring is a figure that the document prints.
"""

from __future__ import annotations

from analysis.figures.charts import alt, pl
from analysis.figures.charts.style import (
    FAINT,
    FIXED,
    FULL,
    HALF,
    INK,
    METRICS,
    NARROW_HALF,
    by_name,
    exact,
    in_order,
    label,
    labelled,
    layer_axis,
    metric_colour,
    metric_names,
    metric_shape,
    model_colour,
    norms,
    tips,
)
from analysis.figures.figure import CASE, Facts

# name: colour, shape
REFERENCES = {"layer 0": ("#4D4D4D", "circle"), "layer 10": ("#EE7733", "square")}
PRINTED = {"printed": "circle", "printed bound": "triangle-up"}  # kind: shape
LAYER_0_KEY = ["ring: figure printed in a document", "triangle: printed lower bound", "cosine with:"]


def experiment_1(rows: pl.DataFrame) -> alt.HConcatChart:
    """Experiments 1 and 2: bars from 0, so that their lengths compare."""
    models = rows["model"].unique().to_list()
    panels = []
    for experiment, title in (
        (1, "layer 0 with a later layer: the accusation's baseline"),
        (2, "middle layers: the critique's"),
    ):
        some = labelled(rows.filter(experiment=experiment), "model").drop("experiment")
        order = some["layers"].unique(maintain_order=True).to_list()
        base = alt.Chart(some).encode(
            x=alt.X("layers:N", sort=order, title="layers of one model", axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("model:N", sort=["Solar", "GLM"]),
        )
        bars = base.mark_bar().encode(
            y=alt.Y("cosine:Q", title="cosine", scale=alt.Scale(domain=[0, 1.05], nice=False)),
            color=model_colour(models),
            tooltip=tips(
                "model:N", "layers:N", exact("cosine"), exact("pearson"), exact("stated", "printed")
            ),
        )
        numbers = base.mark_text(dy=-11, fontSize=11, color=INK).encode(
            y="cosine:Q", text=alt.Text("cosine:Q", format=".3f")
        )
        ticks = base.mark_tick(color=INK, thickness=2, width=34).encode(y="stated:Q")
        words = [title, "bar and number: this lake; tick: printed in the document"]
        panels.append((bars + ticks + numbers).properties(width=145 * len(order), height=280, title=words))
    return alt.hconcat(*panels, spacing=40).properties(usermeta=FIXED)


def experiment_1_facts(rows: pl.DataFrame) -> Facts:
    with_0, middle = (rows.filter(experiment=n)["cosine"] for n in (1, 2))
    return {"low": with_0.min(), "high": with_0.max(), "middle_low": middle.min()}


def experiment_6(rows: pl.DataFrame) -> alt.HConcatChart:
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
            tooltip=tips("part:N", "comparison:N", exact("value"), exact("std"), exact("stated", "printed")),
        )
        ticks = base.mark_tick(color=INK, thickness=2, height=16).encode(x="stated:Q")
        words = ["", ""] if panels else ["point: this lake", "tick: printed"]
        panels.append((ticks + dots).properties(width=240, height=280, title=words))
    return alt.hconcat(*panels, spacing=12).properties(usermeta=FIXED)


def experiment_6_facts(rows: pl.DataFrame) -> Facts:
    values = {(n, metric): value for n, metric, value in rows.select("n", "metric", "value").rows()}
    return {
        "cosine": values[2, "cosine"],
        "pearson": values[2, "pearson"],
        "random_cosine": values[1, "cosine"],
        "random_pearson": values[1, "pearson"],
    }


def layer_0(rows: pl.DataFrame, narrow: bool = False) -> alt.ConcatChart:
    """Layers 0 and 10 of each model against all its layers, in both norms: one small panel each."""
    models = rows.filter(kind="measured")["model"].unique().to_list()
    ordered = [alias for name in in_order(models) for alias in models if label(alias) == name]
    kinds = norms(rows)
    # one row a norm where there is room, one row a model on a phone
    cells = [(m, n) for m in ordered for n in kinds] if narrow else [(m, n) for n in kinds for m in ordered]
    width = NARROW_HALF if narrow else (FULL - 20 * len(ordered)) // max(len(ordered), 1)
    panels = []
    for model, norm in cells:
        some = rows.filter(model=model, ln_type=norm)
        title = [label(model), kinds[norm]]
        panels.append(_against_all(some, title).properties(width=width, height=100 if narrow else 150))
    columns = len(kinds) if narrow else len(ordered)
    return alt.concat(*panels, columns=columns, spacing=12 if narrow else 18)


def layer_0_facts(rows: pl.DataFrame) -> Facts:
    later = rows.filter(pl.col("layer") > 10, kind="measured", model="solar", ln_type="input_layernorm")
    means = {n: later.filter(reference=n)["cosine"].mean() for n in (0, 10)}
    is_exception = None not in means.values() and means[10] - means[0] > 0.3  # type: ignore[operator]
    return {
        CASE: "exception" if is_exception else "figures",
        "solar_with_0": means[0],
        "solar_with_10": means[10],
    }


def _against_all(rows: pl.DataFrame, title: list[str]) -> alt.LayerChart:
    table = rows.with_columns(reference=pl.format("layer {}", "reference")).drop("model", "ln_type")
    hues, shapes = ({name: look[at] for name, look in REFERENCES.items()} for at in (0, 1))
    base = alt.Chart(table.filter(kind="measured").drop("kind")).encode(
        x=layer_axis(), color=by_name(alt.Color, "reference", hues, title=LAYER_0_KEY)
    )
    y = alt.Y("cosine:Q", title=None, scale=alt.Scale(domain=[0, 1.04], nice=False))
    dots = base.mark_point(filled=True, size=12).encode(
        y=y,
        shape=by_name(alt.Shape, "reference", shapes, title=LAYER_0_KEY),
        tooltip=tips("reference:N", "layer:Q", exact("cosine")),
    )
    drawn = base.mark_line(strokeWidth=1).encode(y=y) + dots
    for kind, shape in PRINTED.items():
        figures = table.filter(kind=kind)
        if not figures.is_empty():
            stated = alt.Chart(figures).mark_point(size=110, color=INK, strokeWidth=1.3, shape=shape)
            words = tips("kind:N", "reference:N", "layer:Q", exact("cosine"))
            drawn += stated.encode(x=alt.X("layer:Q"), y=y, tooltip=words)
    return drawn.properties(title=title)


def toy(rows: pl.DataFrame, narrow: bool = False) -> alt.ConcatChart:
    """Two small models trained apart, begun at ones or at random."""
    panels = []
    for start, words in (("ones", "begun at 1"), ("rand", "begun at random")):
        for ln_type, norm in norms(rows).items():
            some = rows.filter(pl.col("metric") != "offset_share", start=start, ln_type=ln_type)
            base = alt.Chart(metric_names(some.filter(kind="measured").select("layer", "metric", "value")))
            y = alt.Y("value:Q", title=None, scale=alt.Scale(domain=[-0.3, 1.05], nice=False, clamp=True))
            line = base.encode(x=layer_axis(), y=y, color=metric_colour(["cosine", "pearson"]))
            dots = line.mark_point(filled=True, size=24 if narrow else 50, opacity=1).encode(
                shape=metric_shape(["cosine", "pearson"]),
                tooltip=tips("metric:N", "layer:Q", exact("value")),
            )
            drawn = line.mark_line(strokeWidth=1) + dots
            printed = some.filter(kind="printed").select("layer", "value")
            if not printed.is_empty():
                rings = alt.Chart(printed).mark_point(size=60 if narrow else 90, color=INK)
                words_at = tips("layer:Q", exact("value", "printed cosine"))
                drawn += rings.encode(x="layer:Q", y=y, tooltip=words_at)
            title = [words, norm] if narrow else f"norms {words}, {norm}; ring: printed cosine"
            size = {"width": NARROW_HALF, "height": 120} if narrow else {"width": HALF, "height": 190}
            panels.append(drawn.properties(title=title, **size))
    return alt.concat(*panels, columns=2, spacing=12 if narrow else 24)


def toy_facts(rows: pl.DataFrame) -> Facts:
    measured = rows.filter(kind="measured", metric="cosine")
    ones, rand = (measured.filter(start=start)["value"] for start in ("ones", "rand"))
    lowest, furthest = ones.min(), rand.abs().max()
    learned = int(rows.filter(metric="learned")["value"].sum())
    is_plain = lowest is not None and furthest is not None and lowest > 0.99 and furthest < 0.5  # type: ignore[operator]
    case = "start" if is_plain and learned == 4 else "figures"
    return {CASE: case, "ones": lowest, "rand": furthest, "learned": learned}


def _named(text: str) -> str:
    """`solar 10 with glm 10` with the models' names."""
    return " ".join("×" if word == "with" else label(word) for word in text.split(" "))
