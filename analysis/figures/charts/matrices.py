"""Small matrices with their numbers in the cells: confusion matrices, one model's layers, all models."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import (
    MAGNITUDE,
    NORMS,
    SIGNED,
    in_order,
    label,
    labelled,
    tips,
    whole_pixels,
)

SIMILARITIES = ("cosine", "pearson", "centered_cosine")
WORDS = {
    "cosine": "cosine",
    "pearson": "Pearson",
    "centered_cosine": "centred cosine",
    "mean_abs_diff": "mean |a − b|",
    "p99_abs_diff": "99 % quantiles of |γ|, apart",
    "rel_l2": "|a − b| / |a|, a in the row",
    "cv_diff": "difference of std / |mean|",
}

SHORT = {"p99_abs_diff": "q99 of |γ|, apart", "rel_l2": "|a − b| / |a|", "cv_diff": "std / |mean|, apart"}


def confusion(rows: pl.DataFrame) -> alt.FacetChart:
    """One metric: kinds of tensors across, layers down."""
    metric, top = rows["metric"][0], rows["highest"][0]
    models = in_order(rows["model_a"].unique().to_list())
    few = rows["ln_type"].n_unique() <= 2
    cells = labelled(rows, "model_a", "model_b", "ln_type").select(
        "model_a", "model_b", "ln_type", "value", layer=pl.format("layer {}", "layer")
    )
    drawn = _matrix(cells, ("model_a", "model_b"), "value", metric, top, models, 150 if few else 122)
    return drawn.facet(column=_kinds(rows), row=alt.Row("layer:N", title=None))


def within(rows: pl.DataFrame) -> alt.ConcatChart:
    """One model's layers by every metric; a distance is coloured by its share of the metric's largest."""
    layers = [str(layer) for layer in sorted(rows["layer_a"].unique())]
    words = {metric: SHORT.get(metric, word) for metric, word in WORDS.items()}
    table = labelled(rows, "ln_type").with_columns(pl.col("layer_a", "layer_b").cast(pl.String))
    panels = []
    for metrics, value, title in (
        (("cosine", "pearson"), "value", "similarity, from −1 to 1"),
        (
            ("mean_abs_diff", "p99_abs_diff", "rel_l2", "cv_diff"),
            "share",
            "share of the metric's largest value",
        ),
    ):
        cells = table.filter(pl.col("metric").is_in(metrics)).select(
            "layer_a", "layer_b", "ln_type", "value", "share", pl.col("metric").replace(words)
        )
        kind = metrics[0]
        drawn = _matrix(cells, ("layer_a", "layer_b"), value, kind, 1, layers, 114, title=title)
        order = alt.Row("metric:N", title=None, sort=[words[metric] for metric in metrics])
        panels.append(drawn.facet(column=_kinds(rows), row=order))
    across = 2 if rows["ln_type"].n_unique() <= 2 else 1  # a page is 640 px wide
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
                240,
                digits=".2f",
                title="",
            )
            panels.append(drawn.properties(title=f"{WORDS[metric]}, {NORMS[ln_type]}"))
    return alt.concat(*panels, columns=2)


def cosine_and_pearson(rows: pl.DataFrame) -> alt.ConcatChart:
    """All pairs of models at one layer: cosine in a cropped range, and what is left of it."""
    models = in_order(rows["model_a"].unique().to_list())
    few = len(models) <= 5
    table = labelled(rows, "model_a", "model_b")
    size = 230 if few else 400
    panels = []
    for metric, title in (
        ("cosine", "cosine, colours cropped to 0.90–1.00"),
        ("pearson", "Pearson, colours from −1 to 1"),
    ):
        keep = ["model_a", "model_b", metric, *(["stated"] if "stated" in rows.columns else [])]
        scale = alt.Scale(scheme=MAGNITUDE, domain=[0.9, 1], clamp=True) if metric == "cosine" else None
        cells = table.select(keep)
        digits = ".3f" if few else ".2f"
        drawn = _matrix(cells, ("model_a", "model_b"), metric, metric, 1, models, size, digits, scale, "")
        panels.append(drawn.properties(title=title))
    done: alt.ConcatChart = alt.concat(*panels, columns=2 if few else 1).resolve_scale(color="independent")
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
) -> alt.LayerChart:
    """Row against column; similarities on a signed scale around 0, distances from 0 up."""
    size = whole_pixels(size, len(order))
    if scale is None and metric in SIMILARITIES:
        scale = alt.Scale(scheme=SIGNED, domain=[-1, 1], domainMid=0)
    scale = scale or alt.Scale(scheme=MAGNITUDE, domain=[0, top or 1])
    number = "value" if value == "share" else value
    digits = digits or (".3f" if metric in SIMILARITIES else ".3~g")
    base = alt.Chart().encode(
        x=alt.X(
            f"{axes[1]}:N", sort=list(order), title=None, axis=alt.Axis(labelAngle=0 if size < 240 else -45)
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
    numbers = base.mark_text(fontSize=11 if size / len(order) > 40 else 9).encode(
        text=alt.Text(f"{number}:Q", format=digits),
        color=alt.when(_is_dark(value, scale)).then(alt.value("white")).otherwise(alt.value("black")),
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
