"""Small matrices with their numbers in the cells: confusion matrices, one model's layers, all models."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.figures.charts import alt, pl
from analysis.figures.charts.style import (
    BAND,
    DISPUTED_COLOUR,
    FIXED,
    MAGNITUDE,
    NARROW,
    NORMS,
    ON_COLOURS,
    RELATED_COLOUR,
    SIGNED,
    in_order,
    label,
    labelled,
    tips,
    whole_pixels,
)

SIMILARITIES = ("cosine", "pearson")
METRICS = ("cosine", "pearson", "mean_abs_diff", "p99_abs_diff", "rel_l2", "cv_diff")
WORDS = {
    "cosine": "cosine",
    "pearson": "Pearson, which is the centred cosine",
    "mean_abs_diff": "mean |a − b|",
    "p99_abs_diff": "99 % quantiles of |γ|, apart",
    "rel_l2": "|a − b| / |a|, a in the row",
    "cv_diff": "difference of std / |mean|",
}

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
        for kind, name in NORMS.items():
            cells = table.filter(layer=layer, ln_type=kind)
            if cells.is_empty():
                continue
            scale = alt.Scale(scheme=SIGNED, domain=[-1, 1], domainMid=0)
            drawn = _matrix(
                cells.select("metric", "model_a", "model_b", "value", "colour"),
                ("model_a", "model_b"),
                "colour",
                "pearson",
                1,
                models,
                210,
                digits=".3~g",
                scale=scale,
                title="similarity, or share of the largest distance",
                number="value",
            )
            drawn = drawn.transform_filter(alt.datum.metric == chosen)
            panels.append(drawn.properties(title=f"layer {layer}, {name}"))
    columns = rows["ln_type"].n_unique()
    # with two kinds of tensors, one row a layer would leave half of the page empty
    if columns <= 2:
        panels = [panel for kind in range(columns) for panel in panels[kind::columns]]
        columns = len(layers)
    return alt.concat(*panels, columns=columns).add_params(chosen)


def within(rows: pl.DataFrame) -> alt.ConcatChart:
    """One model's layers by every metric; a distance is coloured by its share of the metric's largest."""
    layers = [str(layer) for layer in sorted(rows["layer_a"].unique())]
    words = {metric: SHORT.get(metric, word) for metric, word in WORDS.items()}
    table = labelled(rows, "ln_type").with_columns(pl.col("layer_a", "layer_b").cast(pl.String))
    panels = []
    for metrics, value, title in (
        (("cosine", "pearson"), "value", "similarity, from −1 to 1"),
        (("mean_abs_diff", "p99_abs_diff"), "share", "share of the metric's largest value"),
        (("rel_l2", "cv_diff"), "share", "share of the metric's largest value"),
    ):
        cells = table.filter(pl.col("metric").is_in(metrics)).select(
            "layer_a", "layer_b", "ln_type", "value", "share", pl.col("metric").replace(words)
        )
        drawn = _matrix(cells, ("layer_a", "layer_b"), value, metrics[0], 1, layers, 132, title=title)
        order = alt.Row("metric:N", title=None, sort=[words[metric] for metric in metrics])
        panels.append(drawn.facet(column=_kinds(rows), row=order))
    across = 3 if rows["ln_type"].n_unique() <= 2 else 1  # four kinds of tensors fill a page
    done: alt.ConcatChart = alt.concat(*panels, columns=across).resolve_scale(color="independent")
    return done


def mixed(rows: pl.DataFrame) -> alt.ConcatChart:
    """Models and layers in one matrix; lines part the models."""
    order = [model for model in ("solar", "glm", "phi") if model in rows["model_a"]]
    layers = sorted(rows["layer_a"].unique())
    points = [f"{label(model)} {layer}" for model in order for layer in layers]
    names = [pl.col(f"point_{side}").str.replace(model, label(model)) for side in "ab" for model in order]
    table = rows
    for name in names:
        table = table.with_columns(name)
    panels = []
    for metric in ("cosine", "pearson"):
        for ln_type in [kind for kind in NORMS if kind in rows["ln_type"]]:
            cells = table.filter(ln_type=ln_type).select("point_a", "point_b", "relation", metric)
            drawn = _matrix(
                cells,
                ("point_a", "point_b"),
                metric,
                metric,
                1,
                points,
                396,
                digits=".2f",
                title="",
            )
            panels.append(drawn.properties(title=f"{WORDS[metric]}, {NORMS[ln_type]}"))
    return alt.concat(*panels, columns=2).properties(usermeta=FIXED)


def cosine_and_pearson(rows: pl.DataFrame) -> alt.ConcatChart:
    """A few models at one layer: cosine in a cropped range, and Pearson."""
    models = in_order(rows["model_a"].unique().to_list())
    return _beside(rows, models, size=380, digits=".3f", columns=2)


def all_models(rows: pl.DataFrame, narrow: bool = False) -> alt.ConcatChart:
    """All models that have another of their width; the disputed pair framed."""
    paired = rows.filter(pl.col("model_a") != pl.col("model_b"))
    rows = rows.filter(pl.col("model_a").is_in(paired["model_a"].implode()))
    models = in_order(rows["model_a"].unique().to_list())
    size, columns = (250, 1) if narrow else (400, 2)
    return _beside(rows, models, size=size, digits=".2f", columns=columns)


RELATIONS = {
    "declared base": RELATED_COLOUR,
    "same declared base": "#56B4E9",
    "share weight history": RELATED_COLOUR,
    "no sign": BAND,
    "nothing declared": BAND,
    "cannot tell": "#F3E3A8",
}


def declared_and_measured(rows: pl.DataFrame, narrow: bool = False) -> alt.ConcatChart:
    """What joins every two models, by their cards and by their norms; models of a family are neighbours."""
    models = [label(model) for model in rows.sort("place_a")["model_a"].unique(maintain_order=True)]
    table = labelled(rows, "model_a", "model_b")
    size = whole_pixels(NARROW - 90 if narrow else 330, len(models))
    panels = []
    gaps = alt.Scale(paddingInner=0.06)
    for side, title in (("declared", "declared in model cards"), ("measured", "measured in norms")):
        cells = table.filter(side=side).select("model_a", "model_b", "relation", "base_repo")
        found = [relation for relation in RELATIONS if relation in cells["relation"]]
        scale = alt.Scale(domain=found, range=[RELATIONS[relation] for relation in found])
        legend = alt.Legend(orient="bottom", direction="vertical")
        panels.append(
            alt.Chart(cells, width=size, height=size, title=title)
            .mark_rect()
            .encode(
                x=alt.X("model_b:N", sort=models, title=None, scale=gaps, axis=alt.Axis(labelAngle=-90)),
                y=alt.Y("model_a:N", sort=models, title=None, scale=gaps),
                color=alt.Color("relation:N", title=None, scale=scale, legend=legend),
                tooltip=tips("model_a:N", "model_b:N", "relation:N", "base_repo:N"),
            )
        )
    done: alt.ConcatChart = alt.concat(*panels, columns=1 if narrow else 2).resolve_scale(color="independent")
    return done


def _beside(
    rows: pl.DataFrame, models: Sequence[str], size: int, digits: str, columns: int
) -> alt.ConcatChart:
    table = labelled(rows, "model_a", "model_b")
    keep = ["model_a", "model_b", *(["stated"] if "stated" in rows.columns else [])]
    disputed = table.filter(pl.concat_str("model_a", "model_b").is_in(["SolarGLM", "GLMSolar"])).select(
        "model_a", "model_b"
    )
    panels = []
    for metric, title in (
        ("cosine", "cosine, colours cropped to 0.90–1.00"),
        ("pearson", "Pearson, colours from −1 to 1"),
    ):
        scale = alt.Scale(scheme=MAGNITUDE, domain=[0.9, 1], clamp=True) if metric == "cosine" else None
        cells = table.select(*keep, metric)
        drawn = _matrix(cells, ("model_a", "model_b"), metric, metric, 1, models, size, digits, scale, "")
        frame = (
            alt.Chart(disputed)
            .mark_rect(filled=False, stroke=DISPUTED_COLOUR, strokeWidth=2.5)
            .encode(x=alt.X("model_b:N", sort=list(models)), y=alt.Y("model_a:N", sort=list(models)))
        )
        panels.append((drawn + frame).properties(title=title))
    done: alt.ConcatChart = alt.concat(*panels, columns=columns).resolve_scale(color="independent")
    return done


def _matrix(
    cells: pl.DataFrame,
    axes: tuple[str, str],
    value: str,
    metric: str,
    top: float,
    order: Sequence[str],
    size: int,
    digits: str = "",
    scale: alt.Scale | None = None,
    title: str | None = None,
    number: str = "",
) -> alt.LayerChart:
    """Row against column; similarities on a signed scale around 0, distances from 0 up."""
    size = whole_pixels(size, len(order))
    if scale is None and metric in SIMILARITIES:
        scale = alt.Scale(scheme=SIGNED, domain=[-1, 1], domainMid=0)
    scale = scale or alt.Scale(scheme=MAGNITUDE, domain=[0, top or 1])
    number = number or ("value" if value == "share" else value)
    digits = digits or (".3f" if metric in SIMILARITIES else ".3~g")
    base = alt.Chart().encode(
        x=alt.X(
            f"{axes[1]}:N",
            sort=list(order),
            title=None,
            axis=alt.Axis(labelAngle=0 if size / len(order) > 50 else -45),
        ),
        y=alt.Y(f"{axes[0]}:N", sort=list(order), title=None),
    )
    legend = alt.Legend(gradientLength=160)
    tooltip = tips(f"{axes[0]}:N", f"{axes[1]}:N", alt.Tooltip(f"{number}:Q", title="value", format=".6f"))
    if "stated" in cells.columns and metric == "cosine":
        tooltip.append(alt.Tooltip("stated:Q", title="printed", format=".4f"))
    if "relation" in cells.columns:
        tooltip.append(alt.Tooltip("relation:N"))
    colour = alt.Color(
        f"{value}:Q", title=WORDS[metric] if title is None else title, scale=scale, legend=legend
    )
    boxes = base.mark_rect().encode(color=colour, tooltip=tooltip)
    numbers = base.mark_text(fontSize=11 if size / len(order) > 38 else 8).encode(
        text=alt.Text(f"{number}:Q", format=digits),
        color=alt.when(_is_dark(value, scale)).then(alt.value("white")).otherwise(alt.value(ON_COLOURS)),
    )
    return alt.LayerChart(layer=[boxes, numbers], data=cells, width=size, height=size)


def _kinds(rows: pl.DataFrame) -> alt.Column:
    """Kinds of tensors from left to right."""
    present = [name for kind, name in NORMS.items() if kind in rows["ln_type"]]
    return alt.Column("ln_type:N", title=None, sort=present)


def _is_dark(value: str, scale: alt.Scale) -> str:
    """Where black letters could not be read: the lower half of viridis, both ends of the signed scale."""
    low, high = scale.to_dict()["domain"]
    if low < 0:
        return f"abs(datum.{value}) > {0.75 * high}"
    return f"datum.{value} < {low + 0.55 * (high - low)}"
