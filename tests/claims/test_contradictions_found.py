"""Each contradiction that a separate reading of the documents found is found by SQL, too.

That reading numbered them: X between documents, Y inside sionic's, W inside hyunwoong's, V inside the
critique's. Here are those that it does not leave to how a word is read: strict ones, and those joint with a
third printed figure. `a ≠ b` must be a pair of items in the view `_contradicting_pairs`, `findings.a` a check
of a finding that holds, any other `a` an item of a printed claim of which no reading holds.
"""

from __future__ import annotations

import pytest

from analysis.claims.results import Reading
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

FOUND = {
    # the Solar-GLM cosine at layer 10 is 0.9478, and 0.9811
    "X01": ["sionic.d2_1.cosine.layer10 ≠ critique.exp3.cosine.solar_glm"],
    # and their Pearson is 0.0201, and 0.0092
    "X02": ["sionic.d2_1.pearson.layer10 ≠ critique.exp6_2.pearson.solar_glm"],
    # cosines of D-2.1 below what mean and deviation of experiment 4 leave room for
    "X03": [f"findings.d2_1_against_exp4.layer{layer}" for layer in (15, 20, 25)],
    # 0.9502 at layer 0, whose offset allows 0.16
    "X04": ["findings.layer_0_cosines.s0_g0"],
    # 0.9387 for Solar's layer 0
    "X05": ["findings.layer_0_cosines.s0_g23"],
    # 0.9356 for GLM's layer 0
    "X06": ["findings.layer_0_cosines.s46_g0"],
    # 0.94 and more at all 47 layers
    "X07": ["findings.layer_0_cosines.figure_1c"],
    # 0.94 to 0.95 for all pairs of layers
    "X08": [
        "sionic.fig2a.cosine_level ≠ critique.exp3.cosine.solar_glm",
        "findings.layer_0_cosines.figure_2a",
    ],
    # standard deviations of D-2.3 that such a layer 0 would burst
    "X09": [
        "findings.d2_3_spread.matched_layers",
        "findings.d2_3_spread.mismatched_pairs",
        "findings.d2_and_experiments.deviation",
    ],
    # GLM's mean is 1.0, at layer 10 too
    "X10": ["findings.layer_10_means.glm.figure_8"],
    # Solar's is 0.3 to 0.4
    "X11": ["findings.layer_10_means.solar.figure_8"],
    # Phi's is 0.8 to 1.0
    "X12": ["findings.layer_10_means.phi.figure_8"],
    # the norm weights of all models are near 1, and Solar's are not
    "X13": ["sionic.fig8.mean.solar ≠ sionic.conclusion.all_llms_near_1"],
    # 0.989 for Solar and GLM, though D-2.3 leaves no layer above 0.9582
    "X14": ["findings.d2_3_ceiling.earlier_analysis"],
    # 0.99 for Phi's pairs is no mean over layers, layer 0 among them
    "X16": ["findings.phi_pairs_mean.phi_solar", "findings.phi_pairs_mean.phi_glm"],
    # GLM's norms are stored as FP16, and as bfloat16
    "X20": [
        "critique.readme.dtype_fp16 ≠ sionic.fig3_1b.bytewise_bf16",
        "critique.readme.dtype_fp16 ≠ hyunwoong.s1.original_fixed_layer_0",
    ],
    # 100 GB for 100B parameters of two bytes
    "X21": ["findings.checkpoint_size.solar", "findings.checkpoint_size.glm"],
    # 0.99 at layer 27, above what D-2.3 allows
    "Y01": ["findings.d2_3_ceiling.figure_1"],
    # matched layers reach 0.99, and all pairs end at 0.95
    "Y02": [
        "sionic.fig2a.cosine_level ≠ sionic.fig1a.cosine",
        "findings.sample_ranges.figure_1c",
    ],
    # Solar and GLM have 0.99, and 0.95
    "Y03": ["sionic.s3.solar_glm_cosine_0_99 ≠ sionic.conclusion.cosine.solar_glm"],
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
        "findings.solar_layer_0_norm.figure_8_mean",
        "findings.solar_layer_0_norm.figure_8_smallest",
    ],
    # 0.8 in one layer, at most 0.6 in any
    "Y10": ["findings.sample_ranges.solar"],
    # all models are near 1, and Solar is not
    "Y13": ["sionic.conclusion.all_llms_near_1 ≠ sionic.fig8.mean.solar"],
    # fine-tuning did not change the norms, and changed 96 % of early values
    "Y14": ["findings.sft_changed_norms.early_layers"],
    # three conclusions, of which two follow
    "Y17": ["sionic.conclusion.three_conclusions ≠ sionic.conclusion.three_conclusions"],
    # three relative distances that make no triangle over the first-named model
    "W01": ["findings.rel_l2_triangle.over_phi"],
    # five mixture-of-experts models, four of them listed
    "V02": ["critique.models.moe_four ≠ critique.readme.five_moe_models"],
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
        found = connection.sql("select first_item, second_item from _contradicting_pairs").fetchall()
    return {f"{a} ≠ {b}" for a, b in found} | {f"{b} ≠ {a}" for a, b in found}


@pytest.mark.slow
@pytest.mark.parametrize("number", FOUND)
def test_it_is_found(number: str, pairs: set[str], checks: dict[str, Reading]) -> None:
    shown = {name for name, check in checks.items() if name.startswith("findings.") and check.holds}
    false = {name for name, check in checks.items() if check.observed is not None and not check.holds}
    assert [place for place in FOUND[number] if place not in pairs | shown | false] == []


def test_rounding_gives_way_to_what_is_possible_after_all(checks: dict[str, Reading]) -> None:
    """Beside X03 layers 5 and 30 of D-2.1, which fit; beside W01 the distance over GLM."""
    assert not {f"findings.d2_1_against_exp4.layer{layer}" for layer in (5, 30)} & checks.keys()
    assert checks["findings.rel_l2_triangle.over_glm"].holds


def test_figures_that_only_touch_are_no_contradiction(pairs: set[str]) -> None:
    """About 0.99 and about 0.98 can both be 0.985, so V04 rests on what was measured."""
    assert "critique.readme.adjacent_0_99 ≠ critique.readme.expected_fair_0_98" not in pairs
