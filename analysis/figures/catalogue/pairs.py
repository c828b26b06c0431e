"""The figures that any two models can be drawn with."""

from __future__ import annotations

from dataclasses import replace

from analysis.figures.catalogue import FIGURES
from analysis.figures.figure import Figure, Variable, Words
from analysis.languages import Text

# name: what is drawn of the two models
PAIR_TITLES = {
    "figure_01": "{} and {}: weights side by side, centred, and their similarity by layer",
    "figure_02": "Every layer of {} against every layer of {}",
    "figure_08": "Mean, spread and range of the weights by layer, {} and {}",
    "figure_09": "How the weights of {} and {} are distributed, every third layer",
    "sanity": "The cosine of {} and {}, and what shuffled dimensions would give",
    "decomposition": "How much of the cosine of {} and {} is offset, and how much is pattern",
    "drift": "How the norms of {} and {} differ",
}


def for_pair(model_a: str, model_b: str) -> dict[str, Figure]:
    """The figures of two models of one's own choice, with the names they have for the disputed ones."""
    return {name: _of_pair(FIGURES[name], model_a, model_b) for name in PAIR_TITLES}


def _of_pair(figure: Figure, model_a: str, model_b: str) -> Figure:
    variables: dict[str, Variable] = {"model_a": model_a, "model_b": model_b}
    if figure.name == "figure_08":
        variables = {"models": [model_a, model_b]}
    # a model may have braces in its name; nothing is filled in here
    title = PAIR_TITLES[figure.name].format(model_a, model_b).replace("{", "{{").replace("}", "}}")
    text: Text = {"en": title}
    return replace(
        figure,
        words=Words({"": text}, {"en": "input norm"}, {"en": ""}, {"en": f"{title}."}),
        facts=None,
        documents=(),
        claims=(),
        needs=(model_a, model_b),
        query=figure.query or figure.name,
        variables=variables,
        narrow=None,
    )
