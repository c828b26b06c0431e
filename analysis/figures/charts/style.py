"""How every chart looks: colours and shapes of models and metrics, fonts, scales, titles.

A model has one colour and one shape in all figures. The colours are Okabe and Ito's and Tol's muted set,
which readers with any common colour blindness tell apart; shapes and labels repeat them. Signed scales
are orange-blue and symmetric around 0, magnitudes are viridis. Charts are some 1,000 px wide and not fluid:
panels of fixed size stay comparable, and a page scrolls a chart on a phone. Those of the main page are drawn
a second time for phones, with NARROW sizes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any, Final, TypeVar, cast

from analysis.figures.charts import alt, pl

Channel = TypeVar("Channel", "alt.Color", "alt.Shape", "alt.StrokeDash")

# alias: name on axes, colour, shape
MODELS = {
    "solar": ("Solar", "#E69F00", "circle"),
    "glm": ("GLM", "#0072B2", "square"),
    "intellect": ("INTELLECT", "#56B4E9", "triangle-up"),
    "phi": ("Phi", "#009E73", "diamond"),
    "mixtral": ("Mixtral", "#D55E00", "cross"),
    "mistral_7b": ("Mistral 7B", "#CC79A7", "triangle-down"),
    "yi_6b": ("Yi 6B", "#999933", "triangle-left"),
    "yi_9b": ("Yi 9B", "#332288", "triangle-right"),
    "internlm2_7b": ("InternLM2 7B", "#882255", "stroke"),
    "qwen15_7b": ("Qwen1.5 7B", "#DDCC77", "arrow"),
    "qwen3_4b": ("Qwen3 4B", "#117733", "wedge"),
    "qwen3_14b": ("Qwen3 14B", "#44AA99", "triangle"),
}
OTHER_COLOURS = ("#000000", "#CC6677", "#88CCEE", "#AA4499")

# key: name on legends, colour, shape
METRICS = {
    "cosine": ("cosine", "#4D4D4D", "circle"),
    "pearson": ("Pearson", "#AA3377", "triangle-up"),
    "offset": ("offset share", "#BBBBBB", "square"),
    "pattern": ("pattern share", "#AA3377", "triangle-up"),
}
NORMS = {
    "input_layernorm": "input norm",
    "post_attention_layernorm": "post-attention norm",
    "k_proj": "k_proj",
    "v_proj": "v_proj",
}
NORM_COLOURS = {"input norm": "#4D4D4D", "post-attention norm": "#EE7733"}

INK, FAINT, BAND = "#222222", "#888888", "#DDDDDD"
ON_COLOURS = "#111111"  # letters and marks on cells, whose colours are the same on a dark page
DISPUTED_COLOUR = "#CC3311"  # of no model
DISPUTED_ON_COLOURS = "#CC3310"  # on cells: no key of DARK, hence the same on a dark page
RELATED_COLOUR = "#0072B2"
SIGNED: Final = "blueorange"
MAGNITUDE: Final = "viridis"
TITLE_WIDTH, SUBTITLE_WIDTH = 96, 130  # characters
FULL, HALF = 940, 440  # px: a panel alone in its row, and one of two
NARROW, NARROW_HALF = 285, 128  # the same on a phone

# For charts whose labels would overlap in smaller panels. Phones scroll them.
FIXED = {"isFixed": True}

# Replacements on a dark page; other colours stay.
DARK = {
    "#000": "#E6E8EA",
    "#000000": "#E6E8EA",
    "black": "#E6E8EA",
    INK: "#E6E8EA",
    FAINT: "#9AA1A9",
    BAND: "#3A4048",
    "#4D4D4D": "#C6CBD1",
    "#777777": "#9AA1A9",
    "#BBBBBB": "#6C747D",
    "#E4E4E4": "#3A4048",
    "#EEEEEE": "#2B2F34",
    "#0072B2": "#3D93D0",
    "#56B4E9": "#B5E1FA",
    "#332288": "#9A8FE8",
    "#882255": "#D97BAE",
    "#117733": "#4DB675",
    "#AA3377": "#E07BB5",
    "#CC3311": "#FF7A5C",
    "#8899AA": "#8899AA",
    "#CCDDEE": "#33485C",
}

CONFIG = {
    "font": "sans-serif",
    "axis": {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "gridColor": "#EEEEEE"},
    "legend": {
        "orient": "top",
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "titleLimit": 400,
        "symbolSize": 80,
        "symbolOpacity": 1,
        # letters of other languages may be wider than the layout expects
        "columnPadding": 26,
    },
    # a panel's title begins where its frame does, however wide its axis labels are
    "title": {"fontSize": 12, "fontWeight": "normal", "anchor": "start", "frame": "group", "color": INK},
    "point": {"opacity": 1},
    "tick": {"opacity": 1},
    "view": {"stroke": "#DDDDDD"},
    "concat": {"spacing": 24},
}


def label(model: str) -> str:
    return MODELS[model][0] if model in MODELS else model


def chart_text(text: str) -> str:
    """A text of a lake, with � for what no chart can show.

    SVG has no control characters. Vega-Lite copies titles into expressions and escapes quotation marks there
    but not backslashes, so that one before a quotation mark would end the string.
    """
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(one if one.isprintable() and one != "\\" else "�" for one in text)


def as_expression(text: str) -> str:
    """A text as a string of Vega's expressions, which are JavaScript's: no quotation mark in it ends it."""
    return "'" + json.dumps(text, ensure_ascii=False)[1:-1].replace("'", "\\u0027") + "'"


def labelled(rows: pl.DataFrame, *columns: str) -> pl.DataFrame:
    """With model names in place of aliases in these columns, and norms in words."""
    names = {alias: name for alias, (name, _, _) in MODELS.items()} | NORMS
    return rows.with_columns(pl.col(column).replace(names) for column in columns)


def norms(rows: pl.DataFrame) -> dict[str, str]:
    """The kinds of norms and projections among these rows, and their names."""
    return {kind: name for kind, name in NORMS.items() if kind in rows["ln_type"]}


def in_order(models: Iterable[str]) -> list[str]:
    """The models' names, those of the argument first."""
    found = set(models)
    return [label(m) for m in MODELS if m in found] + sorted(found - MODELS.keys())


def by_name(
    channel: type[Channel],
    field: str,
    looks: Mapping[str, Any],
    **options: Any,  # noqa: ANN401 (whatever the channel takes)
) -> Channel:
    """A colour, shape or dash for each name of a column. Untitled, because the names say enough."""
    scale = alt.Scale(domain=list(looks), range=list(looks.values()))
    return channel(f"{field}:N", **{"title": None, "scale": scale, **options})


def pair_names(rows: pl.DataFrame) -> list[str]:
    """The two models of each row."""
    return [f"{label(a)}–{label(b)}" for a, b in rows.select("model_a", "model_b").rows()]


def model_colour(models: Iterable[str]) -> alt.Color:
    names = in_order(models)
    return by_name(alt.Color, "model", dict(zip(names, colours(names), strict=True)))


def model_shape(models: Iterable[str]) -> alt.Shape:
    known = {name: shape for name, _, shape in MODELS.values()}
    return by_name(alt.Shape, "model", {name: known.get(name, "circle") for name in in_order(models)})


def colours(names: Sequence[str]) -> list[str]:
    """By name; a model from outside the argument takes a spare colour."""
    known = {name: colour for name, colour, _ in MODELS.values()}
    spare = [name for name in names if name not in known]
    known |= {name: OTHER_COLOURS[n % len(OTHER_COLOURS)] for n, name in enumerate(spare)}
    return [known[name] for name in names]


def metric_colour(keys: Sequence[str], field: str = "metric") -> alt.Color:
    return by_name(alt.Color, field, {METRICS[key][0]: METRICS[key][1] for key in keys})


def metric_shape(keys: Sequence[str]) -> alt.Shape:
    return by_name(alt.Shape, "metric", {METRICS[key][0]: METRICS[key][2] for key in keys})


def metric_names(rows: pl.DataFrame, field: str = "metric") -> pl.DataFrame:
    return rows.with_columns(pl.col(field).replace({key: name for key, (name, _, _) in METRICS.items()}))


def layer_axis() -> alt.X:
    return alt.X(
        "layer:Q",
        title="layer",
        axis=alt.Axis(tickMinStep=1, grid=False),
        scale=alt.Scale(nice=False, padding=6),
    )


def lowest(column: pl.Series) -> float:
    return float(cast(float, column.min()))


def highest(column: pl.Series) -> float:
    return float(cast(float, column.max()))


def whole_pixels(size: int, cells: int) -> int:
    """The size nearest to `size` that gives every cell whole pixels; other sizes leave visible seams."""
    return max(1, round(size / cells)) * cells


def packed(rows: pl.DataFrame, by: Sequence[str], lists: Sequence[str]) -> pl.DataFrame:
    """One row a group, its values as lists: a grid of thousands of cells as a few short rows.

    The chart unpacks them again with `transform_flatten`.
    """
    return rows.group_by(by, maintain_order=True).agg(pl.col(name) for name in lists)


def tips(*columns: str | alt.Tooltip) -> list[alt.Tooltip]:
    """Tooltip channels; made here, because Altair takes long to guess them from strings."""
    return [alt.Tooltip(column) if isinstance(column, str) else column for column in columns]


def exact(column: str, title: str | None = None) -> alt.Tooltip:
    """A number with six digits."""
    return alt.Tooltip(f"{column}:Q", title=title or column.replace("_", " "), format=".6~g")


def finished(
    chart: alt.TopLevelMixin, title: Sequence[str], below: Sequence[str], description: str
) -> alt.TopLevelMixin:
    """Adds what every chart has: its finding, what is drawn, from which lake, and the style."""
    heading = alt.TitleParams(
        [line for text in title for line in wrap(text, TITLE_WIDTH)],
        subtitle=[line for text in below for line in wrap(text, SUBTITLE_WIDTH)],
        anchor="start",
        frame="bounds",
        fontSize=16,
        subtitleFontSize=12,
        subtitleColor=FAINT,
        offset=14,
    )
    # One call: every method of a chart copies all of it.
    properties = {"title": heading, "description": description, "background": "white", "padding": 8}
    return cast(alt.Chart, chart).properties(**properties, config=CONFIG)
