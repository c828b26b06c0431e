"""Figures 0 and 7: three dimensions on a plane.

Rotation and tilt are sliders; the projection is an expression in the chart, so that no other library is
needed. It is orthographic, with azimuth and elevation as Matplotlib counts them.
"""

from __future__ import annotations

from analysis.figures.charts import alt, np, pl
from analysis.figures.charts.style import (
    FAINT,
    FULL,
    INK,
    by_name,
    highest,
    labelled,
    model_colour,
    model_shape,
    tips,
)
from analysis.figures.figure import Facts
from warehouse.errors import LakeError

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


def projected(chart: alt.Chart) -> alt.Chart:
    """Adds `across` and `up`, where a point x, y, z is seen."""
    x, y, z = (f"datum.{axis}" for axis in AXES)
    turn, lean = "(rotation * PI / 180)", "(tilt * PI / 180)"
    return chart.transform_calculate(
        across=f"{y} * cos({turn}) - {x} * sin({turn})",
        up=f"{z} * cos({lean}) - ({x} * cos({turn}) + {y} * sin({turn})) * sin({lean})",
        zero="0",
    )


def across(end: float) -> alt.X:
    return alt.X("across:Q", axis=None, scale=alt.Scale(domain=[-end, end]))


def up(high: float, low: float | None = None) -> alt.Y:
    return alt.Y("up:Q", axis=None, scale=alt.Scale(domain=[-high if low is None else low, high]))


COLOURS = {"A": "#0072B2", "B": "#CC3311"}
DASHES = {"axis": [1, 0], "ones": [6, 4]}
REACH, LOW = 1.25, -0.85  # of the view: sideways and up, and down
SIDE = 400  # px


def figure_00(rows: pl.DataFrame) -> alt.VConcatChart:
    """Both ends of the document's animation side by side, and every share between as a curve."""
    ends = [(0.0, "with their means"), (1.0, "without their means, in the plane across (1, 1, 1)")]
    views = alt.hconcat(*(_view(rows, removed, words) for removed, words in ends), spacing=60)
    return alt.vconcat(views, _curve(rows)).add_params(*sliders(rotation=60, tilt=20))


def figure_00_facts(rows: pl.DataFrame) -> Facts:
    by_share = dict(rows.select("removed", "cosine").drop_nulls().rows())
    return {"before": by_share[0.0], "after": by_share[1.0]}


def _view(rows: pl.DataFrame, removed: float, words: str) -> alt.LayerChart:
    vectors = rows.filter(kind="vector", removed=removed).select("name", "cosine", "angle", *AXES)
    cosine, angle = vectors["cosine"][0], vectors["angle"][0]
    place = across(REACH), up(REACH, LOW)
    scenery = rows.filter(pl.col("kind") != "vector").select("kind", "name", *AXES)
    scene = projected(alt.Chart(scenery))
    plane = (
        scene.transform_filter("datum.kind == 'plane'")
        .mark_line(fill="#CCDDEE", fillOpacity=0.5, stroke="#8899AA", strokeWidth=0.7)
        .encode(*place, order=alt.Order("name:O"))
    )
    beside = scene.transform_filter("datum.kind != 'plane'")
    lines = beside.mark_rule(color=FAINT).encode(
        *place, x2="zero:Q", y2="zero:Q", strokeDash=by_name(alt.StrokeDash, "kind", DASHES, legend=None)
    )
    names = beside.mark_text(color=FAINT, dy=-9, dx=-12).encode(*place, text="name:N")
    colour = by_name(alt.Color, "name", COLOURS, legend=None)
    arrows = projected(alt.Chart(vectors.drop("cosine", "angle"))).encode(*place, color=colour)
    shafts = arrows.mark_rule(strokeWidth=3).encode(x2="zero:Q", y2="zero:Q")
    heads = arrows.mark_point(filled=True, size=90, opacity=1).encode(
        tooltip=tips("name:N", *(alt.Tooltip(f"{axis}:Q", format=".3f") for axis in AXES))
    )
    labels = arrows.mark_text(fontSize=16, fontWeight="bold", dy=16).encode(text="name:N")
    title = [words, f"cosine {cosine:.2f}, angle {angle:.0f}°".replace("-", "−")]
    return (plane + lines + names + shafts + heads + labels).properties(
        width=SIDE, height=SIDE * 0.7, title=title
    )


def _curve(rows: pl.DataFrame) -> alt.LayerChart:
    """The cosine by the share of the mean that is removed."""
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
    return (
        zero.encode(y=alt.Y("zero:Q", title="cosine")) + base.mark_line(color=INK) + dots + first + last
    ).properties(
        width=FULL - 60, height=150, title="their cosine on the way; at 100 % it is the Pearson correlation"
    )


STAR = (
    "M0,-1L0.2245,-0.309L0.9511,-0.309L0.3633,0.118L0.5878,0.809L0,0.382L-0.5878,0.809L-0.3633,0.118"
    "L-0.9511,-0.309L-0.2245,-0.309Z"
)


def figure_07(rows: pl.DataFrame) -> alt.VConcatChart:
    """Figure 7: layers of four models on three principal components, all axes on one scale."""
    width, height = FULL - 100, 460
    place = across(1.2), up(1.2 * height / width)  # one unit is as long in every direction
    models = rows["model"].unique().to_list()
    last = int(highest(rows["layer"]))
    ends = [highest(rows[f"pc{n}"].abs()) for n in (1, 2, 3)]
    longest = max(ends)
    shares = [float(rows[f"share{n}"][0]) for n in (1, 2, 3)]
    table = labelled(rows, "model").select("model", "layer", "pc1", "pc2", "pc3")
    points = projected(
        alt.Chart(table).transform_calculate(
            **{axis: f"datum.pc{n + 1} / {longest}" for n, axis in enumerate(AXES)},
        )
    )
    sizes = alt.when(alt.datum.layer == 0).then(alt.value(200)).otherwise(alt.value(40))
    dots = points.transform_filter(f"datum.layer != {last}").mark_point(filled=True, opacity=0.9)
    tooltip = ["model:N", "layer:Q", *(alt.Tooltip(f"pc{n}:Q", format=".4f") for n in (1, 2, 3))]
    marks = dots.encode(
        *place,
        color=model_colour(models),
        shape=model_shape(models),
        size=sizes,
        tooltip=tooltip,
    )
    stars = (
        points.transform_filter(f"datum.layer == {last}")
        .mark_point(filled=True, shape=STAR, size=300, opacity=1, stroke=INK, strokeWidth=0.6)
        .encode(*place, color=model_colour(models), tooltip=tooltip)
    )
    paths = points.mark_line(strokeWidth=1, opacity=0.5).encode(
        *place, color=model_colour(models), order="layer:Q"
    )
    frame = pl.DataFrame(
        {
            "name": [f"PC{n + 1} ({shares[n]:.1%})" for n in range(3)],
            **{
                axis: [max(1.15 * ends[n] / longest, 0.3) if n == m else 0.0 for m in range(3)]
                for n, axis in enumerate(AXES)
            },
        }
    )
    axes = projected(alt.Chart(frame))
    rules = axes.mark_rule(color=FAINT).encode(*place, x2="zero:Q", y2="zero:Q")
    # beyond the ends of the axes, where no point lies
    names = axes.mark_text(color=INK, dx=8, dy=2, align="left").encode(*place, text="name:N")
    key = f"large symbol: layer 0; star: layer {last}; small symbols: the layers between, joined in order"
    drawn = rules + paths + marks + stars + names
    view = drawn.properties(width=width, height=height, title=key)
    return alt.vconcat(view).add_params(*sliders(rotation=-60, tilt=30))


def figure_07_facts(rows: pl.DataFrame) -> Facts:
    shares = [float(rows[f"share{n}"][0]) for n in (1, 2, 3)]
    return {"share1": shares[0], "share123": sum(shares)}


COMPONENTS = 3


def coordinates(gram: pl.DataFrame) -> pl.DataFrame:
    """One row per model and layer: its place on the first three principal components, and their shares."""
    points = gram.select("model_a", "layer_a").unique(maintain_order=True)
    if points.height <= COMPONENTS or points.height**2 != gram.height:
        raise LakeError(
            f"principal components need more than {COMPONENTS} vectors of one width: this lake has "
            f"{points.height}, or they differ in width; `just ingest` models of one width"
        )
    matrix = gram["centered_product"].to_numpy().reshape(points.height, points.height)
    places, shares = decompose(matrix, COMPONENTS)
    return points.rename({"model_a": "model", "layer_a": "layer"}).with_columns(
        *(pl.Series(f"pc{n + 1}", np.round(places[:, n], 5)) for n in range(COMPONENTS)),
        *(pl.lit(round(float(shares[n]), 5)).alias(f"share{n + 1}") for n in range(COMPONENTS)),
    )


def decompose(gram: np.ndarray, components: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates (one row per point) and shares of the variance, from a centred Gram matrix."""
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    values = np.clip(values[::-1], 0, None)
    coordinates = (vectors[:, ::-1] * np.sqrt(values))[:, :components]
    # An eigenvector has no sign of its own: the point farthest out lies on the positive side.
    farthest = np.abs(coordinates).argmax(axis=0)
    coordinates = coordinates * np.where(coordinates[farthest, range(components)] < 0, -1.0, 1.0)
    return coordinates, values[:components] / max(values.sum(), np.finfo(float).tiny)
