"""HTML of the page, in which every text of a lake is escaped.

Cells of app.py display texts only through `show`, which escapes what `html` has not made. So a cell that
forgets `html` shows its text as plain text, never as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import marimo
import polars as pl
from markupsafe import Markup

from warehouse.errors import plain

LONGEST = 1_000  # characters of one text
LONGEST_CELL = 300
MOST_LINES = 50
MOST_ROWS = 200


def show(text: object) -> marimo.Html:
    """What a cell displays: our own markup as it is, anything else as plain text."""
    return marimo.Html(f'<div class="markdown prose dark:prose-invert max-w-none">{escaped(text)}</div>')


def html(template: str, **texts: object) -> Markup:
    """Our own markup, with `{name}` in it replaced by escaped texts. The template must be a constant."""
    return Markup(template).format(**{name: escaped(text) for name, text in texts.items()})


def escaped(text: object) -> Markup:
    return text if isinstance(text, Markup) else Markup.escape(visible(text))


def visible(text: object, longest: int = LONGEST) -> str:
    """One line in which control characters are escaped and whose middle is left out if it is too long."""
    return plain(str(text), longest)


def lines(text: str) -> Markup:
    """Several lines in the font of code, for DuckDB's messages."""
    first = [escaped(line) for line in text.split("\n")[:MOST_LINES]]
    return html("<pre>{lines}</pre>", lines=Markup("<br>").join(first))


def choices(names: Iterable[object]) -> dict[str, str]:
    """Options of a dropdown: as they are shown, and as they are. marimo keeps `--` for itself."""
    return {"'--'" if name == "--" else visible(name): str(name) for name in names}


def table(rows: pl.DataFrame) -> Markup:
    """The first rows. Not `mo.ui.table`, which renders Markdown, images and HTML that it finds in cells."""
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
