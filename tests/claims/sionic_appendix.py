"""What numpy says of the sionic claims about Figures 6 to 10, from the planted vectors."""

from __future__ import annotations

import numpy as np

from tests.claims.by_numpy import Answer
from tests.claims.planted import INPUT, LAYERS, POST, WIDTH, vector
from tests.claims.sionic_tables import FOUR, inputs, share


def figures() -> dict[str, Answer]:
    return figure_6() | figure_7() | figure_8() | figures_9_and_10()


def figure_6() -> dict[str, Answer]:
    """The planted vectors are shorter than the 100 values shown: all are."""
    shown = {model: inputs(model, range(min(47, LAYERS[model]))) for model in FOUR}
    levels = {model: float(np.median(values)) for model, values in shown.items()}
    low = float(np.mean(shown["solar"] <= 0.6))
    flat = float(np.mean((shown["solar"] >= 0.2) & (shown["solar"] <= 0.6)))
    rise = float(shown["glm"][31:46].mean() - shown["glm"][:15].mean())
    moved = float(np.quantile(np.abs(shown["glm"][:46] - shown["intellect"]), 0.99))
    bottoms, tops = zip(
        *(np.quantile(shown[model][:32], (0.01, 0.99)) for model in ("glm", "phi")), strict=True
    )
    overlap = float((min(tops) - max(bottoms)) / (max(tops) - min(bottoms)))
    higher = sum(levels["solar"] < 0.9 * level for level in levels.values())
    return {
        "sionic.fig6.solar_level": (levels["solar"], 0.2 <= levels["solar"] <= 0.6),
        "sionic.fig6.glm_level": (levels["glm"], 0.9 <= levels["glm"] <= 1.1),
        "sionic.fig6.phi_level": (levels["phi"], 0.7 <= levels["phi"] <= 1.1),
        "sionic.fig6.solar_uniform": (low, low >= 0.95),
        "sionic.fig6.solar_uniform@flat": (flat, flat >= 0.95),
        "sionic.fig6.glm_higher_when_deep": (rise, rise > 0),
        "sionic.fig6.glm_higher_when_deep@slightly": (rise, 0 < rise <= 0.2),
        "sionic.fig6.intellect_like_glm": (moved, moved <= 0.02),
        "sionic.fig6.phi_like_glm": (overlap, overlap >= 0.5),
        "sionic.fig6.solar_clearly_lower": (higher, higher == 3),
    }


def figure_7() -> dict[str, Answer]:
    stacked = np.concatenate([inputs(model, range(32)) for model in FOUR])
    left, sizes, _ = np.linalg.svd(stacked - stacked.mean(axis=0), full_matrices=False)
    places = left[:, :3] * sizes[:3]
    distances = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    model = np.repeat(np.arange(4), 32)  # 0 solar, 1 glm, 2 intellect, 3 phi
    own = model[distances.argmin(axis=1)] == model
    to_others = distances[model == 1][:, (model == 0) | (model == 3)].min(axis=1)
    ratio = float(distances[model == 1][:, model == 2].diagonal().mean() / to_others.mean())
    solar, phi = (float(own[model == number].mean()) for number in (0, 3))
    return {
        "sionic.fig7.layers_0_31": (128, True),
        "sionic.fig7.glm_intellect_overlap": (ratio, ratio < 0.05),
        "sionic.fig7.solar_separate_region": (solar, solar >= 0.75),
        "sionic.fig7.phi_separate_region": (phi, phi >= 0.75),
    }


def figure_8() -> dict[str, Answer]:
    lines = {model: inputs(model, range(min(47, LAYERS[model]))) for model in FOUR}
    means = {model: values.mean(axis=1) for model, values in lines.items()}
    stds = {model: values.std(axis=1) for model, values in lines.items()}
    answers: dict[str, Answer] = {}
    for name, lowest, highest in (("glm", 0.9, 1.1), ("solar", 0.25, 0.45), ("phi", 0.75, 1.05)):
        middle = float(np.median(means[name]))
        inside = share((means[name] >= lowest) & (means[name] <= highest))
        answers[f"sionic.fig8.mean.{name}"] = (middle, lowest <= middle <= highest)
        answers[f"sionic.fig8.mean.{name}@every_layer"] = (inside, inside == 1)
    for names, lowest, highest in ((("solar",), 0.05, 0.65), (("glm", "intellect"), 0.45, 2.05)):
        minima, maxima = (np.concatenate([of(lines[n], axis=1) for n in names]) for of in (np.min, np.max))
        slack = float(min(np.median(minima) - lowest, highest - np.median(maxima)))
        inside = share((minima >= lowest) & (maxima <= highest))
        answers[f"sionic.fig8.minmax.{names[0]}"] = (slack, slack >= 0)
        answers[f"sionic.fig8.minmax.{names[0]}@every_layer"] = (inside, inside == 1)
    glm, intellect = lines["glm"][:46], lines["intellect"]
    gaps = [
        float(np.abs(of(glm, axis=1) - of(intellect, axis=1)).max() / np.ptp(of(glm, axis=1)))
        for of in (np.mean, np.std, np.min, np.max)
    ]
    solar, phi = stds["solar"][:32], stds["phi"]
    lower = np.minimum(stds["glm"][:32], stds["intellect"][:32])
    ordered = share((lower > phi) & (phi > solar))
    averages = min(stds["glm"][:32].mean(), stds["intellect"][:32].mean()) > phi.mean() > solar.mean()
    clearly_different = share(abs(means["solar"] - means["glm"]) > stds["solar"] + stds["glm"])
    return {
        **answers,
        "sionic.fig8.mean.intellect_overlaps_glm": (gaps[0], gaps[0] <= 0.02),
        "sionic.fig8.lines_overlap_exactly": (max(gaps), max(gaps) <= 0.02),
        "sionic.fig8.std_order": (float(phi.mean() / solar.mean()), bool(averages)),
        "sionic.fig8.std_order@most_layers": (ordered, ordered > 0.5),
        "sionic.fig8.solar_glm_clearly_differ": (clearly_different, clearly_different >= 0.75),
    }


def figures_9_and_10() -> dict[str, Answer]:
    ridges = np.array(
        [vector(m, t, n) for m in ("solar", "glm") for t in (INPUT, POST) for n in range(0, 46, 3)]
    )
    inside = float(np.mean((ridges >= -0.2) & (ridges <= 2.0)))
    return {
        "sionic.fig9.full_dim_histogram": (WIDTH, WIDTH == 4096),
        "sionic.fig9.full_dim_histogram@within_bins": (inside, inside == 1),
        "sionic.fig10.diff_vector_4096": (WIDTH, None),
    }
