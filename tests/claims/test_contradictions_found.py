"""Each contradiction that a separate reading of the documents found is found by SQL, too.

That reading numbered them: X between documents, Y inside sionic's, W inside hyunwoong's, V inside the
critique's. Here are those that it does not leave to how a word is read: strict ones, and those joint with a
third printed figure. `a ≠ b` must be a pair of items in the view `contradictions`, `a` a check of a printed
or analytic claim that does not hold.
"""

from __future__ import annotations

import pytest

from analysis.claims.verdicts import Reading
from warehouse.catalog import open_catalog
from warehouse.lake import Lake

FOUND = {
    # the Solar-GLM cosine at layer 10 is 0.9478, and 0.9811
    "X01": ["sionic.d2_1.cosine.layer10 ≠ critique.exp3.cosine.solar_glm"],
    # and their Pearson is 0.0201, and 0.0092
    "X02": ["sionic.d2_1.pearson.layer10 ≠ critique.exp6_2.pearson.solar_glm"],
    # cosines of D-2.1 below what mean and deviation of experiment 4 leave room for
    "X03": [
        "printed.d2_1_against_exp4.layer15",
        "printed.d2_1_against_exp4.layer20",
        "printed.d2_1_against_exp4.layer25",
    ],
    # 0.9502 at layer 0, whose offset allows 0.16
    "X04": ["printed.layer_0_cosines.s0_g0"],
    # 0.9387 for Solar's layer 0
    "X05": ["printed.layer_0_cosines.s0_g23"],
    # 0.9356 for GLM's layer 0
    "X06": ["printed.layer_0_cosines.s46_g0"],
    # 0.94 and more at all 47 layers
    "X07": ["printed.layer_0_cosines.figure_1c"],
    # 0.94 to 0.95 for all pairs of layers, all of them red
    "X08": [
        "sionic.fig2a.cosine_level ≠ critique.exp3.cosine.solar_glm",
        "printed.layer_0_cosines.figure_2a_s0_g0",
        "printed.layer_0_cosines.figure_2a_s0_g23",
        "printed.layer_0_cosines.figure_2a_s46_g0",
        "printed.layer_0_cosines.figure_2a_red_s0_g0",
        "printed.layer_0_cosines.figure_2a_red_s0_g23",
        "printed.layer_0_cosines.figure_2a_red_s46_g0",
    ],
    # standard deviations of D-2.3 that such a layer 0 would burst
    "X09": [
        "printed.d2_3_spread.matched_layers",
        "printed.d2_3_spread.mismatched_pairs",
    ],
    # GLM's mean is 1.0, at layer 10 too
    "X10": ["printed.layer_10_means.glm.sionic.fig8.mean.glm"],
    # Solar's is 0.3 to 0.4
    "X11": ["printed.layer_10_means.solar.sionic.fig8.mean.solar"],
    # Phi's is 0.8 to 1.0
    "X12": [
        "printed.layer_10_means.phi.sionic.fig8.mean.phi",
        "printed.layer_10_means.phi.sionic.s4.phi_near_1",
    ],
    # norm weights are about 1, though Solar's and GLM's cannot be
    "X13": [
        "sionic.fig8.mean.solar ≠ critique.exp6.mean_about_1",
        "sionic.fig8.mean.solar ≠ hyunwoong.s2.stays_near_1",
        "sionic.fig8.mean.solar ≠ sionic.conclusion.all_llms_near_1",
        "printed.layer_10_means.solar.critique.exp6.mean_about_1",
        "printed.layer_10_means.solar.hyunwoong.s2.stays_near_1",
        "printed.layer_10_means.solar.sionic.conclusion.all_llms_near_1",
        "printed.layer_10_means.glm.critique.exp6.mean_about_1",
        "printed.layer_10_means.glm.hyunwoong.s2.stays_near_1",
        "printed.layer_10_means.glm.sionic.conclusion.all_llms_near_1",
    ],
    # 0.989 for Solar and GLM, though D-2.3 leaves no layer above 0.9582
    "X14": [
        "printed.d2_3_ceiling.critique.readme.bg.cross_0_989",
        "printed.d2_3_ceiling.sionic.summary.prior_cosine_0_99",
    ],
    # any pair has a high cosine, from 0.95, but those with Mixtral
    "X15": [
        "printed.any_pair_above_0_95.critique.exp3.cosine.solar_mixtral",
        "printed.any_pair_above_0_95.critique.exp3.cosine.glm_mixtral",
        "printed.any_pair_above_0_95.critique.exp3.cosine.phi_mixtral",
        "printed.any_pair_above_0_95.critique.exp4.mean.layer5",
    ],
    # a mean of 0.99 over Phi's layers, layer 0 among them
    "X16": [
        "printed.phi_pairs_mean.sionic.conclusion.cosine.phi_solar",
        "printed.phi_pairs_mean.sionic.conclusion.cosine.phi_glm",
    ],
    # the offset exceeds the pattern, at layer 0 too
    "X17": [
        "printed.layer_0_offset.solar",
        "printed.layer_0_offset.glm",
    ],
    # GLM's norms are stored as FP16, and as bfloat16
    "X20": [
        "critique.readme.dtype_fp16 ≠ sionic.fig3_1b.bytewise_bf16",
        "critique.readme.dtype_fp16 ≠ hyunwoong.s1.original_fixed_layer_0",
    ],
    # 100 GB for 100B parameters of two bytes
    "X21": [
        "printed.checkpoint_size.solar",
        "printed.checkpoint_size.glm",
    ],
    # scale or height changes a similarity that ignores them
    "X22": [
        "sionic.scale.global_scale_raises_cosine",
        "sionic.fig6.height_explains_no_diagonal",
    ],
    # 0.99 at layer 27, above what D-2.3 allows
    "Y01": ["printed.d2_3_ceiling.sionic.fig1a.cosine"],
    # matched layers reach 0.99, and all pairs end at 0.95
    "Y02": [
        "sionic.fig2a.cosine_level ≠ sionic.fig1a.cosine",
        "printed.sample_ranges.figure_1c",
    ],
    # Solar and GLM have 0.99, and 0.95
    "Y03": ["sionic.s3.solar_glm_cosine_0_99 ≠ sionic.conclusion.cosine.solar_glm"],
    # an average that its rows do not have
    "Y04": ["sionic.d2_1.average_row_vs_rows.cosine"],
    # likewise of Pearson
    "Y05": ["sionic.d2_1.average_row_vs_rows.pearson"],
    # GLM has 47 layers, and 46
    "Y06": ["sionic.e1.layers.glm_47 ≠ sionic.e1.layers.glm_46"],
    # INTELLECT has 47 layers, and 46
    "Y07": [
        "sionic.e1.layers.intellect_47 ≠ sionic.fig3c.layer_count_46",
        "sionic.e1.layers.intellect_47 ≠ sionic.e1.layers.intellect_46",
    ],
    # figures with 47 layers of models that have 46
    "Y08": [
        "sionic.fig1c.layer_count_47 ≠ sionic.e1.layers.glm_46",
        "sionic.fig2.shape_47x47 ≠ sionic.e1.layers.glm_46",
        "sionic.fig2.axes_0_46 ≠ sionic.e1.layers.glm_46",
        "sionic.fig5.phi_heatmaps_47x32 ≠ sionic.e1.layers.glm_46",
        "sionic.fig5.phi_heatmaps_47x32 ≠ sionic.e1.layers.intellect_46",
    ],
    # a layer of length 2.80 whose weights are 0.1 and more, 0.3 to 0.4 on average
    "Y09": [
        "printed.solar_layer_0_norm.sionic.fig8.mean.solar",
        "printed.solar_layer_0_norm.sionic.fig8.minmax.solar",
    ],
    # 0.8 in one layer, at most 0.6 in any
    "Y10": ["printed.sample_ranges.solar"],
    # weights lie within 0 and 1, and GLM's do not
    "Y12": [
        "printed.gamma_within_0_1.sionic.fig8.minmax.glm",
        "printed.gamma_within_0_1.sionic.scale.component_range",
        "printed.gamma_within_0_1.sionic.scale.glm.post_norm_deep",
    ],
    # all models are near 1, and Solar is not
    "Y13": [
        "sionic.conclusion.all_llms_near_1 ≠ sionic.fig8.mean.solar",
        "printed.solar_layer_0_norm.sionic.conclusion.all_llms_near_1",
    ],
    # fine-tuning did not change the norms, and changed 96 % of early values
    "Y14": ["printed.sft_changed_norms.sionic.fig3_1a.early_96"],
    # a sample of 50 that draws 48
    "Y15": ["sionic.fig1.sample_50_by_quartile"],
    # all layers, without Solar's last
    "Y16": ["sionic.f8.core_uses_all_layers"],
    # three conclusions, of which two follow
    "Y17": [
        "sionic.conclusion.three_conclusions ≠ sionic.conclusion.three_conclusions",
        "sionic.conclusion.three_conclusions",
    ],
    # a histogram of all values that ends too soon
    "Y19": ["printed.figure_9_histogram"],
    # height explains what height does not touch
    "Y21": ["sionic.fig6.height_explains_no_diagonal"],
    # any pair from 0.95, and pairs of 0.94
    "Y22": [
        "sionic.conclusion.any_pair_high_cosine ≠ sionic.e3.cosine.solar_glm",
        "sionic.conclusion.any_pair_high_cosine ≠ sionic.e3.cosine.solar_intellect",
    ],
    # a mean change below the BF16 step
    "Y23": ["printed.drift_in_bf16_steps.as_printed"],
    # three relative distances that make no triangle
    "W01": [
        "printed.rel_l2_triangle.over_phi",
        "printed.rel_l2_triangle.three_times_nearer",
    ],
    # layer 0 is unlike the others in many models, and like them in most
    "W02": ["hyunwoong.s1.many_models_low_layer0 ≠ hyunwoong.s1.most_models_high_layer0"],
    # at least 0.92 for Phi, and 0.8838 in the image beside it
    "W04": ["hyunwoong.s1.post_layer0_ge_0_92.phi ≠ hyunwoong.s1.post_layer0_ge_0_92.phi"],
    # pairs of eight models out of nine
    "V01": [
        "critique.exp5.count.moe_non",
        "critique.exp5.count.non_non",
        "critique.readme.nine_model_matrix",
    ],
    # five mixture-of-experts models, four of them listed
    "V02": [
        "critique.models.moe_four ≠ critique.readme.five_moe_models",
        "critique.readme.five_moe_models",
    ],
    # five experiments, and six
    "V03": [
        "critique.results.six_experiments ≠ critique.readme.five_experiments",
        "critique.readme.five_experiments",
    ],
    # about 0.98 for adjacent layers that have 0.9921 and 0.9979
    "V04": [
        "critique.exp2.solar.average ≠ critique.readme.expected_fair_0_98",
        "critique.exp2.glm.average ≠ critique.readme.expected_fair_0_98",
        "critique.readme.expected_fair_0_98",
    ],
    # a difference of 0.00 that is 0.0139
    "V05": ["critique.readme.expected_fair_minus_cross_0"],
}


@pytest.fixture(scope="module")
def pairs(printed_lake: Lake) -> set[str]:
    """The view's pairs of items as `a ≠ b`, in both orders."""
    with open_catalog(printed_lake) as connection:
        found = connection.sql("select first_item, second_item from contradictions").fetchall()
    return {f"{a} ≠ {b}" for a, b in found} | {f"{b} ≠ {a}" for a, b in found}


@pytest.mark.parametrize("number", FOUND)
def test_it_is_found(number: str, pairs: set[str], checks: dict[str, Reading]) -> None:
    false = {item for item, check in checks.items() if not check.holds}
    assert [place for place in FOUND[number] if place not in pairs | false] == []


@pytest.mark.parametrize(
    "item",
    [
        # part of Y09: the 100 dimensions of Figure 6, from 0.25 up, can be 2.5 long in a vector of 2.80
        "printed.solar_layer_0_norm.sionic.fig6.solar_level",
        # beside X03: layers 5 and 30
        "printed.d2_1_against_exp4.layer5",
        "printed.d2_1_against_exp4.layer30",
        # beside Y23: with weights half as large
        "printed.drift_in_bf16_steps.half_of_it",
        # beside W01: with GLM below the line
        "printed.rel_l2_triangle.over_glm",
    ],
)
def test_what_is_possible_after_all_is_no_contradiction(item: str, checks: dict[str, Reading]) -> None:
    assert checks[item].holds


def test_figures_that_only_touch_are_no_contradiction(pairs: set[str]) -> None:
    """About 0.99 and about 0.98 can both be 0.985, so V04 rests on what was measured."""
    assert "critique.readme.adjacent_0_99 ≠ critique.readme.expected_fair_0_98" not in pairs
