"""The weights of two models: bars of a sample, and histograms layer by layer."""

from __future__ import annotations

from analysis.figures.charts import alt, pl
from analysis.figures.charts.style import (
    BAND,
    FAINT,
    FULL,
    HALF,
    INK,
    as_expression,
    by_name,
    colours,
    highest,
    label,
    labelled,
    layer_axis,
    lowest,
    metric_colour,
    metric_names,
    metric_shape,
    model_colour,
    norms,
    packed,
    tips,
)
from analysis.figures.figure import Facts

LISTS = ["dim", "position", "value_a", "value_b", "centered_a", "centered_b"]


def figure_01(rows: pl.DataFrame) -> alt.VConcatChart:
    names = [label(rows["model_a"][0]), label(rows["model_b"][0])]
    layers = packed(rows, ["layer", "d", "cosine", "pearson", "pearson_band", "is_best"], LISTS)
    shown = alt.param(
        name="layer_shown",
        value=layers.filter("is_best")["layer"][0],
        bind=alt.binding_range(
            min=lowest(layers["layer"]), max=highest(layers["layer"]), step=1, name="layer "
        ),
    )
    raw = _bars(layers, names, shown, "value", "γ as stored", "cosine", "; dashed: 1.0, where γ begins")
    initial = alt.Chart(alt.InlineData([{"one": 1}])).mark_rule(strokeDash=[5, 4], color=INK)
    raw += initial.encode(y=alt.Y("one:Q"))
    centred = _bars(layers, names, shown, "centered", "γ minus its mean", "Pearson")
    # A layer slider belongs to all panels.
    panels = alt.vconcat(raw, centred, _by_layer(layers, shown)).add_params(shown)
    return panels.resolve_scale(color="independent", shape="independent")


def figure_01_facts(rows: pl.DataFrame) -> Facts:
    best = rows.filter("is_best").row(0, named=True)
    return {**{key: best[key] for key in ("layer", "cosine", "pearson")}, "layers": rows["layer"].n_unique()}


def _bars(
    layers: pl.DataFrame,
    names: list[str],
    shown: alt.Parameter,
    kind: str,
    title: str,
    metric: str,
    note: str = "",
) -> alt.LayerChart:
    """Sampled weights of both models at the chosen layer, and a metric over all dimensions."""
    columns = [f"{kind}_a", f"{kind}_b"]
    values = pl.concat([layers[column].explode() for column in columns])
    # the line where γ begins must lie inside the axis of the stored weights
    extent = [min(0.0, lowest(values)), max(1.05 if kind == "value" else 0.0, highest(values))]
    here = alt.Chart(layers.drop("is_best", "pearson_band")).transform_filter(alt.datum.layer == shown)
    one, other = map(as_expression, names)
    bars = (
        here.transform_flatten(["dim", "position", *columns])
        .transform_fold([*columns], as_=["side", "weight"])
        .transform_calculate(model=f"datum.side == '{columns[0]}' ? {one} : {other}")
        .mark_bar()
        .encode(
            x=alt.X(
                "position:O",
                title="50 sampled dimensions",
                axis=alt.Axis(values=[1, 10, 20, 30, 40, 50], labelAngle=0),
            ),
            xOffset=alt.XOffset("model:N", sort=names),
            y=alt.Y("weight:Q", title=title, scale=alt.Scale(domain=extent, nice=True)),
            color=by_name(
                alt.Color,
                "model",
                dict(zip(names, colours(names), strict=True)),
                legend=alt.Legend() if kind == "value" else None,  # the panels share one
            ),
            tooltip=tips("model:N", "layer:Q", "dim:Q", alt.Tooltip("weight:Q", title=title, format=".6g")),
        )
    )
    text = (
        f"'layer ' + datum.layer + ': {metric} ' + format(datum.{metric.lower()}, '.4f') "
        "+ ' over all ' + format(datum.d, ',') + ' dimensions'"
    )
    words = here.transform_calculate(text=f"{text} + '{note}'" if note else text)
    words = words.mark_text(align="left", x=4, y=-8, fontSize=12, color=INK).encode(text="text:N")
    return (bars + words).properties(width=FULL, height=170)


def _by_layer(layers: pl.DataFrame, shown: alt.Parameter) -> alt.LayerChart:
    long = metric_names(
        layers.select("layer", "cosine", "pearson").unpivot(index="layer", variable_name="metric")
    )
    base = alt.Chart(long)
    line = base.encode(
        x=layer_axis(),
        y=_similarity("value"),
        color=metric_colour(["cosine", "pearson"]),
    )
    points = line.mark_point(filled=True, size=30).encode(
        shape=metric_shape(["cosine", "pearson"]),
        tooltip=tips("layer:Q", "metric:N", alt.Tooltip("value:Q", format=".6f")),
    )
    selected = (
        alt.Chart(layers.select("layer"))
        .transform_filter(alt.datum.layer == shown)
        .mark_rule(strokeDash=[5, 4], color=FAINT)
        .encode(x="layer:Q")
    )
    band = alt.Chart(layers.select("layer", "pearson_band")).transform_calculate(low="-datum.pearson_band")
    chance = band.mark_area(color=BAND).encode(x="layer:Q", y=_similarity("low"), y2="pearson_band:Q")
    title = "every shared layer, all dimensions; dashed: the layer above; grey: what chance gives of Pearson"
    return (chance + selected + line.mark_line(strokeWidth=1) + points).properties(
        width=FULL, height=170, title=title
    )


def _similarity(column: str) -> alt.Y:
    return alt.Y(f"{column}:Q", title="similarity", scale=alt.Scale(domain=[-0.2, 1.05], nice=False))


HEIGHT = 0.12  # of a density of 1, in thirds of layers, as in the document
STEP = 3  # layers between two ridges


def figure_09(rows: pl.DataFrame) -> alt.HConcatChart:
    models = sorted(rows["model"].unique().to_list(), key=lambda model: model != "glm")
    deepest = max(rows["layer"].to_list())
    panels = []
    for ln_type, norm in norms(rows).items():
        some = rows.filter(ln_type=ln_type)
        outside = max(some["outside"].to_list())
        beyond = f"up to {outside:.1%} of a layer is" if outside else "nothing is"
        title = [norm, f"{beyond} beyond the axis"]
        panels.append(_panel(some, models, deepest).properties(title=title))
    return alt.hconcat(*panels)


def figure_09_facts(rows: pl.DataFrame) -> Facts:
    """The area that two histograms share, at the layer in the middle of those drawn."""
    layers = sorted(rows["layer"].unique())
    layer = layers[len(layers) // 2]
    some = rows.filter(ln_type="input_layernorm", layer=layer)
    both = some.group_by("bin").agg(pl.min("density"), models=pl.len()).filter(pl.col("models") > 1)
    return {"layer": layer, "overlap": float(both["density"].sum()) * 2.2 / 60}


def _panel(rows: pl.DataFrame, models: list[str], deepest: int) -> alt.LayerChart:
    end = highest(rows["bin"]) + 0.05
    top = highest(rows["layer"] / STEP + rows["density"] * HEIGHT) + 0.4
    up = alt.Y(
        "up:Q",
        title="layer",
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(values=list(range(deepest // STEP + 1)), labelExpr=f"datum.value * {STEP}", grid=False),
    )
    areas = (
        alt.Chart(packed(labelled(rows, "model"), ["model", "layer", "outside"], ["bin", "density"]))
        .transform_flatten(["bin", "density"])
        .transform_calculate(
            low=f"datum.layer / {STEP}", up=f"datum.layer / {STEP} + datum.density * {HEIGHT}"
        )
        .mark_area(opacity=0.5, line={"strokeWidth": 0.6}, clip=True)
        .encode(
            x=alt.X("bin:Q", title="γ", scale=alt.Scale(domain=[-0.2, end], nice=False)),
            y=up,
            y2="low:Q",
            detail="layer:O",
            color=model_colour(models),
            tooltip=tips(
                "model:N", "layer:O", alt.Tooltip("outside:Q", title="beyond the range", format=".2%")
            ),
        )
    )
    initial = (
        alt.Chart(alt.InlineData([{"one": 1}])).mark_rule(strokeDash=[5, 4], color=INK).encode(x="one:Q")
    )
    return (areas + initial).properties(width=HALF, height=520)
