"""What numpy says of the sionic claims about Figures 1 to 5, from the planted vectors."""

from __future__ import annotations

import numpy as np

from tests.claims.by_numpy import Answer, furthest, measure
from tests.claims.planted import INPUT, LAYERS, WIDTH, vector
from tests.claims.sionic_tables import SIX_PAIRS, inputs, matched, mean, share, spearman

# Tolerances that are not half a digit on the planted lake: a figure may be cut off or be about so much
WIDER = {
    "sionic.fig3_1a.early_96": 0.01,
    "sionic.fig3_1a.early_96@layers_0_2": 0.01,
    "sionic.fig3_1a.deep_0_1": 0.001,
    "sionic.fig3_1a.deep_0_1@last_third": 0.001,
    "sionic.fig3_1b.layer0_mean_diff": 1e-4,
    "sionic.fig3_1b.layer40_mean_diff": 1e-6,
    "sionic.scale.norm_max_140": 10,
    "sionic.scale.solar.L00.input_norm": 0.01,
    "sionic.scale.solar.L00.post_norm": 0.01,
}


def figures() -> dict[str, Answer]:
    return (
        figure_1() | figure_2() | figure_3() | figure_3_1() | figure_4() | figure_5()
        | drawn_layers() | diagonal()
    )  # fmt: skip


def figure_1() -> dict[str, Answer]:
    cosines, pearsons = matched("cosine", "solar", "glm"), matched("pearson", "solar", "glm")
    worst = furthest(pearsons)
    answers: dict[str, Answer] = {
        "sionic.fig1.best_layer_27": (int(np.argmax(cosines)), None),
        "sionic.fig1.values_use_all_4096": (WIDTH, None),
        "sionic.fig1a.cosine": (cosines[27], None),
        "sionic.fig1b.pearson": (pearsons[27], None),
        "sionic.fig1c.layer_count_47": (47, None),
        "sionic.fig1.bars_do_not_match": (pearsons[27], abs(pearsons[27]) <= 0.055),
        "sionic.fig1c.cosine_range": (min(cosines), min(cosines) >= 0.935 and max(cosines) <= 0.995),
        "sionic.fig1c.pearson_range": (worst, abs(worst) <= 0.055),
    }
    for model, low, high in (("solar", 0.15, 0.85), ("glm", 0.45, 1.05)):
        bottom, top = np.quantile(vector(model, INPUT, 27), (0.01, 0.99))
        slack = float(min(bottom - low, high - top))
        answers[f"sionic.fig1a.{model}_range"] = (slack, slack >= 0)
    return answers


def figure_2() -> dict[str, Answer]:
    grid = {
        metric: np.array(
            [[measure(metric, INPUT, "solar", i, "glm", j) for j in range(47)] for i in range(47)]
        )
        for metric in ("cosine", "pearson")
    }
    cosines, pearsons = grid["cosine"], grid["pearson"]
    inside = float(np.mean((cosines >= 0.93) & (cosines <= 0.96)))
    average = float(cosines.mean())
    lowest = float(cosines.min())
    step = float(abs(cosines[10, 10] - cosines[10, 30]))
    mismatched = cosines[~np.eye(47, dtype=bool)]
    gap = float(np.diag(cosines).mean() - mismatched.mean())
    largest, white = float(np.abs(pearsons).max()), float(np.mean(np.abs(pearsons) <= 0.05))
    largest_z = largest * np.sqrt(WIDTH - 1)
    best = max(float(np.diagonal(pearsons, k).mean()) for k in range(-37, 38))
    return {
        "sionic.fig2a.cosine_level": (inside, inside == 1),
        "sionic.fig2a.cosine_level@average": (average, 0.93 <= average <= 0.96),
        "sionic.fig2a.whole_panel_red": (lowest, lowest > 0.90),
        "sionic.fig2a.l10_l10_like_l10_l30": (step, step < 0.01),
        "sionic.fig2a.no_diagonal": (gap, gap < 0.01),
        "sionic.fig2a.no_diagonal@spread": (gap / float(mismatched.std()), bool(gap < mismatched.std())),
        "sionic.fig2b.pearson_near_zero_everywhere": (largest, white >= 0.95 and largest < 0.1),
        "sionic.fig2b.en_no_significant_pattern": (float(largest_z), bool(largest_z <= 4.24)),
        "sionic.fig2b.ko_no_pattern_in_practice": (largest, largest < 0.1),
        "sionic.fig2.no_offset_diagonal": (best, best <= 0.05),
    }


def figure_3() -> dict[str, Answer]:
    cosines, pearsons = matched("cosine", "glm", "intellect"), matched("pearson", "glm", "intellect")
    glm, intellect = (inputs(model, range(46)) for model in ("glm", "intellect"))
    ratio = float(np.abs(glm[41] - intellect[41]).mean() / glm[41].std())
    changed = int((glm != intellect).any(axis=1).sum())
    best = [layer for layer, value in enumerate(cosines) if max(cosines) - value <= 2.0**-22]
    return {
        "sionic.fig3.best_layer_41": (min(best, key=lambda layer: abs(layer - 41)), None),
        "sionic.fig3a.cosine": (cosines[41], None),
        "sionic.fig3b.pearson": (pearsons[41], None),
        "sionic.fig3c.layer_count_46": (46, None),
        "sionic.fig5.diag_mean.glm_intellect": (mean(pearsons), None),
        "sionic.fig3.bars_overlap": (ratio, ratio < 0.01),
        "sionic.fig3c.cosine_all_layers": (min(cosines), min(cosines) >= 0.95),
        "sionic.fig3c.pearson_all_layers": (min(pearsons), min(pearsons) >= 0.95),
        "sionic.fig3c.tiny_differences_exist": (changed, changed > 0),
        "sionic.s3.intellect_is_sft_of_glm45air": (None, False),
    }


def figure_3_1() -> dict[str, Answer]:
    glm, intellect = (inputs(model, range(46)) for model in ("glm", "intellect"))
    changed = (glm != intellect).mean(axis=1)
    moved = np.abs(glm - intellect).mean(axis=1)
    moves = mean(np.linalg.norm(glm - intellect, axis=1) / np.linalg.norm(glm, axis=1))
    early = float(changed[:15].sum() / changed.sum())
    levels = {
        "layers0_2_over_90": (changed[:3], 0.90, 1.0),
        "layers3_12_10_to_50": (changed[3:13], 0.095, 0.505),
        "layers13_up_below_10": (changed[13:], 0.0, 0.10),
    }
    answers: dict[str, Answer] = {}
    for name, (group, low, high) in levels.items():
        inside, average = share((group >= low) & (group <= high)), float(group.mean())
        answers[f"sionic.fig3_1a.{name}"] = (inside, inside == 1)
        answers[f"sionic.fig3_1a.{name}@average"] = (average, low <= average <= high)
    return {
        **answers,
        "sionic.fig3_1a.early_96": (changed[0], None),
        "sionic.fig3_1a.early_96@layers_0_2": (changed[:3].mean(), None),
        "sionic.fig3_1a.deep_0_1": (changed[40], None),
        "sionic.fig3_1a.deep_0_1@last_third": (changed[31:].mean(), None),
        "sionic.fig3_1a.not_frozen": (changed.max(), bool(changed.max() > 0)),
        "sionic.fig3_1b.layer0_mean_diff": (moved[0], None),
        "sionic.fig3_1b.layer40_mean_diff": (moved[40], None),
        "sionic.fig3_1b.declines_with_depth": (
            spearman(moved),
            bool(moved[40] < moved[0]) and spearman(moved) < 0,
        ),
        "sionic.fig3_1b.bytewise_bf16": (int((changed > 0).sum()), bool((changed > 0).any())),
        "sionic.s3.changes_concentrated_early": (early, early > 0.5),
        "sionic.fig6.ko_sft_did_not_change": (moves, moves < 0.01),
        "sionic.fig6.ko_sft_did_not_change@literally": (changed.max(), bool(changed.max() == 0)),
        "sionic.figs6_8.sft_barely_changed": (moves, moves < 0.01),
    }


def figure_4() -> dict[str, Answer]:
    answers: dict[str, Answer] = {"sionic.fig4.layer_rule_max_cosine": (None, False)}
    solar_glm = matched("pearson", "solar", "glm")[27]
    differences = []
    for pair, model in (("phi_solar", "solar"), ("glm_phi", "glm")):
        cosines, pearsons = matched("cosine", model, "phi"), matched("pearson", model, "phi")
        at_best, worst = pearsons[int(np.argmax(cosines))], furthest(pearsons)
        differences.append(abs(at_best - solar_glm) / np.sqrt(2 / (WIDTH - 1)))
        answers[f"sionic.fig4.cosine.{pair}"] = (max(cosines), None)
        answers[f"sionic.fig4.pearson.{pair}"] = (at_best, 0.005 <= at_best <= 0.025)
        answers[f"sionic.fig4.pearson.{pair}@all_layers"] = (mean(pearsons), 0.005 <= mean(pearsons) <= 0.025)
        answers[f"sionic.fig4.pearson_range.{pair}"] = (worst, abs(worst) <= 0.055)
    phi = float(inputs("phi", range(32)).mean())
    answers["sionic.s4.phi_near_1"] = (phi, 0.5 <= phi <= 1.5)
    answers["sionic.s4.phi_pairs_like_solar_glm"] = (max(differences), bool(max(differences) < 1.96))
    return answers


def figure_5() -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    for a, b in SIX_PAIRS:
        if (a, b) != ("glm", "intellect"):
            cells = [
                abs(measure("pearson", INPUT, a, i, b, j)) <= 0.05
                for i in range(min(47, LAYERS[a]))
                for j in range(min(47, LAYERS[b]))
            ]
            answers[f"sionic.fig5.near_zero.{a}_{b}"] = (share(cells), share(cells) > 0.5)
            answers[f"sionic.fig5.near_zero.{a}_{b}@whole"] = (share(cells), share(cells) >= 0.95)
    high = [pair for pair in SIX_PAIRS if mean(matched("pearson", *pair)) > 0.5]
    answers["sionic.fig5.only_correlating_pair"] = (len(high), high == [("glm", "intellect")])
    one = matched("pearson", "solar", "glm")
    rest = matched("pearson", "solar", "phi") + matched("pearson", "glm", "phi")
    welch = np.sqrt(np.var(one, ddof=1) / len(one) + np.var(rest, ddof=1) / len(rest))
    for reading, error in (("", np.sqrt(2 / (WIDTH - 1))), ("@independent_layers", welch)):
        errors = float(abs(mean(one) - mean(rest)) / error)
        answers[f"sionic.s4.solar_glm_indistinguishable{reading}"] = (errors, errors < 1.96)
    return answers


def drawn_layers() -> dict[str, Answer]:
    """Counted by hand: solar has 48 layers in its files, glm 47, intellect 46 and phi 32."""
    return {
        "sionic.fig2.shape_47x47": (47 * 47, True),
        "sionic.fig2.axes_0_46": (47, True),
        "sionic.f8.heatmaps_use_layers_0_46": (47, True),
        "sionic.fig5.phi_heatmaps_47x32": (2, False),
        "sionic.fig5.phi_heatmaps_47x32@up_to_47": (46, True),
    }


def diagonal() -> dict[str, Answer]:
    def grid(metric: str, a: str, b: str) -> np.typing.NDArray[np.float64]:
        return np.array([[measure(metric, INPUT, a, i, b, j) for j in range(46)] for i in range(46)])

    related = grid("cosine", "glm", "intellect")
    gap = float(np.diag(related).mean() - related[~np.eye(46, dtype=bool)].mean())
    cosines, pearsons = np.diag(grid("cosine", "solar", "glm")), grid("pearson", "solar", "glm")
    matching = np.diag(pearsons)
    higher = int((matching > matching[cosines.argmax()]).sum())
    same = share(pearsons.argmax(axis=1) == np.arange(46))
    return {
        "sionic.s2.derived_shows_diagonal": (gap, gap > 0.001),
        "sionic.fig1.best_layer_is_most_favourable": (float(cosines.max()), True),
        "sionic.fig1.best_layer_is_most_favourable@for_pearson": (higher, higher == 0),
        "sionic.s2.no_layer_correspondence": (same, same <= 0.1),
    }
