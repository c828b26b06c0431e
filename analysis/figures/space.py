"""Three dimensions on a plane: Figure 0 (mean subtraction), Figure 6 (surfaces), Figure 7 (PCA).

Rotation and tilt are sliders; the projection is an expression in the chart, so that no other library is
needed. Orthographic, azimuth and elevation as Matplotlib counts them.
"""

from __future__ import annotations

import altair as alt
import numpy as np
import polars as pl

from analysis.figures.style import (
    FAINT,
    FULL,
    INK,
    MAGNITUDE,
    highest,
    in_order,
    label,
    labelled,
    model_colour,
    model_shape,
    packed,
    tips,
)
from analysis.pca import decompose

STAR = (
    "M0,-1L0.2245,-0.309L0.9511,-0.309L0.3633,0.118L0.5878,0.809L0,0.382L-0.5878,0.809L-0.3633,0.118"
    "L-0.9511,-0.309L-0.2245,-0.309Z"
)
AXES = ("x", "y", "z")


def mean_subtraction(rows: pl.DataFrame) -> alt.VConcatChart:
    """Figure 0: two vectors while their means are taken out."""
    turns = _turns(rotation=60, tilt=5)
    removed = alt.param(
        name="removed",
        value=0.5,
        bind=alt.binding_range(min=0, max=1, step=0.02, name="share of the mean removed "),
    )
    here = f"abs(datum.removed - {removed.name}) < 0.005"
    colour = alt.Color("name:N", title=None, scale=alt.Scale(domain=["A", "B"], range=["#000000", "#CC6677"]))
    scenery = rows.filter(pl.col("kind") != "vector").select("kind", "name", *AXES)
    vectors = rows.filter(kind="vector").select("name", "removed", *AXES)
    still = _placed(alt.Chart(scenery))
    plane = (
        still.transform_filter("datum.kind == 'plane'")
        .mark_line(fill="#CCDDEE", fillOpacity=0.5, stroke="#8899AA", strokeWidth=0.7)
        .encode(_across(1.2), _up(1.2), order=alt.Order("name:O"))
    )
    lines = (
        still.transform_filter("datum.kind != 'plane'")
        .mark_rule(color=FAINT)
        .encode(_across(1.2), _up(1.2), x2="zero:Q", y2="zero:Q", strokeDash=_dash())
    )
    names = (
        still.transform_filter("datum.kind != 'plane'")
        .mark_text(color=INK, dy=-7)
        .encode(_across(1.2), _up(1.2), text="name:N")
    )
    arrows = _placed(alt.Chart(vectors).transform_filter(here))
    shafts = arrows.mark_rule(strokeWidth=3).encode(
        _across(1.2), _up(1.2), x2="zero:Q", y2="zero:Q", color=colour
    )
    heads = arrows.mark_point(filled=True, size=120, opacity=1).encode(
        _across(1.2),
        _up(1.2),
        color=colour,
        shape=alt.Shape("name:N", title=None, scale=alt.Scale(domain=["A", "B"], range=["circle", "square"])),
        tooltip=tips("name:N", *(alt.Tooltip(f"{axis}:Q", format=".3f") for axis in AXES)),
    )
    view = (plane + lines + names + shafts + heads).properties(
        width=380, height=380, title="two vectors of three weights; the plane is what is left without means"
    )
    return alt.vconcat(view, _curve(rows, here)).add_params(removed, *turns)


def surfaces(rows: pl.DataFrame) -> alt.ConcatChart:
    """Figure 6: the first hundred weights of every layer of four models, one line a layer."""
    top = float(np.ceil(2 * highest(rows["value"])) / 2)
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
        placed = _placed(
            alt.Chart(lines)
            .transform_flatten(["dim", "value"])
            .transform_calculate(
                x="datum.dim / 99 - 0.5", y=f"datum.layer / {deepest} - 0.5", z=f"datum.value / {top}"
            )
        )
        drawn = placed.mark_line(strokeWidth=0.8).encode(
            _across(0.9),
            _up(1.3, -0.65),
            order="dim:Q",
            detail="layer:O",
            color=alt.Color(
                "layer_mean:Q",
                title="mean γ of the line, colours cropped to 0–2",
                scale=alt.Scale(scheme=MAGNITUDE, domain=[0, 2], clamp=True),
            ),
            tooltip=tips("layer:O", alt.Tooltip("layer_mean:Q", format=".4f")),
        )
        axes = _placed(_placed(alt.Chart(frame)), "0")
        box = axes.mark_rule(color=INK).encode(_across(0.9), _up(1.3, -0.65), x2="across0:Q", y2="up0:Q")
        below, above = (axes.transform_filter(f"datum.z == {z}") for z in (0, 1))
        names = below.mark_text(fontSize=10, color=INK, dy=14) + above.mark_text(
            fontSize=10, color=INK, dy=-7
        )
        names = names.encode(_across(0.9), _up(1.3, -0.65), text=alt.Text("name:N"))
        panels.append((box + drawn + names).properties(width=270, height=250, title=label(model)))
    return alt.concat(*panels, columns=2).add_params(*_turns(rotation=45, tilt=25))


def coordinates(gram: pl.DataFrame) -> pl.DataFrame:
    """One row a model and layer: its place on the first three principal components, and their shares."""
    points = gram.select("model_a", "layer_a").unique(maintain_order=True)
    matrix = gram["centered_product"].to_numpy().reshape(points.height, points.height)
    places, shares = decompose(matrix, 3)
    return points.rename({"model_a": "model", "layer_a": "layer"}).with_columns(
        *(pl.Series(f"pc{n + 1}", np.round(places[:, n], 5)) for n in range(3)),
        *(pl.lit(round(float(shares[n]), 5)).alias(f"share{n + 1}") for n in range(3)),
    )


def principal_components(rows: pl.DataFrame) -> alt.LayerChart:
    """Figure 7: layers of four models on three principal components, each axis on its own scale."""
    models = rows["model"].unique().to_list()
    last = int(highest(rows["layer"]))
    ends = [highest(rows[f"pc{n}"].abs()) for n in (1, 2, 3)]
    shares = [float(rows[f"share{n}"][0]) for n in (1, 2, 3)]
    table = labelled(rows, "model").select("model", "layer", "pc1", "pc2", "pc3")
    points = _placed(
        alt.Chart(table).transform_calculate(
            **{axis: f"datum.pc{n + 1} / {ends[n]}" for n, axis in enumerate(AXES)},
        )
    )
    sizes = alt.when(alt.datum.layer == 0).then(alt.value(200)).otherwise(alt.value(40))
    dots = points.transform_filter(f"datum.layer != {last}").mark_point(filled=True, opacity=0.9)
    tooltip = ["model:N", "layer:Q", *(alt.Tooltip(f"pc{n}:Q", format=".4f") for n in (1, 2, 3))]
    marks = dots.encode(
        _across(1.3),
        _up(1.3),
        color=model_colour(models),
        shape=model_shape(models),
        size=sizes,
        tooltip=tooltip,
    )
    stars = (
        points.transform_filter(f"datum.layer == {last}")
        .mark_point(filled=True, shape=STAR, size=300, opacity=1, stroke=INK, strokeWidth=0.6)
        .encode(_across(1.3), _up(1.3), color=model_colour(models), tooltip=tooltip)
    )
    paths = points.mark_line(strokeWidth=1, opacity=0.5).encode(
        _across(1.3), _up(1.3), color=model_colour(models), order="layer:Q"
    )
    frame = pl.DataFrame(
        {
            "name": [f"PC{n + 1} ({shares[n]:.1%})" for n in range(3)],
            "x": [1.1, 0.0, 0.0],
            "y": [0.0, 1.1, 0.0],
            "z": [0.0, 0.0, 1.1],
        }
    )
    axes = _placed(alt.Chart(frame))
    rules = axes.mark_rule(color=FAINT).encode(_across(1.3), _up(1.3), x2="zero:Q", y2="zero:Q")
    names = axes.mark_text(color=INK, dy=-6).encode(_across(1.3), _up(1.3), text="name:N")
    # letters stay readable where they meet a point
    around = names.mark_text(stroke="white", strokeWidth=4, dy=-6)
    drawn = rules + paths + marks + stars + around + names
    done: alt.LayerChart = drawn.properties(width=FULL, height=420).add_params(*_turns(rotation=-60, tilt=30))
    return done


def _curve(rows: pl.DataFrame, here: str) -> alt.LayerChart:
    """The cosine while the mean goes, with the chosen share marked."""
    table = rows.filter(kind="vector", name="A").select("removed", "cosine", "angle")
    base = alt.Chart(table).encode(
        x=alt.X("removed:Q", title="share of the mean removed", axis=alt.Axis(format="%")),
        y=alt.Y("cosine:Q", scale=alt.Scale(domain=[-1, 1])),
        tooltip=tips(
            alt.Tooltip("removed:Q", format=".0%"), alt.Tooltip("cosine:Q", format=".4f"), "angle:Q"
        ),
    )
    chosen = base.transform_filter(here).mark_point(filled=True, size=90, color=INK)
    words = (
        alt.Chart(table)
        .transform_filter(here)
        .transform_calculate(
            text="'cosine ' + format(datum.cosine, '.2f') + ', ' + format(datum.angle, '.0f') + '°'"
        )
        .mark_text(align="left", x=8, y=120, fontSize=14, color=INK)
        .encode(text=alt.Text("text:N"))
    )
    ends = (
        alt.Chart(table.filter(pl.col("removed").is_in([0.0, 1.0])))
        .transform_calculate(text="format(datum.cosine, '.2f') + ', ' + format(datum.angle, '.0f') + '°'")
        .encode(x="removed:Q", y="cosine:Q", text=alt.Text("text:N"))
    )
    first = ends.transform_filter("datum.removed == 0").mark_text(align="left", dx=4, dy=14, color=INK)
    last = ends.transform_filter("datum.removed == 1").mark_text(align="right", dx=-14, dy=2, color=INK)
    line = base.mark_line(color=INK)
    done: alt.LayerChart = (line + chosen + words + first + last).properties(
        width=380, height=140, title="their cosine; 100 % removed is Pearson"
    )
    return done


def _turns(rotation: int, tilt: int) -> list[alt.Parameter]:
    return [
        alt.param(
            name="rotation",
            value=rotation,
            bind=alt.binding_range(min=-180, max=180, step=5, name="rotation "),
        ),
        alt.param(name="tilt", value=tilt, bind=alt.binding_range(min=-90, max=90, step=5, name="tilt ")),
    ]


def _placed(chart: alt.Chart, suffix: str = "") -> alt.Chart:
    """Adds `across` and `up`, where a point x, y, z is seen."""
    x, y, z = (f"datum.{axis}{suffix}" for axis in AXES)
    turn, lean = "(rotation * PI / 180)", "(tilt * PI / 180)"
    return chart.transform_calculate(
        **{
            f"across{suffix}": f"{y} * cos({turn}) - {x} * sin({turn})",
            f"up{suffix}": f"{z} * cos({lean}) - ({x} * cos({turn}) + {y} * sin({turn})) * sin({lean})",
            "zero": "0",
        }
    )


def _across(end: float) -> alt.X:
    return alt.X("across:Q", axis=None, scale=alt.Scale(domain=[-end, end]))


def _up(high: float, low: float | None = None) -> alt.Y:
    return alt.Y("up:Q", axis=None, scale=alt.Scale(domain=[-high if low is None else low, high]))


def _dash() -> alt.StrokeDash:
    return alt.StrokeDash(
        "kind:N", legend=None, scale=alt.Scale(domain=["axis", "ones"], range=[[1, 0], [6, 4]])
    )
