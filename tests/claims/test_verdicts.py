"""What the documents' own figures and mathematics decide, item by item, wherever the claims are run.

The sets pin what the queries answered when they were written, compared with a separate reading of the
documents; they guard against change and prove nothing. The tests below them recompute some of it in numpy.
"""

from __future__ import annotations

import csv
import itertools
import math
from functools import cache

import numpy as np
import pytest

from analysis.claims.verdicts import Reading
from warehouse.printed import PRINTED_CSV

FALSE_IN_THE_DOCUMENTS = {
    "sionic.d2_1.average_row_vs_rows.cosine",  # the mean of the ten rows is 0.94956, not 0.9497
    "sionic.d2_1.average_row_vs_rows.pearson",  # 0.01263, not 0.0130
    "sionic.fig1.sample_50_by_quartile",  # 4 · (50 // 4) = 48
    "sionic.conclusion.three_conclusions",  # two are enumerated
    "sionic.f8.core_uses_all_layers",  # the same table leaves Solar's layer 47 out
    "sionic.s2.matched_mismatched_gap_negligible",  # 3.2 standard deviations
    "sionic.fig6.height_explains_no_diagonal",  # cosine and Pearson are invariant to scale
    "critique.env.input_layernorm_only",  # experiment 6 uses Pearson and L2 too
    "critique.exp5.count.moe_non",  # 4 · 5 = 20, not 16
    "critique.exp5.count.non_non",  # 10, not 6
    "critique.readme.nine_model_matrix",  # 28 pairs are of eight models
    "critique.readme.five_moe_models",  # four are listed
    "critique.readme.run_files",  # the file tree has one of four
    "critique.readme.five_experiments",  # six are reported
    "critique.readme.expected_fair_0_98",  # 0.9921 and 0.9979
    "critique.readme.expected_fair_minus_cross_0",  # 0.0139
    "critique.readme.cross_like_fair",  # as above
}
FALSE_IN_A_SECOND_READING = {
    "sionic.scale.swamping_is_cancellation@cancellation",
    "critique.readme.adjacent_0_99@glm",
    "critique.readme.exp4_consistent@variance",
}
# Pairs of statements that cannot both be true, each by the arithmetic in the header of its claim.
IMPOSSIBLE_TOGETHER = {
    *(f"printed.d2_1_against_exp4.layer{layer}" for layer in (15, 20, 25)),
    *(f"printed.layer_0_cosines.{pair}" for pair in ("s0_g0", "s0_g23", "s46_g0", "figure_1c")),
    *(f"printed.layer_0_cosines.figure_2a_{pair}" for pair in ("s0_g0", "s0_g23", "s46_g0")),
    *(f"printed.layer_0_cosines.figure_2a_red_{pair}" for pair in ("s0_g0", "s0_g23", "s46_g0")),
    "printed.d2_3_spread.matched_layers",
    "printed.d2_3_spread.mismatched_pairs",
    "printed.d2_3_ceiling.sionic.fig1a.cosine",
    "printed.d2_3_ceiling.sionic.s3.solar_glm_cosine_0_99",
    "printed.d2_3_ceiling.sionic.summary.prior_cosine_0_99",
    "printed.d2_3_ceiling.critique.exp3.cosine.solar_glm",
    "printed.d2_3_ceiling.critique.readme.bg.cross_0_989",
    "printed.d2_3_ceiling.critique.readme.cross_like_fair",
    *(
        f"printed.layer_10_means.{model}.{said}"
        for model in ("solar", "glm", "phi")
        for said in (
            "critique.exp6.mean_about_1",
            "hyunwoong.s2.stays_near_1",
            "sionic.conclusion.all_llms_near_1",
            f"sionic.fig8.mean.{model}",
        )
    ),
    "printed.layer_10_means.phi.sionic.s4.phi_near_1",
    *(f"printed.any_pair_above_0_95.critique.exp3.cosine.{pair}_mixtral" for pair in ("solar", "glm", "phi")),
    "printed.any_pair_above_0_95.critique.exp4.mean.layer5",
    "printed.any_pair_above_0_95.sionic.e3.cosine.solar_glm",
    "printed.any_pair_above_0_95.sionic.e3.cosine.solar_intellect",
    "printed.phi_pairs_mean.sionic.conclusion.cosine.phi_solar",
    "printed.phi_pairs_mean.sionic.conclusion.cosine.phi_glm",
    "printed.layer_0_offset.solar",
    "printed.layer_0_offset.glm",
    "printed.coefficients_of_variation.solar_glm",
    "printed.checkpoint_size.solar",
    "printed.checkpoint_size.glm",
    "printed.solar_layer_0_norm.sionic.fig8.mean.solar",
    "printed.solar_layer_0_norm.sionic.fig8.minmax.solar",
    "printed.solar_layer_0_norm.sionic.conclusion.all_llms_near_1",
    "printed.sample_ranges.solar",
    "printed.sample_ranges.figure_1c",
    "printed.gamma_within_0_1.sionic.fig8.minmax.glm",
    "printed.gamma_within_0_1.sionic.scale.component_range",
    "printed.gamma_within_0_1.sionic.scale.glm.post_norm_deep",
    "printed.sft_changed_norms.sionic.fig3_1a.early_96",
    "printed.sft_changed_norms.sionic.fig3_1a.deep_0_1",
    "printed.figure_9_histogram",
    "printed.drift_in_bf16_steps.as_printed",
    "printed.rel_l2_triangle.over_phi",
    "printed.rel_l2_triangle.three_times_nearer",
}
NOT_FOR_FIGURES_TO_DECIDE = {"critique.readme.runtime", "critique.readme.readers_judge"}
FALSE = FALSE_IN_THE_DOCUMENTS | FALSE_IN_A_SECOND_READING | IMPOSSIBLE_TOGETHER | NOT_FOR_FIGURES_TO_DECIDE


@cache
def figure(item: str, document: str = "critique_results") -> float:
    with PRINTED_CSV.open(encoding="utf-8", newline="") as file:
        values = {
            row["value"] for row in csv.DictReader(file) if (row["item"], row["document"]) == (item, document)
        }
    [value] = {float(text) for text in values}
    return value


def test_exactly_what_is_false_does_not_hold(checks: dict[str, Reading]) -> None:
    assert {item for item, check in checks.items() if not check.holds} == FALSE


def test_the_factors_of_experiment_3_are_those_of_a_least_squares_solver(checks: dict[str, Reading]) -> None:
    models = ("solar", "glm", "phi", "mixtral")
    pairs = list(itertools.combinations(range(4), 2))
    cosines = np.array([figure(f"critique.exp3.cosine.{models[a]}_{models[b]}") for a, b in pairs])
    design = np.zeros((6, 4))
    for row, pair in enumerate(pairs):
        design[row, list(pair)] = 1
    factors = np.exp(np.linalg.lstsq(design, np.log(cosines), rcond=None)[0])
    residuals = [cosine - factors[a] * factors[b] for cosine, (a, b) in zip(cosines, pairs, strict=True)]
    assert checks["critique.derived.exp3_factorises"].observed == pytest.approx(max(np.abs(residuals)))
    spread = np.sqrt(1 - factors**2) / factors
    observed = checks["printed.coefficients_of_variation.solar_glm"].observed
    assert observed == pytest.approx(spread[0] - spread[1])


def test_the_overall_spread_of_experiment_4_is_that_of_36_numbers(checks: dict[str, Reading]) -> None:
    layers = {layer: f"critique.exp4.{{}}.layer{layer}" for layer in (5, 15, 20, 25, 30)} | {
        10: "critique.exp3.{}"
    }
    half_spread = [(figure(name.format("mean")), figure(name.format("std"))) for name in layers.values()]
    # six numbers with that mean and standard deviation: three below, three above
    numbers = [mean + sign * std for mean, std in half_spread for sign in (-1, 1) for _ in range(3)]
    assert len(numbers) == checks["critique.exp4.count_36"].observed
    assert checks["critique.exp4.overall_std"].observed == pytest.approx(np.std(numbers))
    assert checks["critique.exp4.overall_mean"].observed == pytest.approx(np.mean(numbers))


def test_182_sigma_is_an_effect_size_over_four_and_four_layers(checks: dict[str, Reading]) -> None:
    within = [figure(f"critique.exp1.glm.l0_l{layer}") for layer in (10, 20, 30, 40)]
    across_10, mean = figure("critique.exp3.cosine.solar_glm"), 0.989
    across = [across_10, *[(4 * mean - across_10) / 3] * 3]
    pooled = math.sqrt((np.var(within) + np.var(across)) / 2)
    sigma = checks["critique.readme.bg.sigma_182"].observed
    assert sigma == pytest.approx((0.989 - 0.377) / pooled)
    assert sigma == pytest.approx(182, abs=0.5)
