"""The figures that carry the argument, in the order of the main page; each is drawn for phones as well."""

from __future__ import annotations

from functools import partial

from analysis.figures import facts
from analysis.figures.charts import baselines, calibration, layers, matrices, patterns, permutations, shares
from analysis.figures.figure import Figure
from analysis.figures.wording import words_of

ARGUMENT = (
    Figure(
        name="patterns",
        words=words_of("patterns"),
        facts=facts.patterns,
        draw=patterns.patterns,
        page=partial(patterns.patterns, place="page"),
        narrow=partial(patterns.patterns, place="narrow"),
        section="what a pattern in common looks like",
        needs=("solar", "glm", "intellect"),
        claims=("sionic.figure_1", "sionic.figure_3"),
    ),
    Figure(
        name="predicted",
        words=words_of("predicted"),
        facts=facts.predicted,
        draw=shares.predicted,
        narrow=partial(shares.predicted, narrow=True),
        section="what the means alone predict",
        needs=("solar", "glm"),
        claims=("findings.offset_predicts_cosine", "analytic.offset_and_pattern"),
    ),
    Figure(
        name="layer_0",
        words=words_of("layer_0"),
        facts=facts.layer_0,
        draw=baselines.layer_0,
        narrow=partial(baselines.layer_0, narrow=True),
        documents=("hyunwoong",),
        section="1 discussion 1",
        needs=("solar", "glm"),
        claims=(
            "hyunwoong.layer_0",
            "hyunwoong.layer_0_in_five_models",
            "hyunwoong.qwen3_4b",
            "hyunwoong.qwen3_layer_0",
            "printed.original_baseline",
        ),
    ),
    Figure(
        name="model_matrix",
        words=words_of("model_matrix"),
        facts=facts.model_matrix,
        draw=matrices.all_models,
        narrow=partial(matrices.all_models, narrow=True),
        documents=("critique_results",),
        section="Experiment 5",
        needs=("solar", "glm"),
        claims=("critique.moe_and_dense_pairs", "critique.hidden_size"),
    ),
    Figure(
        name="sanity",
        words=words_of("sanity"),
        facts=facts.sanity,
        draw=layers.shuffled,
        narrow=partial(layers.shuffled, narrow=True),
        section="sanity check",
        needs=("solar", "glm"),
        claims=("findings.offset_predicts_cosine", "analytic.offset_and_pattern"),
    ),
    Figure(
        name="permutation_z",
        words=words_of("permutation_z"),
        facts=facts.permutation_z,
        draw=permutations.permutation_z,
        narrow=partial(permutations.permutation_z, narrow=True),
        section="significance",
        needs=("solar", "glm"),
        claims=("findings.honest_sigma_measured", "findings.mean_pearson_over_layers", "printed.background"),
    ),
    Figure(
        name="toy",
        words=words_of("toy"),
        facts=facts.toy,
        draw=baselines.toy,
        narrow=partial(baselines.toy, narrow=True),
        documents=("hyunwoong",),
        section="2 discussion 2",
        about="models trained here",
        needs=("toy_ones_a", "toy_ones_b", "toy_rand_a", "toy_rand_b"),
        claims=("hyunwoong.toy_cosines", "hyunwoong.toy_directions", "hyunwoong.toy_initial_direction"),
    ),
    Figure(
        name="calibration_seen",
        words=words_of("calibration_seen"),
        facts=facts.calibration_seen,
        draw=calibration.seen,
        narrow=partial(calibration.seen, narrow=True),
        section="calibration",
        about="calibration",
        needs=("b00", "o00"),
    ),
)
