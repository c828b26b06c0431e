"""Figure 0: two vectors while their means are taken out, in three dimensions, and their cosine."""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import FAINT, INK, tips
from analysis.figures.charts.three_dimensions import AXES, across, projected, sliders, up


def mean_subtraction(rows: pl.DataFrame) -> alt.VConcatChart:
    """Figure 0: two vectors while their means are taken out."""
    turns = sliders(rotation=60, tilt=5)
    removed = alt.param(
        name="removed",
        value=0.5,
        bind=alt.binding_range(min=0, max=1, step=0.02, name="share of the mean removed "),
    )
    here = f"abs(datum.removed - {removed.name}) < 0.005"
    colour = alt.Color("name:N", title=None, scale=alt.Scale(domain=["A", "B"], range=["#000000", "#CC6677"]))
    scenery = rows.filter(pl.col("kind") != "vector").select("kind", "name", *AXES)
    vectors = rows.filter(kind="vector").select("name", "removed", *AXES)
    scene = projected(alt.Chart(scenery))
    plane = (
        scene.transform_filter("datum.kind == 'plane'")
        .mark_line(fill="#CCDDEE", fillOpacity=0.5, stroke="#8899AA", strokeWidth=0.7)
        .encode(across(1.2), up(1.2), order=alt.Order("name:O"))
    )
    lines = (
        scene.transform_filter("datum.kind != 'plane'")
        .mark_rule(color=FAINT)
        .encode(across(1.2), up(1.2), x2="zero:Q", y2="zero:Q", strokeDash=_dash())
    )
    names = (
        scene.transform_filter("datum.kind != 'plane'")
        .mark_text(color=INK, dy=-7)
        .encode(across(1.2), up(1.2), text="name:N")
    )
    arrows = projected(alt.Chart(vectors).transform_filter(here))
    shafts = arrows.mark_rule(strokeWidth=3).encode(
        across(1.2), up(1.2), x2="zero:Q", y2="zero:Q", color=colour
    )
    heads = arrows.mark_point(filled=True, size=120, opacity=1).encode(
        across(1.2),
        up(1.2),
        color=colour,
        shape=alt.Shape("name:N", title=None, scale=alt.Scale(domain=["A", "B"], range=["circle", "square"])),
        tooltip=tips("name:N", *(alt.Tooltip(f"{axis}:Q", format=".3f") for axis in AXES)),
    )
    view = (plane + lines + names + shafts + heads).properties(
        width=380, height=380, title="two vectors of three weights; the plane is what is left without means"
    )
    return alt.vconcat(view, _curve(rows, here)).add_params(removed, *turns)


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


def _dash() -> alt.StrokeDash:
    return alt.StrokeDash(
        "kind:N", legend=None, scale=alt.Scale(domain=["axis", "ones"], range=[[1, 0], [6, 4]])
    )
