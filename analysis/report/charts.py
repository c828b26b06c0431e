"""Draws figures for a page: each as a specification, with PNG, SVG and CSV in a folder beside the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from analysis.figures.draw import Drawn, draw, untitled
from analysis.figures.figure import Figure, Said, sql_text
from analysis.figures.sources import Sources
from analysis.figures.translated import translated
from analysis.languages import Language
from analysis.rendering import Renderer
from warehouse.console.progress import Progress
from warehouse.errors import LakeError, UsageError
from warehouse.storage.drafts import draft_folder

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
    said: dict[Language, Said] = field(default_factory=dict)
    lake: dict[Language, str] = field(default_factory=dict)
    pictures: dict[tuple[Language, str], Markup] = field(default_factory=dict)
    """To stand inside a page, by language and layout; of figures of the main page."""

    @property
    def renderer(self) -> str:
        return "canvas" if self.rows >= CANVAS_FROM else "svg"

    def spec_in(self, language: Language) -> dict[str, Any]:
        """The chart in the language of a page, which has its title as text."""
        return {**translated(untitled(self.spec), language), "description": self.said[language].alt}


def draw_all(
    figures: Sequence[Figure], sources: Sources, folder: Path, renderer: Renderer, progress: Progress
) -> list[Shown]:
    """All figures, their files in a new folder that replaces `folder`: nothing of an earlier lake stays."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with draft_folder(folder.parent) as own:
            draft = own / folder.name
            draft.mkdir()
            begun: list[tuple[Shown, Drawn | None]] = []
            progress.say(f"drawing {len(figures)} figures")
            for number, figure in enumerate(figures):
                progress.step("figures", number, len(figures), figure.name)
                begun.append(_begin(figure, sources, draft, folder.name, renderer))
            progress.step("figures", len(figures), len(figures), "writing PNG and SVG")
            finished = [_finished(one, drawn) for one, drawn in begun]
            if folder.exists():
                folder.rename(own / "before")
            draft.rename(folder)
    except OSError as error:
        raise UsageError(
            f"cannot write {folder} ({error.strerror or error}): choose another --out"
        ) from error
    return finished


def _begin(
    figure: Figure, sources: Sources, files: Path, folder: str, renderer: Renderer
) -> tuple[Shown, Drawn | None]:
    """A figure whose pictures are being made; a note in its place if it cannot be drawn."""
    sql = sql_text(figure)
    try:
        drawn = draw(figure, sources, files, renderer)
    except LakeError as error:
        return Shown(figure, sql, f"Not drawn: {error}."), None
    shown = Shown(figure, sql, spec=drawn.spec, rows=drawn.rows, folder=folder)
    return replace(shown, said=drawn.said, lake=drawn.lake), drawn


def _finished(one: Shown, drawn: Drawn | None) -> Shown:
    if drawn is None:
        return one
    width, height = drawn.size.result()
    pictures = {place: Markup(svg.result()) for place, svg in drawn.inline.items()}
    return replace(one, width=width, height=height, pictures=pictures)
