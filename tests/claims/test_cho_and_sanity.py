"""Cho's and the sanity check's claims about weights say what numpy says of the same vectors."""

from __future__ import annotations

import numpy as np

from analysis.claims.results import Run
from tests.claims.by_numpy import (
    Answer,
    about_weights,
    assert_same,
    furthest,
    measure,
    pearson,
)
from tests.claims.planted import INPUT, POST, WIDTH, vector

EARLIER = (10, 20, 30, 40)
SHARED = range(46)
PAIR = ("solar", "glm")
ONE_LAYER = np.sqrt(WIDTH - 1)


def offset(a: str, b: str, layer: int) -> float:
    """What the means of two vectors alone give of their cosine."""
    first, second = vector(a, INPUT, layer), vector(b, INPUT, layer)
    lengths = np.linalg.norm(first) * np.linalg.norm(second)
    return float(len(first) * first.mean() * second.mean() / lengths)


def norms() -> dict[str, Answer]:
    cosines = {layer: measure("cosine", INPUT, "solar", layer, "glm", layer) for layer in EARLIER}
    pearsons = np.array([measure("pearson", INPUT, "solar", layer, "glm", layer) for layer in SHARED])
    offsets = {layer: offset("solar", "glm", layer) for layer in EARLIER}
    cosine, mean = float(np.mean(list(cosines.values()))), float(pearsons.mean())
    beyond = cosine - float(np.mean(list(offsets.values())))
    least = min(offsets[layer] / cosines[layer] for layer in EARLIER)
    means = [float(vector(model, INPUT, layer).mean()) for model in PAIR for layer in EARLIER]
    far = furthest(means, 1)
    z, z_of_layers = mean * ONE_LAYER, mean * ONE_LAYER * np.sqrt(46)
    largest = float(np.abs(pearsons).max())
    decline = float((pearsons[:23].mean() - pearsons[23:].mean()) / np.sqrt(2 / (WIDTH - 1)))
    return {
        "cho.norms.cosine_0_989": (cosine, 0.9885 <= cosine <= 0.99),
        "cho.norms.pearson_0_012": (mean, 0.0115 <= mean <= 0.013),
        "cho.trap.artefact_proven": (beyond, abs(beyond) <= 0.005),
        "cho.norms.cosine_artefact": (least, least >= 0.9),
        "cho.norms.cosine_artefact@about_1": (far, least >= 0.9 and 0.5 <= far <= 1.5),
        "cho.norms.no_relationship": (z, abs(z) < 1.96),
        "cho.norms.no_relationship@mean_over_layers": (z_of_layers, bool(abs(z_of_layers) < 1.96)),
        "cho.norms.like_random": (z, abs(z) < 1.96),
        "cho.norms.like_random@mean_over_layers": (z_of_layers, bool(abs(z_of_layers) < 1.96)),
        "cho.decay.zero_everywhere": (largest, largest <= 0.05),
        "cho.decay.no_pattern": (decline, decline < 1.96),
    }


def output() -> dict[str, Answer]:
    """Means and spreads of Pearson by norm, of both norms together, and of the mismatched control."""
    solar, glm = (
        [vector(model, norm, layer) for layer in SHARED for norm in (INPUT, POST)] for model in PAIR
    )
    matched = np.array([pearson(a, b) for a, b in zip(solar, glm, strict=True)])
    mismatched = [pearson(solar[i], glm[j]) for i in range(30) for j in range(i + 5, i + 10)]
    answers: dict[str, Answer] = {"cho.output.pearson_mismatched": (float(np.mean(mismatched)), None)}
    for name, values in {"pre": matched[::2], "post": matched[1::2], "matched": matched}.items():
        answers[f"cho.output.pearson_{name}"] = (float(values.mean()), None)
        answers[f"cho.output.pearson_{name}@spread"] = (float(values.std()), None)
    return answers


def hypothesis() -> dict[str, Answer]:
    shares = [
        float(np.mean([vector(model, norm, layer) > 0 for norm in (INPUT, POST) for layer in SHARED]))
        for model in PAIR
    ]
    best = max(measure("cosine", INPUT, "glm", layer, "phi", layer) for layer in range(32))
    return {
        "sanity.hypothesis.mostly_positive": (min(shares), min(shares) > 0.5),
        "sanity.hypothesis.independent_can_be_high": (best, best >= 0.9),
    }


def test_every_item_is_what_numpy_computes(twelve_run: Run) -> None:
    assert_same(about_weights(twelve_run, "cho", "sanity"), norms() | output() | hypothesis())
