"""Three dimensions on a plane, for Figures 0 and 7.

Rotation and tilt are sliders; the projection is an expression in the chart, so that no other library is
needed. Orthographic, azimuth and elevation as Matplotlib counts them.
"""

from __future__ import annotations

from analysis.figures.charts.libraries import alt

AXES = ("x", "y", "z")


def sliders(rotation: int, tilt: int) -> list[alt.Parameter]:
    return [
        alt.param(
            name="rotation",
            value=rotation,
            bind=alt.binding_range(min=-180, max=180, step=5, name="rotation "),
        ),
        alt.param(name="tilt", value=tilt, bind=alt.binding_range(min=-90, max=90, step=5, name="tilt ")),
    ]


def projected(chart: alt.Chart, suffix: str = "") -> alt.Chart:
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


def across(end: float) -> alt.X:
    return alt.X("across:Q", axis=None, scale=alt.Scale(domain=[-end, end]))


def up(high: float, low: float | None = None) -> alt.Y:
    return alt.Y("up:Q", axis=None, scale=alt.Scale(domain=[-high if low is None else low, high]))
