"""`just figure NAME…`: draws figures by name; without a name, lists them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from analysis.figures.catalogue import FIGURES
from warehouse.console.output import remark, show
from warehouse.errors import UsageError, did_you_mean
from warehouse.lake import existing_lake


def main(names: Sequence[str], lake_name: str | None, folder: Path) -> int:
    return draw_named(names, lake_name, folder) if names else list_figures()


def list_figures() -> int:
    """Their titles, in which … is a figure that only the rows of a lake give."""
    for figure in FIGURES.values():
        title = list(figure.words.title.values())[-1]["en"]
        show(f"{figure.name:20}{re.sub(r'{[^}]*}', '…', title)}")
    return 0


def draw_named(names: Sequence[str], lake_name: str | None, folder: Path) -> int:
    """Writes PNG, SVG and CSV of each figure into `folder`; nothing if models of one are missing."""
    # Listing figures must not wait for the libraries that draw them.
    from analysis.figures.draw import FILES, draw
    from analysis.figures.sources import lake_lines, open_sources
    from analysis.lakes import announce
    from analysis.rendering import Renderer

    for name in names:
        if name not in FIGURES:
            known = did_you_mean(name, FIGURES, "`just figure` lists what there is")
            raise UsageError(f"no figure {name!r}: {known}")
    figures = [FIGURES[name] for name in names]
    lake = existing_lake(lake_name)
    with open_sources(lake, figures) as sources:
        announce(sources.at_hand, lake)
        for figure in figures:
            source = sources.of(figure)
            if source is not sources.at_hand:
                remark(f"{figure.name}: read from {lake_lines(source)['en']}")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with Renderer() as renderer:
                renderer.warm()
                for drawn in [draw(figure, sources, folder, renderer) for figure in figures]:
                    drawn.wait()
                    for kind in FILES:
                        show(f"{folder / drawn.figure.name}.{kind}")
        except OSError as error:
            raise UsageError(
                f"cannot write {folder} ({error.strerror or error}): choose another --out"
            ) from error
    return 0
