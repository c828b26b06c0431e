"""What is left of two models' weights without their means, dimension by dimension: a line, or a cloud."""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import DISPUTED_COLOUR, INK, RELATED_COLOUR, label, tips

REACH = 4  # standard deviations from the middle of a panel to its edge
SIZES = {"files": 400, "page": 245, "narrow": 120}  # px


def patterns(rows: pl.DataFrame, place: str = "files") -> alt.HConcatChart:
    """Two pairs at one layer; each axis in units of γ, as long as its spread."""
    panels = []
    for kind, colour in (("related", RELATED_COLOUR), ("disputed", DISPUTED_COLOUR)):
        some = rows.filter(kind=kind)
        if not some.is_empty():
            panels.append(_panel(some, colour, SIZES[place], place == "narrow"))
    return alt.hconcat(*panels, spacing=14 if place == "narrow" else 28)


def inside() -> pl.Expr:
    """Whether a dimension lies within a panel."""
    return (pl.col("a").abs() <= REACH * pl.col("std_a")) & (pl.col("b").abs() <= REACH * pl.col("std_b"))


def _panel(rows: pl.DataFrame, colour: str, size: int, is_narrow: bool) -> alt.LayerChart:
    first = rows.row(0, named=True)
    names = label(first["model_a"]), label(first["model_b"])
    ends = {side: REACH * first[f"std_{side}"] for side in "ab"}
    ticks = alt.Axis(tickCount=3 if is_narrow else 5, grid=False, labelFontSize=9 if is_narrow else 11)
    x = alt.X(
        "a:Q",
        title=f"{names[0]}: γ − mean",
        scale=alt.Scale(domain=[-ends["a"], ends["a"]], nice=False),
        axis=ticks,
    )
    y = alt.Y(
        "b:Q",
        title=f"{names[1]}: γ − mean",
        scale=alt.Scale(domain=[-ends["b"], ends["b"]], nice=False),
        axis=ticks.copy(),
    )
    dots = (
        alt.Chart(rows.filter(inside()).select(pl.col("dim", "a", "b").implode()))
        .transform_flatten(["dim", "a", "b"])
        .mark_circle(size=5 if is_narrow else 9, opacity=0.55, color=colour)
        .encode(x=x, y=y, tooltip=tips("dim:Q", "a:Q", "b:Q"))
    )
    corner = pl.DataFrame({"a": [-ends["a"]], "b": [-ends["b"]], "a2": [ends["a"]], "b2": [ends["b"]]})
    line = (
        alt.Chart(corner)
        .mark_rule(color=INK, strokeDash=[4, 4], strokeWidth=0.8)
        .encode(x=x, y=y, x2="a2:Q", y2="b2:Q")
    )
    metrics = [f"cosine {first['cosine']:.3f}", f"Pearson {first['pearson']:.3f}".replace("-", "−")]
    title = alt.TitleParams(
        " × ".join(names),
        subtitle=metrics if is_narrow else " · ".join(metrics),
        fontSize=12 if is_narrow else 15,
        fontWeight="bold",
        subtitleFontSize=12 if is_narrow else 15,
        subtitleColor=colour,
        subtitlePadding=4,
    )
    done: alt.LayerChart = (dots + line).properties(width=size, height=size, title=title)
    return done
