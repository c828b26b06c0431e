"""Draws figures for a page: each as a specification, with PNG, SVG and CSV in a folder beside the page."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from analysis.figures.draw import draw
from analysis.figures.figure import Figure, sql_text
from analysis.figures.sources import Sources
from analysis.rendering import Renderer
from warehouse.errors import LakeError, UsageError
from warehouse.scratch import scratch
from warehouse.talk import Talk

CANVAS_FROM = 1500  # rows; beyond, an SVG of one element a mark makes the page slow to scroll


@dataclass(frozen=True)
class Shown:
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
    figures: Sequence[Figure], sources: Sources, folder: Path, renderer: Renderer, talk: Talk
) -> list[Shown]:
    """All figures, their files in a new folder that replaces `folder`: nothing of an earlier lake stays."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with scratch(folder.parent) as own:
            draft = own / folder.name
            draft.mkdir()
            begun: list[tuple[Shown, Future[tuple[int, int]] | None]] = []
            talk.say(f"drawing {len(figures)} figures")
            for number, figure in enumerate(figures):
                talk.step("figures", number, len(figures), figure.name)
                begun.append(_begin(figure, sources, draft, folder.name, renderer))
            talk.step("figures", len(figures), len(figures), "writing PNG and SVG")
            finished = [_sized(one, size) for one, size in begun]
            if folder.exists():
                folder.rename(own / "before")
            draft.rename(folder)
    except OSError as error:
        raise UsageError(f"cannot write {folder} ({error.strerror}): choose another --out") from error
    return finished


def _begin(
    figure: Figure, sources: Sources, files: Path, folder: str, renderer: Renderer
) -> tuple[Shown, Future[tuple[int, int]] | None]:
    """A figure and the size its pictures will have; a note in its place if it cannot be drawn."""
    sql = sql_text(figure)
    try:
        drawn = draw(figure, sources, files, renderer)
    except LakeError as error:
        return Shown(figure, sql, f"Not drawn: {error}."), None
    return Shown(figure, sql, spec=drawn.spec, rows=drawn.rows, folder=folder), drawn.size


def _sized(one: Shown, size: Future[tuple[int, int]] | None) -> Shown:
    if size is None:
        return one
    width, height = size.result()
    return replace(one, width=width, height=height)
