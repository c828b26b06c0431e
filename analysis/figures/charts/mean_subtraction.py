"""Figure 0: two vectors before and after their means are taken out, in three dimensions, and their cosine."""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import FAINT, FULL, INK, tips
from analysis.figures.charts.three_dimensions import AXES, across, projected, sliders, up

COLOURS = {"A": "#0072B2", "B": "#CC3311"}
REACH, LOW = 1.25, -0.85  # of the view: sideways and up, and down
SIDE = 400  # px


def mean_subtraction(rows: pl.DataFrame) -> alt.VConcatChart:
    """Both ends of the document's animation side by side, and every share between as a curve."""
    ends = [(0.0, "with their means"), (1.0, "without their means, in the plane across (1, 1, 1)")]
    views = alt.hconcat(*(_view(rows, removed, words) for removed, words in ends), spacing=60)
    return alt.vconcat(views, _curve(rows)).add_params(*sliders(rotation=60, tilt=20))


def _view(rows: pl.DataFrame, removed: float, words: str) -> alt.LayerChart:
    vectors = rows.filter(kind="vector", removed=removed).select("name", "cosine", "angle", *AXES)
    cosine, angle = vectors["cosine"][0], vectors["angle"][0]
    scenery = rows.filter(pl.col("kind") != "vector").select("kind", "name", *AXES)
    scene = projected(alt.Chart(scenery))
    plane = (
        scene.transform_filter("datum.kind == 'plane'")
        .mark_line(fill="#CCDDEE", fillOpacity=0.5, stroke="#8899AA", strokeWidth=0.7)
        .encode(across(REACH), up(REACH, LOW), order=alt.Order("name:O"))
    )
    beside = scene.transform_filter("datum.kind != 'plane'")
    lines = beside.mark_rule(color=FAINT).encode(
        across(REACH), up(REACH, LOW), x2="zero:Q", y2="zero:Q", strokeDash=_dash()
    )
    names = beside.mark_text(color=FAINT, dy=-9, dx=-12).encode(across(REACH), up(REACH, LOW), text="name:N")
    colour = alt.Color(
        "name:N", legend=None, scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    )
    arrows = projected(alt.Chart(vectors.drop("cosine", "angle"))).encode(
        across(REACH), up(REACH, LOW), color=colour
    )
    shafts = arrows.mark_rule(strokeWidth=3).encode(x2="zero:Q", y2="zero:Q")
    heads = arrows.mark_point(filled=True, size=90, opacity=1).encode(
        tooltip=tips("name:N", *(alt.Tooltip(f"{axis}:Q", format=".3f") for axis in AXES))
    )
    labels = arrows.mark_text(fontSize=16, fontWeight="bold", dy=16).encode(text="name:N")
    title = [words, f"cosine {cosine:.2f}, angle {angle:.0f}°".replace("-", "−")]
    done: alt.LayerChart = (plane + lines + names + shafts + heads + labels).properties(
        width=SIDE, height=SIDE * 0.7, title=title
    )
    return done


def _curve(rows: pl.DataFrame) -> alt.LayerChart:
    """The cosine while the mean goes."""
    table = rows.filter(kind="vector", name="A").select("removed", "cosine", "angle")
    base = alt.Chart(table).encode(
        x=alt.X("removed:Q", title="share of the mean removed", axis=alt.Axis(format="%")),
        y=alt.Y("cosine:Q", scale=alt.Scale(domain=[-1, 1])),
        tooltip=tips(
            alt.Tooltip("removed:Q", format=".0%"), alt.Tooltip("cosine:Q", format=".4f"), "angle:Q"
        ),
    )
    ends = base.transform_filter("datum.removed == 0 || datum.removed == 1")
    dots = ends.mark_point(filled=True, size=90, color=INK)
    words = ends.transform_calculate(text="format(datum.cosine, '.2f')").encode(text="text:N")
    first = words.transform_filter("datum.removed == 0").mark_text(align="left", dx=8, dy=14, color=INK)
    last = words.transform_filter("datum.removed == 1").mark_text(align="right", dx=-10, dy=12, color=INK)
    zero = alt.Chart(alt.InlineData([{"zero": 0}])).mark_rule(color=FAINT, strokeDash=[2, 3])
    done: alt.LayerChart = (
        zero.encode(y=alt.Y("zero:Q", title="cosine")) + base.mark_line(color=INK) + dots + first + last
    ).properties(
        width=FULL - 60, height=150, title="their cosine on the way; at 100 % it is the Pearson correlation"
    )
    return done


def _dash() -> alt.StrokeDash:
    return alt.StrokeDash(
        "kind:N", legend=None, scale=alt.Scale(domain=["axis", "ones"], range=[[1, 0], [6, 4]])
    )
