"""Figure 6: the first hundred weights of every layer, as one surface a model."""

from __future__ import annotations

from math import ceil

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import INK, MAGNITUDE, highest, in_order, label, packed, tips
from analysis.figures.charts.three_dimensions import across, projected, sliders, up


def surfaces(rows: pl.DataFrame) -> alt.ConcatChart:
    """Figure 6: the first hundred weights of every layer of four models, one line a layer."""
    top = ceil(2 * highest(rows["value"])) / 2
    deepest = int(highest(rows["layer"]))
    frame = pl.DataFrame(
        {
            "name": ["dim 0–99", f"layer 0–{deepest}", f"γ, 0–{top:g}"],
            "x0": [-0.5, -0.5, -0.5],
            "y0": [-0.5, -0.5, -0.5],
            "z0": [0, 0, 0],
            "x": [0.5, -0.5, -0.5],
            "y": [-0.5, 0.5, -0.5],
            "z": [0, 0, 1],
        }
    )
    present = rows["model"].unique().to_list()
    panels = []
    for model in [alias for name in in_order(present) for alias in present if label(alias) == name]:
        lines = packed(rows.filter(model=model), ["layer", "layer_mean"], ["dim", "value"])
        placed = projected(
            alt.Chart(lines)
            .transform_flatten(["dim", "value"])
            .transform_calculate(
                x="datum.dim / 99 - 0.5", y=f"datum.layer / {deepest} - 0.5", z=f"datum.value / {top}"
            )
        )
        drawn = placed.mark_line(strokeWidth=0.8).encode(
            across(0.9),
            up(1.3, -0.65),
            order="dim:Q",
            detail="layer:O",
            color=alt.Color(
                "layer_mean:Q",
                title="mean γ of the line, colours cropped to 0–2",
                scale=alt.Scale(scheme=MAGNITUDE, domain=[0, 2], clamp=True),
            ),
            tooltip=tips("layer:O", alt.Tooltip("layer_mean:Q", format=".4f")),
        )
        axes = projected(projected(alt.Chart(frame)), "0")
        box = axes.mark_rule(color=INK).encode(across(0.9), up(1.3, -0.65), x2="across0:Q", y2="up0:Q")
        below, above = (axes.transform_filter(f"datum.z == {z}") for z in (0, 1))
        names = below.mark_text(fontSize=10, color=INK, dy=14) + above.mark_text(
            fontSize=10, color=INK, dy=-7
        )
        names = names.encode(across(0.9), up(1.3, -0.65), text=alt.Text("name:N"))
        panels.append((box + drawn + names).properties(width=270, height=250, title=label(model)))
    return alt.concat(*panels, columns=2).add_params(*sliders(rotation=45, tilt=25))
