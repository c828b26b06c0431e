"""Draws a figure: from its lake to rows, chart and files. Every command that draws does it here."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
from altair import TopLevelMixin
from altair.utils.schemapi import debug_mode

from analysis.figures.charts.style import chart_text, finished
from analysis.figures.figure import Figure, Said, said, sql_path
from analysis.figures.sources import Sources, lake_lines
from analysis.figures.translated import translated
from analysis.languages import LANGUAGES, Language
from analysis.rendering import Renderer
from warehouse.errors import LakeError

FILES = ("png", "svg", "csv")
NO_LAKE: dict[Language, str] = {"en": "reads no weights", "ko": "가중치를 읽지 않음"}


@dataclass(frozen=True)
class Drawn:
    """A figure as Vega-Lite; its pictures are being written."""

    figure: Figure
    spec: dict[str, Any]
    rows: int
    said: dict[Language, Said]
    lake: dict[Language, str]
    """Which one it was read from, as on the chart."""
    size: Future[tuple[int, int]]
    """Width and height in points of the chart, once both pictures are on disk."""
    inline: dict[tuple[Language, str], Future[str]]
    """SVG to stand in a page, without a title, by language and layout; of those drawn for phones."""


def draw(figure: Figure, sources: Sources, folder: Path, renderer: Renderer) -> Drawn:
    """PNG, SVG and CSV into an existing folder; a LakeError says why there is nothing to draw."""
    connection = sources.of(figure)
    found = rows(figure, connection)
    lines = source_lines(figure, connection)
    shown = printable(found)
    made = spec(chart(figure, shown, lines["en"]))
    found.write_csv(folder / f"{figure.name}.csv")
    inline: dict[tuple[Language, str], Future[str]] = {}
    if figure.narrow:
        with debug_mode(False):
            wide = spec(finished(figure.page(shown), [], [], "")) if figure.page else made
            narrow = spec(finished(figure.narrow(shown), [], [], ""))
        for layout, drawn in (("wide", untitled(wide)), ("narrow", untitled(narrow))):
            for language in LANGUAGES:
                inline[language, layout] = renderer.inline(translated(drawn, language))
    return Drawn(
        figure,
        made,
        len(found),
        {language: said(figure, shown, language) for language in LANGUAGES if language in figure.words.data},
        lines,
        renderer.draw(made, folder, figure.name),
        inline,
    )


def rows(figure: Figure, connection: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """What the chart shows, one tidy row a mark."""
    # A cursor has variables of its own: a figure never sees those of the one before.
    with connection.cursor() as own:
        try:
            for name, value in figure.variables.items():
                own.execute(f"set variable {name} = ?", [value])
            found = pl.DataFrame(_Stream(own.sql(sql_path(figure).read_text(encoding="utf-8"))))
        except duckdb.Error as error:
            reason = " ".join(str(error).split())
            raise LakeError(
                f"{figure.name} cannot be drawn ({reason}): see {sql_path(figure).name}"
            ) from error
    return figure.derive(found) if figure.derive else found


def printable(found: pl.DataFrame) -> pl.DataFrame:
    """The rows with texts that charts can show."""
    columns = [name for name, kind in found.schema.items() if kind == pl.String]
    texts = {text for name in columns for text in found[name].unique().drop_nulls()}
    odd = {text: shown for text in texts if (shown := chart_text(text)) != text}
    return found.with_columns(pl.col(columns).replace(odd)) if odd else found


def chart(figure: Figure, found: pl.DataFrame, source: str) -> TopLevelMixin:
    """The finished chart of these rows, with the lake they are from in a line below its title."""
    if found.is_empty():
        raise LakeError(
            f"{figure.name} has nothing to show: {sql_path(figure).name} found no rows in this lake"
        )
    words = said(figure, found)
    title, alt = chart_text(words.title), chart_text(words.alt)
    below = [chart_text(words.data), chart_text(source)]
    # Altair would validate every part of every chart, which takes longer than all else; the tests do it.
    with debug_mode(False):
        return finished(figure.draw(found), [title], below, alt)


def source_lines(figure: Figure, connection: duckdb.DuckDBPyConnection) -> dict[Language, str]:
    return lake_lines(connection) if figure.needs else NO_LAKE


def untitled(drawn: dict[str, Any]) -> dict[str, Any]:
    """For a page that has the title as text of its own."""
    return {key: value for key, value in drawn.items() if key not in ("title", "description")}


def spec(drawn: TopLevelMixin) -> dict[str, Any]:
    """The chart as Vega-Lite, as a page embeds it; not validated again."""
    with debug_mode(False):
        return drawn.to_dict(validate=False)


class _Stream:
    """An answer as Polars takes it without PyArrow, whose import takes half a second.

    Polars remembers the types it has met; DuckDB's own among them would be reported as leaked at exit.
    """

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        self._relation = relation

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._relation.__arrow_c_stream__(requested_schema)
