"""What numpy says of the sionic claims about Figures 1 to 5, from the planted vectors."""

from __future__ import annotations

import numpy as np

from tests.claims.by_numpy import Answer, furthest, measure
from tests.claims.planted import INPUT, LAYERS, POST, WIDTH, vector
from tests.claims.sionic_tables import SIX_PAIRS, inputs, matched, mean, share, spearman


def figures() -> dict[str, Answer]:
    return (
        figure_1() | figure_2() | figure_3() | figure_3_1() | figure_4() | figure_5() | drawn_layers()
    )  # fmt: skip


def figure_1() -> dict[str, Answer]:
    cosines, pearsons = matched("cosine", "solar", "glm"), matched("pearson", "solar", "glm")
    worst = furthest(pearsons)
    answers: dict[str, Answer] = {
        "sionic.fig1.best_layer_27": (int(np.argmax(cosines)), None),
        "sionic.fig1.best_layer_27@decoder_layers": (int(np.argmax(cosines[:46])), None),
        "sionic.fig1.values_use_all_4096": (WIDTH, None),
        "sionic.fig1a.cosine": (cosines[27], None),
        "sionic.fig1b.pearson": (pearsons[27], None),
        "sionic.fig1c.layer_count_47": (47, None),
        "sionic.fig1c.layer_count_47@decoder_layers": (46, None),
        "sionic.fig1.bars_do_not_match": (pearsons[27], abs(pearsons[27]) <= 0.055),
        "sionic.fig1c.cosine_range": (min(cosines), min(cosines) >= 0.935 and max(cosines) <= 0.995),
        "sionic.fig1c.pearson_range": (worst, abs(worst) <= 0.055),
    }
    for model, low, high in (("solar", 0.15, 0.85), ("glm", 0.45, 1.05)):
        values = vector(model, INPUT, 27)
        for reading, ends in (("", (0.01, 0.99)), ("@all_values", (0.0, 1.0))):
            bottom, top = np.quantile(values, ends)
            slack = float(min(bottom - low, high - top))
            answers[f"sionic.fig1a.{model}_range{reading}"] = (slack, slack >= 0)
    return answers


def figure_2() -> dict[str, Answer]:
    grid = {
        metric: np.array(
            [[measure(metric, INPUT, "solar", i, "glm", j) for j in range(47)] for i in range(47)]
        )
        for metric in ("cosine", "pearson")
    }
    cosines, pearsons = grid["cosine"], grid["pearson"]
    inside = float(np.mean((cosines >= 0.935) & (cosines <= 0.955)))
    lowest = float(cosines.min())
    step = float(abs(cosines[10, 10] - cosines[10, 30]))
    mismatched = cosines[~np.eye(47, dtype=bool)]
    gap = float(np.diag(cosines).mean() - mismatched.mean())
    largest = float(np.abs(pearsons).max())
    largest_z = largest * np.sqrt(WIDTH - 1)
    best = max(float(np.diagonal(pearsons, k).mean()) for k in range(-37, 38))
    return {
        "sionic.fig2a.cosine_level": (inside, inside == 1),
        "sionic.fig2a.whole_panel_red": (lowest, lowest > 0.90),
        "sionic.fig2a.l10_l10_like_l10_l30": (step, step < 0.01),
        "sionic.fig2a.no_diagonal": (gap, gap < 0.01),
        "sionic.fig2a.no_diagonal@spread": (gap / float(mismatched.std()), bool(gap < mismatched.std())),
        "sionic.fig2b.pearson_near_zero_everywhere": (largest, largest <= 0.05),
        "sionic.fig2b.pearson_near_zero_everywhere@significance": (float(largest_z), bool(largest_z <= 4.24)),
        "sionic.fig2.no_offset_diagonal": (best, best <= 0.05),
    }


def figure_3() -> dict[str, Answer]:
    cosines, pearsons = matched("cosine", "glm", "intellect"), matched("pearson", "glm", "intellect")
    glm, intellect = (inputs(model, range(46)) for model in ("glm", "intellect"))
    ratio = float(np.abs(glm[41] - intellect[41]).mean() / glm[41].std())
    changed = int((glm != intellect).any(axis=1).sum())
    lowest = min(pearsons + matched("pearson", "glm", "intellect", POST))
    return {
        "sionic.fig3.best_layer_41": (int(np.argmax(cosines)), None),
        "sionic.fig3a.cosine": (cosines[41], None),
        "sionic.fig3b.pearson": (pearsons[41], None),
        "sionic.fig3c.layer_count_46": (46, None),
        "sionic.fig5.diag_mean.glm_intellect": (mean(pearsons), None),
        "sionic.fig3.bars_overlap": (ratio, ratio < 0.01),
        "sionic.fig3c.cosine_all_layers": (min(cosines), min(cosines) >= 0.95),
        "sionic.fig3c.pearson_all_layers": (min(pearsons), min(pearsons) >= 0.95),
        "sionic.fig3c.tiny_differences_exist": (changed, changed > 0),
        "sionic.s3.intellect_is_sft_of_glm45air": (lowest, lowest > 0.99 and changed > 0),
    }


def figure_3_1() -> dict[str, Answer]:
    glm, intellect = (inputs(model, range(46)) for model in ("glm", "intellect"))
    changed = (glm != intellect).mean(axis=1)
    moved = np.abs(glm - intellect).mean(axis=1)
    moves = mean(np.linalg.norm(glm - intellect, axis=1) / np.linalg.norm(glm, axis=1))
    early = float(changed[:15].sum() / changed.sum())
    levels = {
        "layers0_2_over_90": share(changed[:3] > 0.90),
        "layers3_12_10_to_50": share((changed[3:13] >= 0.095) & (changed[3:13] <= 0.505)),
        "layers13_up_below_10": share(changed[13:] < 0.10),
    }
    return {
        **{f"sionic.fig3_1a.{name}": (inside, inside == 1) for name, inside in levels.items()},
        "sionic.fig3_1a.early_96": (changed[0], None),
        "sionic.fig3_1a.early_96@layers_0_2": (changed[:3].mean(), None),
        "sionic.fig3_1a.deep_0_1": (changed[31:].mean(), None),
        "sionic.fig3_1a.deep_0_1@layer_40": (changed[40], None),
        "sionic.fig3_1a.not_frozen": (changed.max(), bool(changed.max() > 0)),
        "sionic.fig3_1b.layer0_mean_diff": (moved[0], None),
        "sionic.fig3_1b.layer40_mean_diff": (moved[40], None),
        "sionic.fig3_1b.declines_with_depth": (spearman(moved), spearman(moved) < -0.9),
        "sionic.fig3_1b.bytewise_bf16": (int((changed > 0).sum()), bool((changed > 0).any())),
        "sionic.s3.changes_concentrated_early": (early, early > 0.5),
        "sionic.fig6.ko_sft_did_not_change": (moves, moves < 0.01),
        "sionic.fig6.ko_sft_did_not_change@literally": (changed.max(), bool(changed.max() == 0)),
        "sionic.figs6_8.sft_barely_changed": (moves, moves < 0.01),
    }


def figure_4() -> dict[str, Answer]:
    answers: dict[str, Answer] = {"sionic.fig4.layer_rule_max_cosine": (2, True)}
    solar_glm = matched("pearson", "solar", "glm")[27]
    differences = []
    for pair, model in (("phi_solar", "solar"), ("glm_phi", "glm")):
        cosines, pearsons = matched("cosine", model, "phi"), matched("pearson", model, "phi")
        at_best, worst = pearsons[int(np.argmax(cosines))], furthest(pearsons)
        differences.append(abs(at_best - solar_glm) / np.sqrt(2 / (WIDTH - 1)))
        answers[f"sionic.fig4.cosine.{pair}"] = (max(cosines), None)
        answers[f"sionic.fig4.pearson.{pair}"] = (at_best, 0.005 <= at_best <= 0.025)
        answers[f"sionic.fig4.pearson_range.{pair}"] = (worst, abs(worst) <= 0.055)
    phi = furthest(inputs("phi", range(32)).mean(axis=1), 1)
    answers["sionic.s4.phi_near_1"] = (phi, bool(0.95 <= phi <= 1.05))
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
            answers[f"sionic.fig5.near_zero.{a}_{b}"] = (share(cells), share(cells) >= 0.95)
    high = [pair for pair in SIX_PAIRS if mean(matched("pearson", *pair)) > 0.5]
    answers["sionic.fig5.only_derived_pair"] = (len(high), high == [("glm", "intellect")])
    one = matched("pearson", "solar", "glm")
    rest = matched("pearson", "solar", "phi") + matched("pearson", "glm", "phi")
    error = np.sqrt(np.var(one, ddof=1) / len(one) + np.var(rest, ddof=1) / len(rest))
    welch = float(abs(mean(one) - mean(rest)) / error)
    answers["sionic.s4.solar_glm_indistinguishable"] = (welch, welch < 1.96)
    return answers


def drawn_layers() -> dict[str, Answer]:
    """Counted by hand: solar has 48 layers in its files, glm 47, intellect 46 and phi 32."""
    return {
        "sionic.fig2.shape_47x47": (47 * 47, True),
        "sionic.fig2.axes_0_46": (47, True),
        "sionic.f8.heatmaps_use_layers_0_46": (47, True),
        "sionic.fig5.phi_heatmaps_47x32": (2, False),
    }
