"""Draws figures: reads their rows from a lake, makes charts and writes files."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
from altair import TopLevelMixin
from altair.utils.schemapi import debug_mode
from markupsafe import Markup

from analysis.figures.charts.style import chart_text, finished
from analysis.figures.figure import Figure, Said, said, sql_path, sql_text
from analysis.figures.sources import Sources, lake_lines
from analysis.figures.translated import translated
from analysis.languages import LANGUAGES, Language
from analysis.rendering import Renderer
from warehouse.console.output import counted
from warehouse.console.progress import Progress
from warehouse.errors import LakeError, UsageError
from warehouse.storage.drafts import draft_folder

FILES = ("png", "svg", "csv")
NO_LAKE: dict[Language, str] = {"en": "reads no weights", "ko": "가중치를 읽지 않음"}
MEASURED: dict[Language, str] = {
    "en": "published measurements of the released weights",
    "ko": "공개된 가중치에 대해 발표된 측정값",
}
CANVAS_FROM = 1500  # rows; beyond, an SVG of one element a mark makes the page slow to scroll


@dataclass(frozen=True)
class Drawn:
    """A figure as a page shows it. Its pictures may not be finished; without a chart, `note` says why."""

    figure: Figure
    note: str = ""
    spec: dict[str, Any] = field(default_factory=dict)
    narrow: dict[str, Any] = field(default_factory=dict)
    """The same for phones; of figures that are inside a page."""
    rows: int = 0
    folder: str = ""
    """The name of the folder of its files, which is beside the page."""
    said: dict[Language, Said] = field(default_factory=dict)
    lake: dict[Language, str] = field(default_factory=dict)
    """Which lake it was read from, as written on the chart."""
    size: Future[tuple[int, int]] | None = None
    """Width and height in points of the chart, once both pictures are on disk."""
    inline: dict[tuple[Language, str], Future[str]] = field(default_factory=dict)
    """SVG for inside a page, without a title, by language and layout; of figures that are inside a page."""

    @property
    def sql(self) -> str:
        return sql_text(self.figure)

    @property
    def renderer(self) -> str:
        return "canvas" if self.rows >= CANVAS_FROM else "svg"

    def wait(self) -> tuple[int, int]:
        """Wait for both pictures; return their width and height."""
        return self.size.result() if self.size else (0, 0)

    @property
    def is_done(self) -> bool:
        return self.size is None or self.size.done()

    def picture(self, language: Language, layout: str) -> Markup:
        return Markup(self.inline[language, layout].result())

    def spec_in(self, language: Language) -> dict[str, Any]:
        """The chart in the language of a page, without its title, which is text there."""
        return {**translated(untitled(self.spec), language), "description": self.said[language].alt}

    def narrow_in(self, language: Language) -> dict[str, Any]:
        """The chart for phones, without the data that the wide one has."""
        chart = translated(untitled(self.narrow), language)
        data = {name: rows for name, rows in chart["datasets"].items() if name not in self.spec["datasets"]}
        return {**chart, "datasets": data}


def draw_all(
    figures: Sequence[Figure], sources: Sources, folder: Path, renderer: Renderer, progress: Progress
) -> list[Drawn]:
    """Draws all figures into a new folder that replaces `folder`; one that cannot be drawn has a note."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with draft_folder(folder.parent) as own:
            draft = own / folder.name
            draft.mkdir()
            begun: list[Drawn] = []
            progress.say(f"drawing {counted(len(figures), 'figure')}")
            for figure in figures:
                try:
                    begun.append(draw(figure, sources, draft, renderer))
                except LakeError as error:
                    begun.append(Drawn(figure, f"Not drawn: {error}."))
                progress.step("figures", sum(one.is_done for one in begun), len(figures), figure.name)
            for number, one in enumerate(begun, 1):
                one.wait()
                progress.step("figures", number, len(figures), one.figure.name)
            progress.finished("figures", f"{sum(not one.note for one in begun)} drawn")
            if folder.exists():
                folder.rename(own / "before")
            draft.rename(folder)
    except OSError as error:
        raise UsageError(
            f"cannot write {folder} ({error.strerror or error}): choose another --out"
        ) from error
    return begun


def draw(figure: Figure, sources: Sources, folder: Path, renderer: Renderer) -> Drawn:
    """Writes PNG, SVG and CSV into an existing folder; a LakeError says why there is nothing to draw."""
    connection = sources.of(figure)
    found = rows(figure, connection)
    lines = source_lines(figure, connection)
    shown = printable(found)
    made = spec(chart(figure, shown, lines["en"]))
    found.write_csv(folder / f"{figure.name}.csv")
    inline: dict[tuple[Language, str], Future[str]] = {}
    narrow: dict[str, Any] = {}
    if figure.is_inline:
        with debug_mode(False):
            narrow = spec(finished(figure.draw(shown, narrow=True), [], [], ""))
        for layout, drawn in (("wide", made), ("narrow", narrow)):
            for language in LANGUAGES:
                inline[language, layout] = renderer.inline(translated(untitled(drawn), language))
    return Drawn(
        figure,
        spec=made,
        narrow=narrow,
        rows=len(found),
        folder=folder.name,
        said={
            language: said(figure, shown, language) for language in LANGUAGES if language in figure.words.data
        },
        lake=lines,
        size=renderer.draw(made, folder, figure.name),
        inline=inline,
    )


def rows(figure: Figure, connection: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """What the chart shows, one tidy row a mark."""
    # A cursor has its own variables, so no figure sees those of the one before.
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
    # Validating every part of every chart would take longer than the rest; the tests do it.
    with debug_mode(False):
        return finished(figure.draw(found), [title], below, alt)


def source_lines(figure: Figure, connection: duckdb.DuckDBPyConnection) -> dict[Language, str]:
    if figure.about == "measurements":
        return MEASURED
    reads_lake = figure.needs or (figure.is_inline and not figure.on_main_page)
    return lake_lines(connection) if reads_lake else NO_LAKE


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
