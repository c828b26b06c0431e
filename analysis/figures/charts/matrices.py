"""Small matrices with their numbers in the cells: confusion matrices, one model's layers, all models."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.figures.charts import alt, pl
from analysis.figures.charts.style import (
    BAND,
    DISPUTED_ON_COLOURS,
    FIXED,
    MAGNITUDE,
    NARROW,
    ON_COLOURS,
    RELATED_COLOUR,
    SIGNED,
    by_name,
    in_order,
    label,
    labelled,
    norms,
    tips,
    whole_pixels,
)
from analysis.figures.figure import Facts, ranges

SIMILARITIES = ("cosine", "pearson")
# metric: its name
WORDS = {
    "cosine": "cosine",
    "pearson": "Pearson, which is the centred cosine",
    "mean_abs_diff": "mean |a − b|",
    "p99_abs_diff": "99 % quantiles of |γ|, apart",
    "rel_l2": "|a − b| / |a|, a in the row",
    "cv_diff": "difference of std / |mean|",
}
METRICS = tuple(WORDS)
# where there is less room
SHORT = {"p99_abs_diff": "q99 of |γ|, apart", "rel_l2": "|a − b| / |a|", "cv_diff": "std / |mean|, apart"}


def confusion(rows: pl.DataFrame) -> alt.ConcatChart:
    """Kinds of tensors across, layers down; a menu chooses the metric."""
    models = in_order(rows["model_a"].unique().to_list())
    layers = sorted(rows["layer"].unique())
    chosen = alt.param(
        name="metric_shown",
        value="pearson",
        bind=alt.binding_select(options=list(METRICS), labels=[WORDS[m] for m in METRICS], name="metric "),
    )
    table = labelled(rows, "model_a", "model_b").with_columns(
        # similarities are coloured by themselves, distances by their share of the largest
        colour=pl.when(pl.col("metric").is_in(SIMILARITIES)).then("value").otherwise("share"),
    )
    panels = []
    for layer in layers:
        for kind, name in norms(rows).items():
            cells = table.filter(layer=layer, ln_type=kind)
            drawn = _matrix(
                cells.select("metric", "model_a", "model_b", "value", "colour"),
                ("model_a", "model_b"),
                models,
                210,
                "colour",
                _signed(),
                number="value",
                digits=".3~g",
                title="similarity, or share of the largest distance",
            )
            drawn = drawn.transform_filter(alt.datum.metric == chosen)
            panels.append(drawn.properties(title=f"layer {layer}, {name}"))
    columns = len(norms(rows))
    # with two kinds of tensors, one row a layer would leave half of the page empty
    if columns <= 2:
        panels = [panel for kind in range(columns) for panel in panels[kind::columns]]
        columns = len(layers)
    return alt.concat(*panels, columns=columns).add_params(chosen)


def confusion_facts(rows: pl.DataFrame) -> Facts:
    """Comparisons, each one metric, layer and tensor, in which no other pair is closer than Solar and GLM."""
    pair = pl.concat_str("model_a", "model_b", separator="–")
    nearness = pl.when(pl.col("metric").is_in(SIMILARITIES)).then("value").otherwise(-pl.col("value"))
    once = rows.filter(pair.is_in(["solar–glm", "solar–phi", "glm–phi"]))
    closest = once.group_by("metric", "layer", "ln_type").agg(pair.sort_by(nearness).last().alias("pair"))
    return {"comparisons": closest.height, "closest": closest.filter(pair="solar–glm").height}


def within(rows: pl.DataFrame) -> alt.ConcatChart:
    """One model's layers by every metric; a distance is coloured by its share of the metric's largest."""
    layers = [str(layer) for layer in sorted(rows["layer_a"].unique())]
    words = {metric: SHORT.get(metric, word) for metric, word in WORDS.items()}
    table = labelled(rows, "ln_type").with_columns(pl.col("layer_a", "layer_b").cast(pl.String))
    kinds = alt.Column("ln_type:N", title=None, sort=list(norms(rows).values()))
    panels = []
    for metrics in (METRICS[:2], METRICS[2:4], METRICS[4:]):
        cells = table.filter(pl.col("metric").is_in(metrics)).select(
            "layer_a", "layer_b", "ln_type", "value", "share", pl.col("metric").replace(words)
        )
        axes = ("layer_a", "layer_b")
        if metrics == SIMILARITIES:
            drawn = _matrix(cells, axes, layers, 132, "value", _signed(), title="similarity, from −1 to 1")
        else:
            scale, title = alt.Scale(scheme=MAGNITUDE, domain=[0, 1]), "share of the metric's largest value"
            drawn = _matrix(cells, axes, layers, 132, "share", scale, "value", ".3~g", title)
        order = alt.Row("metric:N", title=None, sort=[words[metric] for metric in metrics])
        panels.append(drawn.facet(column=kinds, row=order))
    across = 3 if len(norms(rows)) <= 2 else 1  # four kinds of tensors fill a page
    return alt.concat(*panels, columns=across).resolve_scale(color="independent")


def within_facts(rows: pl.DataFrame) -> Facts:
    some = rows.filter(pl.col("layer_a") < pl.col("layer_b"), ln_type="input_layernorm")
    return ranges({metric: some.filter(metric=metric)["value"] for metric in SIMILARITIES})


def confusion_mixed(rows: pl.DataFrame) -> alt.ConcatChart:
    """Three layers of three models in one matrix."""
    order = [model for model in ("solar", "glm", "phi") if model in rows["model_a"]]
    layers = sorted(rows["layer_a"].unique())
    points = [f"{label(model)} {layer}" for model in order for layer in layers]
    names = [pl.col(f"point_{side}").str.replace(model, label(model)) for side in "ab" for model in order]
    table = rows
    for name in names:
        table = table.with_columns(name)
    panels = []
    for metric in SIMILARITIES:
        for kind, norm in norms(rows).items():
            cells = table.filter(ln_type=kind).select("point_a", "point_b", "relation", metric)
            drawn = _matrix(cells, ("point_a", "point_b"), points, 396, metric, _signed(), digits=".2f")
            panels.append(drawn.properties(title=f"{WORDS[metric]}, {norm}"))
    return alt.concat(*panels, columns=2).properties(usermeta=FIXED)


def confusion_mixed_facts(rows: pl.DataFrame) -> Facts:
    some = rows.filter(ln_type="input_layernorm")
    return {
        "within": some.filter(relation="same model")["pearson"].mean(),
        "between": some.filter(pl.col("relation").is_in(["same layer", "neither"]))["pearson"].mean(),
    }


def experiment_3(rows: pl.DataFrame) -> alt.ConcatChart:
    """A few models at one layer: cosine in a cropped range, and Pearson."""
    models = in_order(rows["model_a"].unique().to_list())
    return _beside(rows, models, size=380, digits=".3f", columns=2)


def experiment_3_facts(rows: pl.DataFrame) -> Facts:
    once = rows.filter(pl.col("model_a") < pl.col("model_b"))
    return ranges({metric: once[metric] for metric in SIMILARITIES})


def model_matrix(rows: pl.DataFrame, narrow: bool = False) -> alt.ConcatChart:
    """All models that have another of their width; the disputed pair framed."""
    paired = rows.filter(pl.col("model_a") != pl.col("model_b"))
    rows = rows.filter(pl.col("model_a").is_in(paired["model_a"].implode()))
    models = in_order(rows["model_a"].unique().to_list())
    size, columns = (250, 1) if narrow else (400, 2)
    return _beside(rows, models, size=size, digits=".2f", columns=columns)


def model_matrix_facts(rows: pl.DataFrame) -> Facts:
    once = rows.filter(pl.col("model_a") < pl.col("model_b"))
    alone = sorted(set(rows["model_a"]) - set(once["model_a"]) - set(once["model_b"]))
    names = ", ".join(label(model) for model in alone)
    return {
        "pairs": once.height,
        "high": once.filter(pl.col("cosine") > 0.9).height,
        "kept": once.filter(pl.col("pearson") > 0.5).height,
        "blank": {
            "en": f"Left out, because no other model has their width: {names}." if alone else "",
            "ko": f"너비가 같은 다른 모델이 없어 뺀 모델: {names}." if alone else "",
        },
    }


RELATIONS = {
    "declared base": RELATED_COLOUR,
    "same declared base": "#56B4E9",
    "share weight history": RELATED_COLOUR,
    "no sign": BAND,
    "nothing declared": BAND,
    "cannot tell": "#F3E3A8",
}


def declared_families(rows: pl.DataFrame, narrow: bool = False) -> alt.ConcatChart:
    """How every two models are related, by their cards and by their norms; families are neighbours."""
    models = [label(model) for model in rows.sort("place_a")["model_a"].unique(maintain_order=True)]
    table = labelled(rows, "model_a", "model_b")
    size = whole_pixels(NARROW - 90 if narrow else 330, len(models))
    panels = []
    gaps = alt.Scale(paddingInner=0.06)
    for side, title in (("declared", "declared in model cards"), ("measured", "measured in norms")):
        cells = table.filter(side=side).select("model_a", "model_b", "relation", "base_repo")
        found = {name: colour for name, colour in RELATIONS.items() if name in cells["relation"]}
        legend = alt.Legend(orient="bottom", direction="vertical")
        panels.append(
            alt.Chart(cells, width=size, height=size, title=title)
            .mark_rect()
            .encode(
                x=alt.X("model_b:N", sort=models, title=None, scale=gaps, axis=alt.Axis(labelAngle=-90)),
                y=alt.Y("model_a:N", sort=models, title=None, scale=gaps),
                color=by_name(alt.Color, "relation", found, legend=legend),
                tooltip=tips("model_a:N", "model_b:N", "relation:N", "base_repo:N"),
            )
        )
    return alt.concat(*panels, columns=1 if narrow else 2).resolve_scale(color="independent")


def declared_families_facts(rows: pl.DataFrame) -> Facts:
    """Counts each pair once."""
    once = rows.filter(pl.col("model_a") < pl.col("model_b")).pivot(
        on="side", index=["model_a", "model_b"], values="relation"
    )
    declared = once.filter(pl.col("declared") != "nothing declared")
    shared = pl.col("measured") == "share weight history"
    return {
        "shared": once.filter(shared).height,
        "both": declared.filter(shared).height,
        "declared": declared.height,
        "absent": declared.filter(measured="no sign").height,
    }


def _beside(
    rows: pl.DataFrame, models: Sequence[str], size: int, digits: str, columns: int
) -> alt.ConcatChart:
    table = labelled(rows, "model_a", "model_b")
    keep = ["model_a", "model_b", *(["stated"] if "stated" in rows.columns else [])]
    is_disputed = pl.concat_str("model_a", "model_b").is_in(["SolarGLM", "GLMSolar"])
    frame = alt.Chart(table.filter(is_disputed).select("model_a", "model_b"))
    frame = frame.mark_rect(filled=False, stroke=DISPUTED_ON_COLOURS, strokeWidth=2.5).encode(
        x=alt.X("model_b:N", sort=list(models)), y=alt.Y("model_a:N", sort=list(models))
    )
    panels = []
    for metric, title, scale in (
        ("cosine", "cosine, colours cropped to 0.90–1.00", _cropped()),
        ("pearson", "Pearson, colours from −1 to 1", _signed()),
    ):
        cells = table.select(*keep, metric)
        drawn = _matrix(cells, ("model_a", "model_b"), models, size, metric, scale, digits=digits)
        panels.append((drawn + frame).properties(title=title))
    return alt.concat(*panels, columns=columns).resolve_scale(color="independent")


def _signed() -> alt.Scale:
    return alt.Scale(scheme=SIGNED, domain=[-1, 1], domainMid=0)


def _cropped() -> alt.Scale:
    return alt.Scale(scheme=MAGNITUDE, domain=[0.9, 1], clamp=True)


def _matrix(
    cells: pl.DataFrame,
    axes: tuple[str, str],
    order: Sequence[str],
    size: int,
    colour: str,
    scale: alt.Scale,
    number: str = "",
    digits: str = ".3f",
    title: str = "",
) -> alt.LayerChart:
    """Row against column: cells coloured by one column, with the numbers of the same or another."""
    size = whole_pixels(size, len(order))
    number = number or colour
    angle = 0 if size / len(order) > 50 else -45
    base = alt.Chart().encode(
        x=alt.X(f"{axes[1]}:N", sort=list(order), title=None, axis=alt.Axis(labelAngle=angle)),
        y=alt.Y(f"{axes[0]}:N", sort=list(order), title=None),
    )
    tooltip = tips(f"{axes[0]}:N", f"{axes[1]}:N", alt.Tooltip(f"{number}:Q", title="value", format=".6f"))
    if "stated" in cells.columns and colour == "cosine":
        tooltip.append(alt.Tooltip("stated:Q", title="printed", format=".4f"))
    if "relation" in cells.columns:
        tooltip.append(alt.Tooltip("relation:N"))
    legend = alt.Legend(gradientLength=160)
    boxes = base.mark_rect().encode(
        color=alt.Color(f"{colour}:Q", title=title, scale=scale, legend=legend), tooltip=tooltip
    )
    numbers = base.mark_text(fontSize=11 if size / len(order) > 38 else 8).encode(
        text=alt.Text(f"{number}:Q", format=digits),
        color=alt.when(_is_dark(colour, scale)).then(alt.value("white")).otherwise(alt.value(ON_COLOURS)),
    )
    return alt.LayerChart(layer=[boxes, numbers], data=cells, width=size, height=size)


def _is_dark(value: str, scale: alt.Scale) -> str:
    """Where black letters could not be read: the lower half of viridis, both ends of the signed scale."""
    low, high = scale.to_dict()["domain"]
    if low < 0:
        return f"abs(datum.{value}) > {0.75 * high}"
    return f"datum.{value} < {low + 0.55 * (high - low)}"
