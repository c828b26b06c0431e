"""Draws figures for a page: each as a specification, with PNG, SVG and CSV in a folder beside the page."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb

from analysis.figures.figure import Figure, chart, missing, rows, spec, sql_text, text_of_missing
from analysis.rendering import Renderer
from warehouse.errors import LakeError, UsageError
from warehouse.talk import Talk

CANVAS_FROM = 1500  # rows; beyond, an SVG of one element a mark makes the page slow to scroll


@dataclass(frozen=True)
class Drawn:
    """A figure as the page shows it; without a specification, `note` says why."""

    figure: Figure
    sql: str
    note: str = ""
    spec: dict[str, Any] = field(default_factory=dict)
    rows: int = 0
    folder: str = ""
    """Of its files, as the page reaches them."""
    width: int = 0
    height: int = 0

    @property
    def renderer(self) -> str:
        return "canvas" if self.rows >= CANVAS_FROM else "svg"


def draw_all(
    figures: Sequence[Figure],
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    renderer: Renderer,
    talk: Talk,
    trained: duckdb.DuckDBPyConnection | None = None,
) -> list[Drawn]:
    """All figures, their files in a new folder that replaces `folder`: nothing of an earlier lake stays.

    A figure of models trained here, which the lake at hand has not, is drawn from the lake `trained`.
    """
    draft = folder.with_name(f".{folder.name}")
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        drawn: list[tuple[Drawn, Future[tuple[int, int]] | None]] = []
        talk.say(f"drawing {len(figures)} figures")
        for number, figure in enumerate(figures):
            talk.step("figures", number, len(figures), figure.name)
            source = connection
            if trained is not None and missing(figure, connection) and not missing(figure, trained):
                source = trained
            one = _draw(figure, source, draft, folder.name)
            drawn.append((one, renderer.draw(one.spec, draft, figure.name) if one.spec else None))
        talk.step("figures", len(figures), len(figures), "writing PNG and SVG")
        finished = [_sized(one, future) for one, future in drawn]
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
    except OSError as error:
        raise UsageError(f"cannot write {folder} ({error.strerror}): choose another --out") from error
    return finished


def _draw(figure: Figure, connection: duckdb.DuckDBPyConnection, files: Path, folder: str) -> Drawn:
    """Specification and CSV of one; a missing model or an empty answer leaves a note in its place."""
    sql = sql_text(figure)
    if lacking := missing(figure, connection):
        return Drawn(figure, sql, f"Not drawn: {text_of_missing(figure, lacking)}.")
    try:
        found = rows(figure, connection)
        drawn = spec(chart(figure, connection, found))
    except LakeError as error:
        return Drawn(figure, sql, f"Not drawn: {error}.")
    found.write_csv(files / f"{figure.name}.csv")
    return Drawn(figure, sql, spec=drawn, rows=len(found), folder=folder)


def _sized(one: Drawn, future: Future[tuple[int, int]] | None) -> Drawn:
    if future is None:
        return one
    width, height = future.result()
    return replace(one, width=width, height=height)
