"""Figure 7: layers of four models on their first three principal components."""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import FAINT, FULL, INK, highest, labelled, model_colour, model_shape
from analysis.figures.charts.three_dimensions import AXES, across, projected, sliders, up

STAR = (
    "M0,-1L0.2245,-0.309L0.9511,-0.309L0.3633,0.118L0.5878,0.809L0,0.382L-0.5878,0.809L-0.3633,0.118"
    "L-0.9511,-0.309L-0.2245,-0.309Z"
)


def principal_components(rows: pl.DataFrame) -> alt.LayerChart:
    """Figure 7: layers of four models on three principal components, each axis on its own scale."""
    models = rows["model"].unique().to_list()
    last = int(highest(rows["layer"]))
    ends = [highest(rows[f"pc{n}"].abs()) for n in (1, 2, 3)]
    shares = [float(rows[f"share{n}"][0]) for n in (1, 2, 3)]
    table = labelled(rows, "model").select("model", "layer", "pc1", "pc2", "pc3")
    points = projected(
        alt.Chart(table).transform_calculate(
            **{axis: f"datum.pc{n + 1} / {ends[n]}" for n, axis in enumerate(AXES)},
        )
    )
    sizes = alt.when(alt.datum.layer == 0).then(alt.value(200)).otherwise(alt.value(40))
    dots = points.transform_filter(f"datum.layer != {last}").mark_point(filled=True, opacity=0.9)
    tooltip = ["model:N", "layer:Q", *(alt.Tooltip(f"pc{n}:Q", format=".4f") for n in (1, 2, 3))]
    marks = dots.encode(
        across(1.3),
        up(1.3),
        color=model_colour(models),
        shape=model_shape(models),
        size=sizes,
        tooltip=tooltip,
    )
    stars = (
        points.transform_filter(f"datum.layer == {last}")
        .mark_point(filled=True, shape=STAR, size=300, opacity=1, stroke=INK, strokeWidth=0.6)
        .encode(across(1.3), up(1.3), color=model_colour(models), tooltip=tooltip)
    )
    paths = points.mark_line(strokeWidth=1, opacity=0.5).encode(
        across(1.3), up(1.3), color=model_colour(models), order="layer:Q"
    )
    frame = pl.DataFrame(
        {
            "name": [f"PC{n + 1} ({shares[n]:.1%})" for n in range(3)],
            "x": [1.1, 0.0, 0.0],
            "y": [0.0, 1.1, 0.0],
            "z": [0.0, 0.0, 1.1],
        }
    )
    axes = projected(alt.Chart(frame))
    rules = axes.mark_rule(color=FAINT).encode(across(1.3), up(1.3), x2="zero:Q", y2="zero:Q")
    names = axes.mark_text(color=INK, dy=-6).encode(across(1.3), up(1.3), text="name:N")
    # letters stay readable where they meet a point
    around = names.mark_text(stroke="white", strokeWidth=4, dy=-6)
    drawn = rules + paths + marks + stars + around + names
    done: alt.LayerChart = drawn.properties(width=FULL, height=420).add_params(
        *sliders(rotation=-60, tilt=30)
    )
    return done
