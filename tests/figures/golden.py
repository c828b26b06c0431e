"""Specifications kept as JSON, without their data. `python -m tests.figures.golden` rewrites them."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from analysis.figures.catalogue import FIGURES
from analysis.figures.draw import chart, rows, source_lines, spec
from tests.claims.planted import planted_lake
from warehouse.catalog.catalog import open_catalog

FOLDER = Path(__file__).with_name("golden")
NAMES = ("figure_02", "experiment_1", "drift")


def without_data(drawn: dict[str, Any]) -> str:
    """Datasets become the names of their columns; their own names, hashes of the values, become numbers."""
    datasets: dict[str, list[dict[str, Any]]] = drawn.get("datasets", {})
    text = json.dumps({**drawn, "datasets": [sorted(values[0]) for values in datasets.values()]}, indent=1)
    for number, name in enumerate(datasets):
        text = text.replace(name, f"data-{number}")
    return text + "\n"


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory() as folder,
        open_catalog(planted_lake(Path(folder) / "local")) as opened,
    ):
        for one in NAMES:
            figure = FIGURES[one]
            drawn = spec(chart(figure, rows(figure, opened), source_lines(figure, opened)["en"]))
            (FOLDER / f"{one}.json").write_text(without_data(drawn), encoding="utf-8")
