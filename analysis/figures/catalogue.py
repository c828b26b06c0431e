"""All figures, and `just figure`: each is a table of `words/*.toml`, a query and a function that draws.

FIGURES has them in the order of the report, those of the main page first. Importing this is cheap, because
the libraries that draw are imported when a figure is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.figures.charts import (
    baselines,
    calibration,
    heatmaps,
    layers,
    matrices,
    pairs,
    shares,
    three_dimensions,
    weights,
)
from analysis.figures.figure import Figure, Variable, Words
from analysis.languages import Text, is_text, read_texts
from warehouse.console.output import remark, show
from warehouse.errors import UsageError, did_you_mean
from warehouse.lake import existing_lake

WORDS = Path(__file__).with_name("words")
FILES = ("argument", "sionic", "sionic_appendix", "hyunwoong", "critique", "normhouse")

# Each has functions named as the queries whose rows they draw, and as many that end in `_facts`.
CHARTS = (baselines, calibration, heatmaps, layers, matrices, pairs, shares, three_dimensions, weights)
# What SQL cannot compute of a query's rows: an eigenvalue problem.
DERIVED = {"figure_07": three_dimensions.coordinates}

# The figures that any two models can be drawn with, and what is drawn of them.
PAIR_TITLES = {
    "figure_01": "{} and {}: weights side by side, centred, and their similarity by layer",
    "figure_02": "Every layer of {} against every layer of {}",
    "figure_08": "Mean, spread and range of the weights by layer, {} and {}",
    "figure_09": "How the weights of {} and {} are distributed, every third layer",
    "sanity": "The cosine of {} and {}, and what shuffled dimensions would give",
    "decomposition": "How much of the cosine of {} and {} is offset, and how much is pattern",
    "drift": "How the norms of {} and {} differ",
}


def _figure(name: str, table: dict[str, Any], file: str) -> Figure:
    title = table["title"]
    query = table.get("query", name)
    charts = next(module for module in CHARTS if hasattr(module, query))
    return Figure(
        name=name,
        words=Words(
            {"": title} if is_text(title) else title, table["data"], table["caption"], table["description"]
        ),
        draw=getattr(charts, query),
        section=table["section"],
        documents=tuple(table.get("documents", ())),
        about=table.get("about", "models"),
        needs=tuple(table.get("needs", ())),
        claims=tuple(table.get("claims", ())),
        query=query,
        variables=table.get("variables", {}),
        derive=DERIVED.get(query),
        facts=getattr(charts, f"{query}_facts"),
        on_main_page=file == "argument",
        is_inline=file == "argument" or table.get("inline", False),
    )


FIGURES: dict[str, Figure] = {
    name: _figure(name, table, file)
    for file in FILES
    for name, table in read_texts(WORDS / f"{file}.toml").items()
}
ARGUMENT = tuple(figure for figure in FIGURES.values() if figure.on_main_page)


def for_pair(model_a: str, model_b: str) -> dict[str, Figure]:
    """The figures of any two models, under the names they have for the disputed pair."""
    return {name: _of_pair(FIGURES[name], model_a, model_b) for name in PAIR_TITLES}


def _of_pair(figure: Figure, model_a: str, model_b: str) -> Figure:
    variables: dict[str, Variable] = {"model_a": model_a, "model_b": model_b}
    if figure.name == "figure_08":
        variables = {"models": [model_a, model_b]}
    # a model may have braces in its name; nothing is filled in here
    title = PAIR_TITLES[figure.name].format(model_a, model_b).replace("{", "{{").replace("}", "}}")
    text: Text = {"en": title}
    norms = "both norms" if figure.name in ("figure_09", "drift") else "input norm"
    return replace(
        figure,
        words=Words({"": text}, {"en": norms}, {"en": ""}, {"en": f"{title}."}),
        facts=None,
        documents=(),
        claims=(),
        needs=(model_a, model_b),
        variables=variables,
        on_main_page=False,
        is_inline=False,
    )


def main(names: Sequence[str], lake_name: str | None, folder: Path) -> int:
    return draw_named(names, lake_name, folder) if names else list_figures()


def list_figures() -> int:
    """Their titles, in which … is a figure that only the rows of a lake give."""
    remark("draw one or more: `just figure NAME…` (in these titles, … is a value that the lake gives)")
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
        # the caution is about the lake's weights
        announce(sources.at_hand, lake, caution=any(figure.needs for figure in figures))
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
