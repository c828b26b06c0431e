"""`just compare A B`: what is measured of two models, and the argument's charts for this pair as a page."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from analysis.figures.catalogue import for_pair
from analysis.figures.draw import draw_all
from analysis.figures.figure import QUERIES, Figure
from analysis.figures.sources import Sources
from analysis.lineage.pair import answered
from analysis.lineage.show import pair_object
from analysis.rendering import Renderer
from analysis.report.compare_words import CAUTION, Sentences, lineage_sentence, sentences
from analysis.report.page import make_folder, render, vega_bundle, write
from analysis.rows import about_lake, fetch_dicts
from warehouse import VERSION
from warehouse.console.progress import Progress
from warehouse.errors import UsageError
from warehouse.lake import NAME

FOLDER = QUERIES / "compare"

# Figures of the page and, for a stranger's pair, what to look at.
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
    "figure_09": "Histograms from −0.2 to 2.0; values beyond are left out and counted.",
}


@dataclass(frozen=True)
class Compared:
    """What is known of two models: the same on the screen, on the page and in JSON."""

    models: tuple[str, str]
    about: dict[str, Any]
    lineage: dict[str, Any]
    metrics: list[dict[str, object]]
    said: list[Sentences]

    @property
    def opening(self) -> str:
        return lineage_sentence(self.lineage)


def compared(connection: duckdb.DuckDBPyConnection, a: str, b: str) -> Compared:
    if a == b:
        raise UsageError(f"{a!r} with itself says nothing: name two models")
    lineage = pair_object(answered(connection, a, b))
    return Compared((a, b), about_lake(connection), lineage, *measured(connection, a, b))


def write_page(connection: duckdb.DuckDBPyConnection, found: Compared, out: Path, progress: Progress) -> Path:
    """The charts of the argument for this pair; the page's path."""
    a, b = found.models
    make_folder(out)
    name = page_name(a, b)
    with Renderer() as renderer:
        bundle = vega_bundle(out, renderer)
        shown = draw_all(pair_figures(a, b), Sources(connection), out / name, renderer, progress)
    values = {"a": a, "b": b, "about": found.about, "metrics": found.metrics, "said": found.said}
    values |= {"caution": CAUTION, "lineage": found.opening}
    page = out / f"{name}.html"
    write(page, render("compare.html", bundle.result(), {**values, "drawn": shown, "version": VERSION}))
    return page


def page_name(a: str, b: str) -> str:
    """Of the page of two models and the folder of its pictures; links lead there, so it is plain."""
    return f"compare-{_plain_name(a)}-{_plain_name(b)}"


def _plain_name(model: str) -> str:
    """A model of a foreign lake may have any name: then what can be kept of it, and a digest."""
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


def measured(
    connection: duckdb.DuckDBPyConnection, a: str, b: str
) -> tuple[list[dict[str, object]], list[Sentences]]:
    """Every metric by norm, and the sentences they come to."""
    with connection.cursor() as own:
        own.execute("set variable model_a = ?", [a])
        own.execute("set variable model_b = ?", [b])
        metrics = fetch_dicts(own, (FOLDER / "metrics.sql").read_text(encoding="utf-8"))
        figures = fetch_dicts(own, (FOLDER / "words.sql").read_text(encoding="utf-8"))
    return metrics, sentences(figures)
