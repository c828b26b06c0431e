"""What the page says: which lake it reads, and the lineage test's answer with its parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from analysis.explore.asking import Answer, Explored
from analysis.explore.markup import MOST_ROWS, figures, html, table
from analysis.lineage.show import LIMITS

FIRST_QUERIES = Markup(
    "<p><code>from duckdb_views()</code> and <code>from compare('A', 'B')</code> are places to begin.</p>"
)


def heading(lake: Explored) -> Markup:
    return html("<h1>normhouse</h1><p>{title}</p>{caution}", title=lake.title, caution=_caution(lake))


def _caution(lake: Explored) -> Markup:
    if not lake.caution:
        return Markup()
    return html("<blockquote><p><strong>Caution:</strong> {caution}</p></blockquote>", caution=lake.caution)


def verdict(lake: Explored, row: Mapping[str, Any]) -> Markup:
    """The verdict first, then what it is made of; what is undefined is said to be."""
    parts = {
        "z_eff": (_figure(row["z_eff"], "+.1f"), "how far the agreement of ranks stands from chance"),
        "of at most": (_figure(row["z_most"], ".1f"), "what a copy would have"),
        "weights, biases": (
            f"{_figure(row['z_weights'], '+.1f')}, {_figure(row['z_biases'], '+.1f')}",
            "the same, of each part",
        ),
        "norms used": (str(row["norms_used"]), "q/k norms and matrices never enter"),
        "k_eff": (
            _figure(row["k_eff"], ".1f"),
            "what they are worth when those of one model resemble each other",
        ),
        "cosine": (_figure(row["cosine_mean"], ".4f"), "mean over layers of the same number"),
        "offset share": (_figure(row["offset_share_mean"], ".4f"), "of it comes from the means; no evidence"),
        "Pearson": (_figure(row["pearson_mean"], ".4f"), "with the means taken out"),
    }
    return html(
        "<h2>{model_a} and {model_b}: {verdict}</h2><p>{lake}</p>{figures}<p>{limits}</p>",
        model_a=row["model_a"],
        model_b=row["model_b"],
        verdict=row["verdict"],
        lake=lake.title + (f". Caution: {lake.caution}" if lake.caution else ""),
        figures=figures(parts),
        limits=LIMITS,
    )


def cell(names: tuple[str, ...], row: Mapping[str, Any]) -> Markup:
    """The chosen pair of layers, for those who do not see the chart."""
    return html(
        "<p><strong>{a}</strong> and <strong>{b}</strong>: cosine {cosine}, of which the means give "
        "{offset}; Pearson {pearson}. Click another cell of the heatmap to see that pair of layers.</p>",
        a=names[0],
        b=names[1],
        cosine=_figure(row["cosine"], ".4f"),
        offset=_figure(row["offset_share"], ".4f"),
        pearson=_figure(row["pearson"], ".4f"),
    )


def sql_heading(lake: Explored) -> Markup:
    return html("<h2>Ask in SQL</h2><p>{title}; read-only</p>", title=lake.title)


def answer(given: Answer) -> Markup:
    """The rows of an own query and how many there are."""
    assert given.rows is not None
    shown = f"; the table shows the first {MOST_ROWS}" if len(given.rows) > MOST_ROWS else ""
    return html("{table}<p>{note}</p>", table=table(given.rows), note=given.note + shown)


def _figure(value: float | None, form: str) -> str:
    return "undefined" if value is None else f"{value:{form}}"
