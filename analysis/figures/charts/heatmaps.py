"""Figures 2, 5 and 6: every layer of one model against every layer of another, and weights by layer."""

from __future__ import annotations

from analysis.figures.charts import alt, pl
from analysis.figures.charts.style import (
    HALF,
    MAGNITUDE,
    ON_COLOURS,
    SIGNED,
    highest,
    in_order,
    label,
    packed,
    tips,
    whole_pixels,
)
from analysis.figures.figure import Facts, means_of

THIRD = 275  # px, of a panel in a row of three


def figure_02(rows: pl.DataFrame) -> alt.HConcatChart:
    """Cosine in the colours' range of the document, and Pearson, side by side."""
    first = rows.row(0, named=True)
    cosine = _grid(rows, "cosine", alt.Scale(scheme=MAGNITUDE, domain=[0.9, 1], clamp=True)).properties(
        title=[
            "cosine, colours cropped to 0.90–1.00",
            f"{first['cells_below_090']} of {rows.height} cells are below 0.90",
            _means(first, "cosine"),
        ]
    )
    pearson = _grid(rows, "pearson", _signed(0.1)).properties(
        title=["Pearson, colours cropped to ±0.1", "(0 is white)", _means(first, "pearson")]
    )
    return alt.hconcat(cosine, pearson, spacing=36).resolve_scale(color="independent")


def figure_02_facts(rows: pl.DataFrame) -> Facts:
    return {"matched": rows["matched_mean_pearson"][0], "mismatched": rows["mismatched_mean_pearson"][0]}


def figure_05(rows: pl.DataFrame) -> alt.ConcatChart:
    """Pearson of six pairs on one scale."""
    panels = []
    for _, grid in rows.group_by("panel", maintain_order=True):
        mean = f"{grid['matched_mean'][0]:.4f}".replace("-", "−")
        title = [
            f"{label(grid['model_a'][0])} × {label(grid['model_b'][0])}",
            f"equal layers: mean {mean}",
        ]
        panels.append(
            _grid(grid, "pearson", _signed(0.1), THIRD, "Pearson, cropped to ±0.1").properties(title=title)
        )
    return alt.concat(*panels, columns=3)


def figure_05_facts(rows: pl.DataFrame) -> Facts:
    """The darkest of the panels whose equal layers are not plainly related, by their mean."""
    panels = rows.unique("panel", maintain_order=True).select("model_a", "model_b", "matched_mean")
    related = panels.filter(model_a="glm", model_b="intellect")["matched_mean"][0]
    others = panels.filter(pl.col("matched_mean").abs() < 0.5).sort(pl.col("matched_mean").abs())
    if others.is_empty():
        return {"related": related, "darkest": "–", "darkest_mean": None, "darkest_caption": ""}
    a, b, mean = others.rows()[-1]
    name = f"{label(a)}–{label(b)}"
    # said in the caption because a dark panel looks like evidence
    of_phi = "phi" in (a, b)
    caption = {
        "en": f"Of the other five the darkest is {name}"
        + (", a pair that nobody calls related." if of_phi else "."),
        "ko": f"나머지 다섯 중 가장 진한 것은 {name}"
        + (", 곧 아무도 관련 있다고 하지 않는 쌍입니다." if of_phi else "입니다."),
    }
    return {"related": related, "darkest": name, "darkest_mean": mean, "darkest_caption": caption}


def figure_06(rows: pl.DataFrame) -> alt.ConcatChart:
    """Figure 6: γ of the first dimensions of every layer, one row a layer, four models on one scale."""
    present = rows["model"].unique().to_list()
    top = int(highest(rows["layer"])) + 1
    panels = []
    for name in in_order(present):
        [model] = [alias for alias in present if label(alias) == name]
        some = rows.filter(model=model)
        cells = (
            alt.Chart(packed(some, ["layer"], ["dim", "value"]))
            .transform_flatten(["dim", "value"])
            .mark_rect()
            .encode(
                x=alt.X("dim:O", title="dimension", axis=_axis(range(100), 20)),
                y=alt.Y(
                    "layer:O",
                    title="layer",
                    axis=_axis(range(top), 10),
                    scale=alt.Scale(domain=list(range(top))),
                ),
                color=alt.Color(
                    "value:Q",
                    title="γ, colours cropped to 0–2",
                    scale=alt.Scale(scheme=MAGNITUDE, domain=[0, 2], clamp=True),
                    legend=alt.Legend(gradientLength=300),
                ),
                tooltip=tips("layer:O", "dim:O", alt.Tooltip("value:Q", title="γ", format=".4f")),
            )
            .properties(width=whole_pixels(HALF - 40, 100), height=whole_pixels(200, top), title=name)
        )
        panels.append(cells)
    return alt.concat(*panels, columns=2)


figure_06_facts = means_of("value")


def _signed(end: float) -> alt.Scale:
    return alt.Scale(scheme=SIGNED, domain=[-end, end], domainMid=0, clamp=True)


def _means(first: dict[str, float], metric: str) -> str:
    equal, unequal = first[f"matched_mean_{metric}"], first[f"mismatched_mean_{metric}"]
    return f"mean {equal:.4f} on equal, {unequal:.4f} on other layers"


def _grid(
    rows: pl.DataFrame, metric: str, scale: alt.Scale, size: int = HALF - 10, legend: str | None = None
) -> alt.LayerChart:
    across, up = (sorted(rows[column].unique()) for column in ("layer_b", "layer_a"))
    width, height = whole_pixels(size, len(across)), whole_pixels(size, len(up))
    cells = (
        alt.Chart(packed(rows, ["layer_a"], ["layer_b", metric]))
        .transform_flatten(["layer_b", metric])
        .mark_rect()
        .encode(
            x=alt.X("layer_b:O", title=f"layer of {label(rows['model_b'][0])}", axis=_axis(across, 10)),
            y=alt.Y(
                "layer_a:O",
                title=f"layer of {label(rows['model_a'][0])}",
                sort="descending",
                axis=_axis(up, 10),
            ),
            color=alt.Color(
                f"{metric}:Q",
                title=legend,
                scale=scale,
                legend=alt.Legend(gradientLength=THIRD if legend else width, tickCount=5),
            ),
            tooltip=tips(
                alt.Tooltip("layer_a:O", title=f"layer of {label(rows['model_a'][0])}"),
                alt.Tooltip("layer_b:O", title=f"layer of {label(rows['model_b'][0])}"),
                alt.Tooltip(f"{metric}:Q", format=".5f"),
            ),
        )
    )
    # visible on every colour: dark with a light edge
    diagonal = (
        alt.Chart(rows.filter(pl.col("layer_a") == pl.col("layer_b")).select("layer_a", "layer_b"))
        .mark_point(size=7, filled=True, fill=ON_COLOURS, stroke="white", strokeWidth=0.8, opacity=1)
        .encode(x="layer_b:O", y=alt.Y("layer_a:O", sort="descending"))
    )
    return (cells + diagonal).properties(width=width, height=height)


def _axis(values: range | list[int], step: int) -> alt.Axis:
    return alt.Axis(values=[value for value in values if value % step == 0], labelAngle=0)
