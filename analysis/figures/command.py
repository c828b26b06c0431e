"""`just figure NAME…`: draws figures of a lake and says where they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.figures.catalogue import FIGURES
from analysis.figures.figure import chart, missing, rows, save, text_of_missing
from analysis.lakes import announce
from warehouse.catalog import open_catalog
from warehouse.errors import LakeError, UsageError
from warehouse.lake import existing_lake


def draw_figures(names: Sequence[str], lake_name: str | None, folder: Path) -> int:
    """PNG, SVG and CSV of each, in `folder`."""
    for name in names:
        if name not in FIGURES:
            raise UsageError(f"no figure {name!r}: there is {', '.join(FIGURES)}")
    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake)
        for figure in (FIGURES[name] for name in names):
            if lacking := missing(figure, connection):
                raise LakeError(text_of_missing(figure, lacking))
            found = rows(figure, connection)
            for path in save(chart(figure, connection, found), folder, figure.name, found):
                print(path)
    return 0
