"""Figure 9: histograms of the weights of two models, layer above layer."""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import HALF, INK, NORMS, highest, labelled, model_colour, packed, tips

HEIGHT = 0.12  # of a layer's place, for a density of 1; the document's own
STEP = 3  # layers between two ridges


def ridges(rows: pl.DataFrame) -> alt.HConcatChart:
    models = sorted(rows["model"].unique().to_list(), key=lambda model: model != "glm")
    deepest = max(rows["layer"].to_list())
    panels = []
    for ln_type in NORMS:
        some = rows.filter(ln_type=ln_type)
        if some.is_empty():
            continue
        outside = max(some["outside"].to_list())
        beyond = f"up to {outside:.1%} of a layer is" if outside else "nothing is"
        title = [NORMS[ln_type], f"{beyond} beyond −0.2 to 2.0"]
        panels.append(_panel(some, models, deepest).properties(title=title))
    return alt.hconcat(*panels)


def _panel(rows: pl.DataFrame, models: list[str], deepest: int) -> alt.LayerChart:
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
            x=alt.X("bin:Q", title="γ", scale=alt.Scale(domain=[-0.2, 2], nice=False)),
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
    done: alt.LayerChart = (areas + initial).properties(width=HALF, height=520)
    return done
