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

from analysis.figures.charts.style import finished
from analysis.figures.figure import Figure, sql_path
from analysis.figures.sources import Sources, lake_line
from analysis.rendering import Renderer
from warehouse.errors import LakeError

FILES = ("png", "svg", "csv")


@dataclass(frozen=True)
class Drawn:
    """A figure as Vega-Lite; its pictures are being written."""

    figure: Figure
    spec: dict[str, Any]
    rows: int
    size: Future[tuple[int, int]]
    """Width and height in points of the chart, once both pictures are on disk."""


def draw(figure: Figure, sources: Sources, folder: Path, renderer: Renderer) -> Drawn:
    """PNG, SVG and CSV into an existing folder; a LakeError says why there is nothing to draw."""
    connection = sources.of(figure)
    found = rows(figure, connection)
    drawn = spec(chart(figure, connection, found))
    found.write_csv(folder / f"{figure.name}.csv")
    return Drawn(figure, drawn, len(found), renderer.draw(drawn, folder, figure.name))


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


def chart(figure: Figure, connection: duckdb.DuckDBPyConnection, found: pl.DataFrame) -> TopLevelMixin:
    """The finished chart of these rows, with the lake they are from."""
    if found.is_empty():
        raise LakeError(
            f"{figure.name} has nothing to show: {sql_path(figure).name} found no rows in this lake"
        )
    source = lake_line(connection) if figure.needs else "reads no weights"
    # Altair would validate every part of every chart, which takes longer than all else; the tests do it.
    with debug_mode(False):
        return finished(figure.draw(found), figure.title, source, figure.description)


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
