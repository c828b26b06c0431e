"""HTML of the page: the lake, the verdict and its parts, with every text of a lake escaped.

Cells of app.py display texts only through `show`, which escapes everything that `html` did not build. So a
cell that forgets `html` shows plain text, never markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import marimo
import polars as pl
from markupsafe import Markup

from analysis.explore.asking import Answer, Explored
from analysis.lineage.show import LIMITS
from warehouse.errors import plain

LONGEST = 1_000  # characters of one text
LONGEST_CELL = 300
MOST_LINES = 50
MOST_ROWS = 200

FIRST_QUERIES = Markup("<p><code>from questions</code> is a place to begin.</p>")


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
    return html("<blockquote><p><strong>Caution:</strong> {caution}</p></blockquote>", caution=lake.caution)


def verdict(row: Mapping[str, Any]) -> Markup:
    """The verdict first, then its parts; an undefined number is shown as undefined."""
    parts = {
        "z_eff": (
            _figure(row["z_eff"], "+.1f"),
            "how far the agreement of ranks is from chance, in standard deviations",
        ),
        "of at most": (_figure(row["z_most"], ".1f"), "what an exact copy would reach"),
        "weights, biases": (
            f"{_figure(row['z_weights'], '+.1f')}, {_figure(row['z_biases'], '+.1f')}",
            "the same for each kind",
        ),
        "norms used": (str(row["norms_used"]), "q/k norms and matrices are left out"),
        "k_eff": (
            _figure(row["k_eff"], ".1f"),
            "how many independent norms they are worth",
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
        verdict=row["verdict"],
        figures=figures(parts),
        limits=LIMITS,
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
