"""What the page shows: HTML and charts, with every text of a lake escaped.

Cells of app.py display texts only through `show`, which escapes everything that `html` did not build. So a
cell that forgets `html` shows plain text, never markup.

Charts have the colours and scales of the report. Vega-Lite reads a column name as a path (`a.b`, `a[0]`) and
Altair as a shorthand (`a:Q`, `count()`), so we name every column ourselves; its name in the lake is only a
title.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt
import marimo
import polars as pl
from markupsafe import Markup

from analysis.explore.asking import Answer, Explored
from analysis.figures.charts.style import CONFIG, INK, MAGNITUDE, SIGNED, label
from analysis.lineage.show import LIMITS
from warehouse.errors import plain

LONGEST = 1_000  # characters of one text
LONGEST_CELL = 300
MOST_LINES = 50
MOST_ROWS = 200

METRICS = {
    "Pearson correlation (means taken out)": "pearson",
    "cosine": "cosine",
    "offset share (what the means alone give)": "offset_share",
    "z against shuffled dimensions": "permutation_z",
}
# metric: its name on the chart, the range it is cropped to, its colours
SCALES = {
    "pearson": ("Pearson", "±0.1", alt.Scale(scheme=SIGNED, domain=[-0.1, 0.1], clamp=True)),
    "permutation_z": ("z", "±6", alt.Scale(scheme=SIGNED, domain=[-6, 6], clamp=True)),
    "cosine": ("cosine", "0.9–1", alt.Scale(scheme=MAGNITUDE, domain=[0.9, 1], clamp=True)),
    "offset_share": ("offset share", "0.9–1", alt.Scale(scheme=MAGNITUDE, domain=[0.9, 1], clamp=True)),
}
"""The same for every pair of models, so that two heatmaps can be compared."""
SIDE = 360
LONGEST_TITLE = 120  # characters

FIRST_QUERIES = Markup("<p>Begin with <code>from questions</code>.</p>")


def show(text: object) -> marimo.Html:
    """What a cell displays: our own markup unchanged, anything else as plain text."""
    return marimo.Html(f'<div class="markdown prose dark:prose-invert max-w-none">{escaped(text)}</div>')


def html(template: str, **texts: object) -> Markup:
    """Our own markup, with `{name}` in it replaced by escaped texts. The template must be a constant."""
    return Markup(template).format(**{name: escaped(text) for name, text in texts.items()})


def escaped(text: object) -> Markup:
    return text if isinstance(text, Markup) else Markup.escape(visible(text))


def visible(text: object, longest: int = LONGEST) -> str:
    """One line with control characters escaped; a long one loses its middle."""
    return plain(str(text), longest)


def lines(text: str) -> Markup:
    """Several lines in the font of code, for DuckDB's messages."""
    first = [escaped(line) for line in text.split("\n")[:MOST_LINES]]
    return html("<pre>{lines}</pre>", lines=Markup("<br>").join(first))


def choices(names: Iterable[object]) -> dict[str, str]:
    """Options of a dropdown: the text shown, and the value. marimo reserves `--`."""
    return {"'--'" if name == "--" else visible(name): str(name) for name in names}


def table(rows: pl.DataFrame) -> Markup:
    """The first rows. (`mo.ui.table` would render Markdown, images and HTML in cells.)"""
    head = Markup().join(html("<th>{name}</th>", name=_cell(name)) for name in rows.columns)
    body = Markup().join(
        html("<tr>{cells}</tr>", cells=_cells(row)) for row in rows.head(MOST_ROWS).iter_rows()
    )
    return html(
        '<div style="max-height: 24rem; overflow: auto"><table><thead><tr>{head}</tr></thead>'
        "<tbody>{body}</tbody></table></div>",
        head=head,
        body=body,
    )


def _cells(row: Iterable[object]) -> Markup:
    return Markup().join(html("<td>{value}</td>", value=_cell(value)) for value in row)


def _cell(value: object) -> str:
    return "" if value is None else visible(value, LONGEST_CELL)


def figures(named: Mapping[str, tuple[str, str]]) -> Markup:
    """A table of names, figures and what they mean."""
    row = "<tr><th>{name}</th><td>{figure}</td><td style='text-align: left'>{meaning}</td></tr>"
    rows = [html(row, name=name, figure=figure, meaning=meaning) for name, (figure, meaning) in named.items()]
    return html("<table><tbody>{rows}</tbody></table>", rows=Markup().join(rows))


def heading(lake: Explored) -> Markup:
    return html("<h1>normhouse</h1><p>{title}</p>{caution}", title=lake.title, caution=_caution(lake))


def _caution(lake: Explored) -> Markup:
    if not lake.caution:
        return Markup()
    return html("<p><strong>Caution:</strong> {caution}.</p>", caution=lake.caution)


def verdict(row: Mapping[str, Any]) -> Markup:
    """The verdict first, then its parts; an undefined number is shown as undefined."""
    parts = {
        "z_eff": (
            _figure(row["z_eff"], "+.1f"),
            "how far the agreement of ranks is from chance, in standard deviations",
        ),
        "largest possible": (_figure(row["z_most"], ".1f"), "z_eff of an exact copy"),
        "weights, biases": (
            f"{_figure(row['z_weights'], '+.1f')}, {_figure(row['z_biases'], '+.1f')}",
            "z_eff of each kind",
        ),
        "norms used": (str(row["norms_used"]), "without those of queries and keys"),
        "k_eff": (
            _figure(row["k_eff"], ".1f"),
            "how many of them count as independent",
        ),
        "cosine": (_figure(row["cosine_mean"], ".4f"), "mean over layers of the same number"),
        "offset share": (
            _figure(row["offset_share_mean"], ".4f"),
            "the part of the cosine that the means alone give; no evidence",
        ),
        "Pearson": (_figure(row["pearson_mean"], ".4f"), "with the means taken out"),
    }
    return html(
        "<h2>{model_a} and {model_b}: {verdict}</h2>{figures}<p>{limits}</p>",
        model_a=row["model_a"],
        model_b=row["model_b"],
        verdict=row["verdict"].partition(" (norms folded")[0],
        figures=figures(parts),
        limits=LIMITS.replace("`", ""),
    )


def cell(names: tuple[str, ...], row: Mapping[str, Any]) -> Markup:
    """The chosen pair of layers in words."""
    return html(
        "<p><strong>{a}</strong> and <strong>{b}</strong>: cosine {cosine}, of which the means give "
        "{offset}; Pearson correlation {pearson}. Click another cell to see that pair of layers.</p>",
        a=names[0],
        b=names[1],
        cosine=_figure(row["cosine"], ".4f"),
        offset=_figure(row["offset_share"], ".4f"),
        pearson=_figure(row["pearson"], ".4f"),
    )


def sql_heading(lake: Explored) -> Markup:
    return html("<h2>Ask in SQL</h2><p>{title}; read-only</p>", title=lake.title)


def answer(given: Answer) -> Markup:
    """The rows of the reader's own query, and how many there are."""
    assert given.rows is not None
    shown = f"; the table shows the first {MOST_ROWS}" if len(given.rows) > MOST_ROWS else ""
    return html("{table}<p>{note}</p>", table=table(given.rows), note=given.note + shown)


def _figure(value: float | None, form: str) -> str:
    return "undefined" if value is None else f"{value:{form}}"


def heatmap(rows: pl.DataFrame, metric: str, models: tuple[str, str], subtitle: str) -> alt.Chart:
    """Every layer of one model against every layer of the other; a click chooses a pair."""
    one, other = map(label, models)
    name, reach, scale = SCALES[metric]
    axis = alt.Axis(labelOverlap=True, labelAngle=0, grid=False)
    return (
        alt.Chart(rows, title=_title(f"{one} × {other}: {name}, cropped to {reach}", subtitle))
        .mark_rect()
        .encode(
            x=alt.X("layer_b:O", title=_text(f"layer of {other}"), axis=axis),
            y=alt.Y("layer_a:O", title=_text(f"layer of {one}"), sort="descending", axis=axis),
            color=alt.Color(f"{metric}:Q", title=name, scale=scale),
            tooltip=[
                alt.Tooltip(name, format=".4f") if rows[name].dtype.is_float() else alt.Tooltip(name)
                for name in rows.columns
            ],
        )
        .properties(width=SIDE, height=SIDE)
        .configure(**CONFIG)
    )


def scatter(rows: pl.DataFrame, names: tuple[str, str], pearson: float | None, subtitle: str) -> alt.Chart:
    """One point per dimension: two copies lie on a line, unrelated models in a cloud."""
    correlation = "undefined" if pearson is None else f"{pearson:.4f}"
    title = _title(f"γ minus its mean, dimension by dimension; Pearson {correlation}", subtitle)
    return (
        alt.Chart(rows, title=title)
        .mark_circle(size=14, opacity=0.45, color=INK)
        .encode(
            x=alt.X("b:Q", title=_text(names[1])),
            y=alt.Y("a:Q", title=_text(names[0])),
            tooltip=["dim", alt.Tooltip("a", format=".5f"), alt.Tooltip("b", format=".5f")],
        )
        .properties(width=SIDE, height=SIDE)
        .configure(**CONFIG)
    )


def own_chart(rows: pl.DataFrame, x: str, y: str, subtitle: str) -> alt.Chart:
    """Two columns of an own query, the second of numbers."""
    kind = rows.schema[x]
    if kind.is_numeric():
        across, channel = pl.col(x).cast(pl.Float64), alt.X("x:Q", title=_text(x))
    elif kind in (pl.Date, pl.Datetime):
        across, channel = pl.col(x), alt.X("x:T", title=_text(x))
    else:
        texts = [None if value is None else _text(value) for value in rows[x]]
        across = pl.lit(pl.Series(texts, dtype=pl.String))
        channel = alt.X("x:N", title=_text(x))
    drawn = rows.select(across.alias("x"), pl.col(y).cast(pl.Float64).alias("y"))
    return (
        alt.Chart(drawn, title=_title(f"{y} by {x}", subtitle))
        .mark_circle(size=40, color=INK)
        .encode(x=channel, y=alt.Y("y:Q", title=_text(y)))
        .properties(width=2 * SIDE, height=SIDE // 2)
        .configure(**CONFIG)
    )


def _title(text: str, subtitle: str) -> alt.Title:
    return alt.Title(_text(text), subtitle=_text(subtitle))


def _text(text: object) -> str:
    return visible(text, LONGEST_TITLE)
