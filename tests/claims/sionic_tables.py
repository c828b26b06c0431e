"""What numpy says of the sionic claims about tables, summary, scale and models, from the planted vectors.

Bounds are written here as the documents print them, not read from the table of printed figures.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tests.claims.by_numpy import Answer, Doubles, furthest, measure, pearson
from tests.claims.planted import INPUT, LAYERS, MTP_LAYERS, PARAMETERS, POST, WIDTH, vector
from warehouse.documents import read_printed

FOUR = ("solar", "glm", "intellect", "phi")
SIX_PAIRS = [(a, b) for n, a in enumerate(FOUR) for b in FOUR[n + 1 :]]


def figures() -> dict[str, Answer]:
    whole_models = models() | scale() | offsets() | conclusion() | gamma_bounds()
    return pair_figures() | pair_means() | summary() | whole_models


def decoder_layers(model: str) -> range:
    return range(LAYERS[model] - MTP_LAYERS.get(model, 0))


def shared_layers(a: str, b: str) -> range:
    return range(min(LAYERS[a], LAYERS[b]))


def matched(metric: str, a: str, b: str, ln_type: str = INPUT) -> list[float]:
    """The metric at each layer that both models have."""
    return [measure(metric, ln_type, a, layer, b, layer) for layer in shared_layers(a, b)]


def mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))


def share(truths: Iterable[bool]) -> float:
    return mean(float(truth) for truth in truths)


def spearman(values: Iterable[float]) -> float:
    """Of a sequence with its positions; equal values share the mean of their ranks."""
    given = np.array(list(values))
    ranks = [(given < value).sum() + ((given == value).sum() - 1) / 2 for value in given]
    return pearson(np.arange(len(given), dtype=float), np.array(ranks))


def length(model: str, ln_type: str, layer: int) -> float:
    return float(np.linalg.norm(vector(model, ln_type, layer)))


def everything(model: str) -> list[Doubles]:
    """All input and post-attention norms."""
    return [vector(model, ln_type, layer) for ln_type in (INPUT, POST) for layer in range(LAYERS[model])]


def inputs(model: str, layers: range) -> Doubles:
    """Layers of a model's input norm, one row each."""
    return np.array([vector(model, INPUT, layer) for layer in layers])


def pair_figures() -> dict[str, Answer]:
    """D-2.1 and D-2.2: the printed row names the vectors and the metric. D-2.3: the whole grid."""
    answers: dict[str, Answer] = {
        row["item"]: (measure(row["metric"], INPUT, "solar", row["layer_a"], "glm", row["layer_b"]), None)
        for row in read_printed().to_pylist()
        if row["section"] in ("D-2.1", "D-2.2") and row["layer_a"] is not None
    }
    for metric in ("cosine", "pearson"):
        grid = np.array(
            [[measure(metric, INPUT, "solar", i, "glm", j) for j in range(47)] for i in range(47)]
        )
        for name, values in (("diag", np.diag(grid)), ("offdiag", grid[~np.eye(47, dtype=bool)])):
            answers[f"sionic.d2_3.{name}_mean.{metric}"] = (mean(values), None)
            answers[f"sionic.d2_3.{name}_std.{metric}"] = (float(np.std(values)), None)
    return answers


def pair_means() -> dict[str, Answer]:
    """E.2 with the conclusion's table, and E.3: means over layers, cosines with Phi at their highest."""
    answers: dict[str, Answer] = {}
    renamed = {"solar_phi": "phi_solar", "glm_phi": "phi_glm"}
    for a, b in SIX_PAIRS:
        pair = f"{a}_{b}"
        in_conclusion = pair in ("solar_glm", "glm_intellect", "solar_phi", "glm_phi")
        table = f"conclusion.{{}}.{renamed.get(pair, pair)}" if in_conclusion else f"e2.{{}}.{pair}"
        for item, ln_type in ((table, INPUT), (f"e3.{{}}.{pair}", POST)):
            cosines, pearsons = matched("cosine", a, b, ln_type), matched("pearson", a, b, ln_type)
            answers["sionic." + item.format("cosine")] = (max(cosines) if b == "phi" else mean(cosines), None)
            answers["sionic." + item.format("pearson")] = (mean(pearsons), None)
            if b == "phi":
                at_best = pearsons[int(np.argmax(cosines))]
                answers["sionic." + item.format("pearson") + "@best_layer"] = (at_best, None)
    return answers


def models() -> dict[str, Answer]:
    answers: dict[str, Answer] = {
        "sionic.e1.layers.solar": (48, None),
        "sionic.e1.layers.phi": (32, None),
        "sionic.e1.params.solar": (PARAMETERS["solar"], None),
        "sionic.e1.params.glm": (PARAMETERS["intellect"], None),  # the same without the MTP layer
        "sionic.e1.params.phi": (PARAMETERS["phi"], None),
        "sionic.e1.phi_is_moe": (1, True),
        "sionic.a1.rmsnorm_no_beta.solar": (0, True),
        "sionic.a1.rmsnorm_no_beta.glm": (0, True),
        "sionic.a1.two_positions": (2, True),
    }
    for model in FOUR:
        answers[f"sionic.e1.hidden_dim.{model}"] = (WIDTH, None)
    for model in ("glm", "intellect"):
        answers[f"sionic.e1.layers.{model}_46"] = (len(decoder_layers(model)), None)
        answers[f"sionic.e1.layers.{model}_47"] = (LAYERS[model], None)
    different = min(
        share(
            abs(np.mean(vector(model, INPUT, n)) - np.mean(vector(model, POST, n)))
            > np.std(vector(model, INPUT, n)) + np.std(vector(model, POST, n))
            for n in range(LAYERS[model])
        )
        for model in ("solar", "glm")
    )
    answers["sionic.a1.input_post_distributions_differ"] = (different, different > 0.5)
    return answers


def summary() -> dict[str, Answer]:
    cosines = matched("cosine", "solar", "glm")
    r = {pair: mean(matched("pearson", *pair)) for pair in SIX_PAIRS}
    return {
        "sionic.summary.prior_cosine_0_99": (mean(cosines[n] for n in (10, 20, 30, 40)), None),
        "sionic.s3.solar_glm_cosine_0_99": (max(cosines), None),
        "sionic.summary.pearson.solar_glm": (r["solar", "glm"], None),
        "sionic.summary.pearson.glm_intellect": (r["glm", "intellect"], None),
        "sionic.summary.pearson.phi": (mean([r["solar", "phi"], r["glm", "phi"]]), None),
    }


def scale() -> dict[str, Answer]:
    no_intellect = ("solar", "glm", "phi")
    lengths = [float(np.linalg.norm(v)) for m in no_intellect for v in everything(m)]
    solar = [length("solar", POST, n) for n in range(48)]
    glm = {m: [length(m, POST, n) for n in range(46)] for m in ("glm", "intellect")}
    trends = [
        spearman(length(m, t, n) for n in decoder_layers(m)) for m in ("solar", "glm") for t in (INPUT, POST)
    ]
    middle = share(29.5 <= value < 60 for value in solar[16:32])
    tens_from = 1 + max(
        [n for values in glm.values() for n, value in enumerate(values) if value < 10], default=-1
    )
    deep = share(99.5 <= value < 150 for values in glm.values() for value in values[31:])
    low, high = 0.01 - 0.05, 2.3 + 0.05
    weights = {m: np.concatenate(everything(m)) for m in FOUR}
    inside = share((low <= v) & (v <= high) for v in np.concatenate(list(weights.values())))
    named = np.concatenate([weights["solar"], weights["glm"]])
    extreme = float(named.min() if low - named.min() > named.max() - high else named.max())
    off_one = min(float(np.mean(np.abs(v - 1))) for v in weights.values())
    steps = max(
        2.0 ** (np.floor(np.log2(abs(np.mean(v)))) - 7) / np.std(v) for m in FOUR for v in everything(m)
    )
    rounding = float(steps / np.sqrt(12))
    return {
        "sionic.scale.norm_min_1": (min(lengths), None),
        "sionic.scale.norm_max_140": (max(lengths), None),
        "sionic.scale.solar.L00.input_norm": (length("solar", INPUT, 0), None),
        "sionic.scale.solar.L00.post_norm": (solar[0], None),
        "sionic.scale.solar.post_norm_late": (max(solar[32:]), None),
        "sionic.scale.norm_grows_with_depth": (min(trends), min(trends) > 0.5),
        "sionic.scale.solar.post_norm_rises": (spearman(solar[:32]), spearman(solar[:32]) > 0.9),
        "sionic.scale.solar.post_norm_mid": (middle, middle > 0.5),
        "sionic.scale.glm.post_norm_early": (tens_from, tens_from <= 5),
        "sionic.scale.glm.post_norm_deep": (deep, deep > 0.5),
        "sionic.scale.component_range": (inside, inside >= 0.99),
        "sionic.scale.component_range@every_weight": (
            extreme,
            bool(low <= named.min() and named.max() <= high),
        ),
        "sionic.scale.not_near_all_ones": (off_one, off_one > 0.1),
        "sionic.scale.pattern_lost_in_low_precision": (rounding, rounding > 0.01),
    }


def offsets() -> dict[str, Answer]:
    vectors = share(len(v) * np.mean(v) ** 2 > len(v) * np.var(v) for m in FOUR for v in everything(m))
    products = []
    for a, b in SIX_PAIRS:
        if (a, b) != ("glm", "intellect"):
            for ln_type in (INPUT, POST):
                for n in shared_layers(a, b):
                    x, y = vector(a, ln_type, n), vector(b, ln_type, n)
                    products.append(bool(len(x) * np.mean(x) * np.mean(y) > (x @ y) / 2))
    return {
        "sionic.a4.offset_exceeds_pattern": (vectors, vectors >= 0.9),
        "sionic.summary.mean_direction_dominates": (share(products), share(products) >= 0.9),
    }


def conclusion() -> dict[str, Answer]:
    means = [float(inputs(model, range(LAYERS[model])).mean(axis=1).mean()) for model in FOUR]
    worst = furthest(means, 1)
    lowest = min(mean(matched("cosine", a, b, ln_type)) for a, b in SIX_PAIRS for ln_type in (INPUT, POST))
    shares, gaps = [], []
    for a, b in SIX_PAIRS:
        for ln_type in (INPUT, POST):
            couples = [(vector(a, ln_type, n), vector(b, ln_type, n)) for n in shared_layers(a, b)]
            offset = np.mean([len(x) * x.mean() * y.mean() / np.sqrt((x @ x) * (y @ y)) for x, y in couples])
            average = mean(matched("cosine", a, b, ln_type))
            shares.append(float(offset / average))
            if (a, b) != ("glm", "intellect"):
                gaps.append(float(abs(average - offset)))
    return {
        "sionic.conclusion.ko_due_to_bias": (max(gaps), max(gaps) <= 0.01),
        "sionic.conclusion.en_largely_bias": (min(shares), min(shares) >= 0.9),
        "sionic.conclusion.all_llms_near_1": (worst, abs(worst - 1) <= 0.5),
        "sionic.conclusion.any_pair_high_cosine": (lowest, lowest >= 0.9),
    }


def gamma_bounds() -> dict[str, Answer]:
    """Shares of models of which nine in ten weights lie between 0 and 1."""

    def counts(weights: Doubles) -> bool:
        return bool(np.mean((weights >= 0) & (weights <= 1)) >= 0.9)

    by_input = {model: counts(inputs(model, range(LAYERS[model]))) for model in LAYERS}
    shares = {
        "": share(by_input[model] for model in FOUR),
        "@both_norms": share(counts(np.concatenate(everything(model))) for model in FOUR),
        "@all_models": share(by_input.values()),
    }
    return {
        f"sionic.summary.gamma_between_0_and_1{reading}": (of, of > 0.5) for reading, of in shares.items()
    }
