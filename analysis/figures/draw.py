"""Lists the figures, or draws some of a lake and says where they are."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from analysis.figures.catalogue import FIGURES
from analysis.figures.figure import chart, missing, rows, spec, text_of_missing
from analysis.lakes import announce
from analysis.rendering import Renderer
from warehouse.catalog import open_catalog
from warehouse.errors import LakeError, UsageError
from warehouse.lake import existing_lake


def list_figures() -> int:
    for figure in FIGURES.values():
        print(f"{figure.name:26}{figure.title}")
    return 0


def draw_figures(names: Sequence[str], lake_name: str | None, folder: Path) -> int:
    """PNG, SVG and CSV of each, in `folder`."""
    for name in names:
        if name not in FIGURES:
            near = get_close_matches(name, FIGURES)
            meant = f" (near it: {', '.join(near)})" if near else ""
            raise UsageError(f"no figure {name!r}{meant}: `just figure` lists what there is")
    figures = [FIGURES[name] for name in names]
    with open_catalog(existing_lake(lake_name)) as connection:
        announce(connection, existing_lake(lake_name))
        for figure in figures:
            if lacking := missing(figure, connection):
                raise LakeError(text_of_missing(figure, lacking))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with Renderer() as renderer:
                renderer.warm()
                drawn = []
                for figure in figures:
                    found = rows(figure, connection)
                    found.write_csv(folder / f"{figure.name}.csv")
                    drawn.append(renderer.draw(spec(chart(figure, connection, found)), folder, figure.name))
                for figure, files in zip(figures, drawn, strict=True):
                    files.result()
                    for kind in ("png", "svg", "csv"):
                        print(folder / f"{figure.name}.{kind}")
        except OSError as error:
            raise UsageError(f"cannot write {folder} ({error.strerror}): choose another --out") from error
    return 0
