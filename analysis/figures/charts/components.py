"""Figure 7: layers of four models on their first three principal components."""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import FAINT, FULL, INK, highest, labelled, model_colour, model_shape
from analysis.figures.charts.three_dimensions import AXES, across, projected, sliders, up

REACH = 1.4  # of the view; points reach 1, axes 1.25
STAR = (
    "M0,-1L0.2245,-0.309L0.9511,-0.309L0.3633,0.118L0.5878,0.809L0,0.382L-0.5878,0.809L-0.3633,0.118"
    "L-0.9511,-0.309L-0.2245,-0.309Z"
)


def principal_components(rows: pl.DataFrame) -> alt.VConcatChart:
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
        across(REACH),
        up(REACH),
        color=model_colour(models),
        shape=model_shape(models),
        size=sizes,
        tooltip=tooltip,
    )
    stars = (
        points.transform_filter(f"datum.layer == {last}")
        .mark_point(filled=True, shape=STAR, size=300, opacity=1, stroke=INK, strokeWidth=0.6)
        .encode(across(REACH), up(REACH), color=model_colour(models), tooltip=tooltip)
    )
    paths = points.mark_line(strokeWidth=1, opacity=0.5).encode(
        across(REACH), up(REACH), color=model_colour(models), order="layer:Q"
    )
    frame = pl.DataFrame(
        {
            "name": [f"PC{n + 1} ({shares[n]:.1%})" for n in range(3)],
            "x": [1.25, 0.0, 0.0],
            "y": [0.0, 1.25, 0.0],
            "z": [0.0, 0.0, 1.25],
        }
    )
    axes = projected(alt.Chart(frame))
    rules = axes.mark_rule(color=FAINT).encode(across(REACH), up(REACH), x2="zero:Q", y2="zero:Q")
    # beyond the ends of the axes, where no point can be
    names = axes.mark_text(color=INK, dx=8, dy=2, align="left").encode(
        across(REACH), up(REACH), text="name:N"
    )
    key = f"large symbol: layer 0; star: layer {last}; small symbols: the layers between, joined in order"
    drawn = rules + paths + marks + stars + names
    view = drawn.properties(width=FULL - 100, height=560, title=key)
    return alt.vconcat(view).add_params(*sliders(rotation=-60, tilt=30))
