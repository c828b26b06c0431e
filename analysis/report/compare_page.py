"""Draws the page of `just compare A B`. It imports Altair, which takes a second."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from analysis.figures.catalogue import for_pair
from analysis.figures.draw import draw_all
from analysis.figures.figure import Figure
from analysis.figures.sources import Sources
from analysis.rendering import Renderer
from analysis.report.page import make_folder, render, vega_bundle, write
from warehouse import VERSION
from warehouse.console.output import exclusive_output
from warehouse.console.progress import Progress
from warehouse.paths import NAME

# Figures of the page, and what to look at in them.
CAPTIONS = {
    "figure_01": (
        "Fifty dimensions of the input norm, by quartiles: as stored, with each mean taken out, and the "
        "similarity at all layers. The slider chooses the layer and starts at the highest cosine."
    ),
    "figure_02": "Input norm. If the two had layers in common, the diagonal would stand out on the right.",
    "decomposition": (
        "Input norm. The offset share is what the two means alone give, and what shuffled dimensions would "
        "give on average; the pattern share is the rest. They add up to the cosine exactly."
    ),
    "drift": "To be read as drift only if one model is known to come from the other.",
    "figure_08": "Statistics of each input norm vector.",
    "figure_09": "Histograms. Each panel counts the values beyond the end of its axis.",
}


def write_page(
    connection: duckdb.DuckDBPyConnection, found: Mapping[str, Any], out: Path, progress: Progress
) -> Path:
    """Draw the charts of this pair and write their page with what was found; return its path."""
    a, b = found["a"], found["b"]
    name = page_name(a, b)
    with exclusive_output(out / name):
        make_folder(out)
        with Renderer() as renderer:
            bundle = vega_bundle(out, renderer)
            shown = draw_all(pair_figures(a, b), Sources(connection), out / name, renderer, progress)
        page = out / f"{name}.html"
        write(page, render("compare.html", bundle.result(), {**found, "drawn": shown, "version": VERSION}))
    return page


def page_name(a: str, b: str) -> str:
    """Name of the page and of its folder of pictures, of plain characters because links lead there."""
    return f"compare-{_plain_name(a)}-{_plain_name(b)}"


def _plain_name(model: str) -> str:
    """Names of a foreign lake may hold anything: then its plain characters and a digest."""
    if NAME.fullmatch(model):
        return model
    return f"{re.sub('[^A-Za-z0-9]+', '_', model)[:50]}-{hashlib.sha256(os.fsencode(model)).hexdigest()[:8]}"


def pair_figures(a: str, b: str) -> list[Figure]:
    """The figures of the report for this pair."""
    figures = for_pair(a, b)
    return [
        replace(figures[name], words=replace(figures[name].words, caption={"en": caption}), section="")
        for name, caption in CAPTIONS.items()
    ]
