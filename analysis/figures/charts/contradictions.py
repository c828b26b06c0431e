"""Which sections of which documents print figures that cannot both be true."""

from __future__ import annotations

from analysis.figures.charts.libraries import alt, pl
from analysis.figures.charts.style import MAGNITUDE, ON_COLOURS, highest, tips
from warehouse.documents import documents, short_name

STRENGTHS = {"strict": "#AA3377", "soft": "#BBBBBB"}


def contradiction_map(rows: pl.DataFrame) -> alt.VConcatChart:
    """Documents against documents, then sections against sections."""
    names = {key: short_name(key) for key in documents()}
    rows = rows.with_columns(
        pl.format("{} · {}", pl.col(f"{side}_document").replace(names), f"{side}_section").alias(side)
        for side in ("first", "second")
    )
    pairs = rows.select("first_document", "second_document", "document_figures").unique(maintain_order=True)
    order = list(names.values())
    squares = alt.Chart(
        pairs.with_columns(pl.col("first_document", "second_document").replace(names))
    ).encode(
        x=alt.X("second_document:N", sort=order, title=None, axis=alt.Axis(labelAngle=0)),
        y=alt.Y("first_document:N", sort=order, title=None),
    )
    scale = alt.Scale(scheme=MAGNITUDE, domainMin=0)
    cells = squares.mark_rect().encode(
        color=alt.Color("document_figures:Q", title="pairs of figures", scale=scale),
        tooltip=tips("first_document:N", "second_document:N", "document_figures:Q"),
    )
    half = highest(pairs["document_figures"]) * 0.55
    numbers = squares.mark_text(fontSize=12).encode(
        text="document_figures:Q",
        color=alt.when(f"datum.document_figures < {half}")
        .then(alt.value("white"))
        .otherwise(alt.value(ON_COLOURS)),
    )
    above = (cells + numbers).properties(
        width=520, height=200, title="pairs of printed figures that cannot both be true, by document"
    )
    sections = rows.select("first", "second", "strength", "figures", "example")
    order = _section_order(rows)
    most = int(highest(sections["figures"]))
    axis = alt.Axis(labelLimit=300, labelFontSize=11)
    circles = (
        alt.Chart(sections)
        .mark_point(filled=True, opacity=1)
        .encode(
            x=alt.X(
                "second:N",
                sort=order,
                title=None,
                axis=alt.Axis(labelLimit=300, labelFontSize=11, labelAngle=-40),
                scale=alt.Scale(padding=0.5),
            ),
            y=alt.Y("first:N", sort=order, title=None, axis=axis),
            size=alt.Size(
                "figures:Q",
                title="pairs of figures",
                scale=alt.Scale(domain=[0, most], range=[0, 90 * most]),
                legend=alt.Legend(values=sorted({1, 2, most}), format="d", symbolFillColor="#777777"),
            ),
            color=alt.Color(
                "strength:N",
                title=None,
                scale=alt.Scale(domain=list(STRENGTHS), range=list(STRENGTHS.values())),
            ),
            shape=alt.Shape(
                "strength:N", title=None, scale=alt.Scale(domain=list(STRENGTHS), range=["square", "circle"])
            ),
            tooltip=tips("first:N", "second:N", "strength:N", "figures:Q", "example:N"),
        )
        .properties(
            width=alt.Step(40),
            height=alt.Step(19),
            title="by section; soft: one of the two is printed as approximate",
        )
    )
    done: alt.VConcatChart = alt.vconcat(above, circles).resolve_scale(
        color="independent", size="independent", shape="independent"
    )
    return done


def _section_order(rows: pl.DataFrame) -> list[str]:
    """Documents in their order, sections by name."""
    named = pl.concat(
        [
            rows.select(document=f"{side}_document", section=f"{side}_section", name=side)
            for side in ("first", "second")
        ]
    ).unique()
    keys = sorted(named.rows(), key=lambda row: (list(documents()).index(row[0]), row[1]))
    return [name for _, _, name in keys]
