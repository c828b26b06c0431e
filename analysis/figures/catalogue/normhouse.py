"""What none of the documents shows."""

from __future__ import annotations

from analysis.figures.charts import calibration, contradictions, layers, permutations
from analysis.figures.figure import Figure

NORMHOUSE = (
    Figure(
        name="sanity",
        title="The cosine of Solar and GLM, and what shuffled dimensions would give",
        caption=(
            "The mean of the cosine over all orders of the dimensions is its offset share, and its "
            "standard deviation is known as well: nothing is shuffled. Below, what the pattern adds, "
            "enlarged, and the centred cosine. A model inside the grey band is as alike as by chance."
        ),
        description=(
            "Three line charts by layer: cosine and its shuffled mean, their difference, and Pearson."
        ),
        draw=layers.shuffled,
        section="sanity check",
        needs=("solar", "glm"),
        claims=("findings.offset_predicts_cosine", "analytic.offset_and_pattern"),
    ),
    Figure(
        name="decomposition",
        title="How much of each cosine is offset, and how much is pattern",
        caption=(
            "The two exact parts of every matched layer's cosine. Grey is what the two means alone make, "
            "purple what the pattern around them adds. Where weights spread little around their mean, even "
            "a derived model's cosine is nearly all offset. The axis runs from −0.1 to 1."
        ),
        description="Stacked bars of offset share and pattern share by layer for six pairs of models.",
        draw=layers.decomposition,
        section="offset and pattern",
        needs=("solar", "glm", "intellect", "phi"),
        claims=("findings.offset_predicts_cosine", "sionic.mean_direction"),
    ),
    Figure(
        name="permutation_z",
        title="How far each pair stands above chance, next to the claimed 182 sigma",
        caption=(
            "z = r·√(d−1) of every matched layer: bar from lowest to highest, dot the mean. Within ±3 is "
            "what unrelated vectors give. No pair of vectors so wide can exceed √(d−1), so that 182 is no "
            "distance from chance. The axis is linear near 0 and logarithmic beyond."
        ),
        description=(
            "Ranges of the permutation z for every pair of models, with lines at 3, the maximum and 182."
        ),
        draw=permutations.permutation_z,
        section="significance",
        needs=("solar", "glm"),
        claims=("findings.honest_sigma_measured", "findings.mean_pearson_over_layers", "printed.background"),
    ),
    Figure(
        name="drift",
        title="What deriving INTELLECT from GLM left behind in the norms",
        caption=(
            "Both norms by layer: the share of values that moved, how far, how many steps of BF16, and the "
            "distance from a perfect correlation. Layers without any change have no point on a logarithmic "
            "axis."
        ),
        description="Four line charts by layer of how INTELLECT's norms differ from GLM's.",
        draw=layers.drift,
        section="derivation",
        needs=("glm", "intellect"),
        claims=("sionic.figure_3_1", "findings.bf16_steps"),
    ),
    Figure(
        name="calibration_seen",
        title="What the lineage test sees, and what it does not",
        caption=(
            "From small models trained for this, whose ancestry is known (lake zoo), whatever lake the rest "
            "of this page reads. A mark is a model and one it was made from; grey is the range of all pairs "
            "without relation, the dashed line the threshold. Twins from one start and the same data are "
            "found, although neither is derived from the other; distilled models and most disguises are "
            "not. Marks at about 10 are models with outlier dimensions, whose z_eff can hardly be larger. "
            "The axis is linear near 0 and logarithmic beyond."
        ),
        description=(
            "A dot for every small model and its parent, by how it was made: z_eff, with the threshold and "
            "the range of unrelated pairs."
        ),
        draw=calibration.seen,
        section="calibration",
        about="calibration",
        needs=("b00", "o00"),
    ),
    Figure(
        name="calibration_null",
        title="What chance gives: z_eff, and the naive z that counts correlated layers twice",
        caption=(
            "Pairs of small models without any relation (lake zoo), by group: bars are the share of pairs, "
            "the curve is the normal distribution that a z should follow, the dashed line the threshold. "
            "Where dimensions stand out in all layers of a model, naive pooling takes unrelated models for "
            "relatives; z_eff does not. Pairs share models, so they are fewer independent trials than they "
            "look."
        ),
        description="Histograms of z_eff and naive z for four groups of unrelated pairs and a normal curve.",
        draw=calibration.null,
        section="calibration",
        about="calibration",
        needs=("b00", "o00"),
    ),
    Figure(
        name="calibration_real",
        title="Real models: related pairs stand far above the threshold, unrelated ones below it",
        caption=(
            "Released models out of packages, which others trained: BERTs, Whisper, T5, translators. Nothing "
            "of them ships and no lake is read: what the test said of them is committed, and just calibrate "
            "--real runs it again. A mark is two models, as wholes or stack by stack; pairs that repeat "
            "others are left out. The dashed lines are the threshold, a little higher where biases are "
            "compared as well as weights. Fixed sinusoidal positions can make unrelated norms look alike; "
            "the smooth part that does it is taken out. Encoder and decoder of one model were trained "
            "together: neither related nor unrelated. The axis is linear near 0 and logarithmic beyond."
        ),
        description=(
            "A tick for every pair of released models, by what is known of them: z_eff, with the threshold."
        ),
        draw=calibration.real,
        section="calibration",
    ),
    Figure(
        name="calibration_slices",
        title="In disguise: neurons still find their partners",
        caption=(
            "From small models trained for this, whose ancestry is known; what was found of "
            "them is committed, and just calibrate --slices runs it again. A mark is a model "
            "and one it was made from: the share of neurons whose partner by gate is also their "
            "partner by up, as it is and after every disguise that changes no logit, all at "
            "once. Grey is what pairs without relation reach, the dashed line the threshold. It "
            "is an effect size: it has no p-value. Distilled models, norms trained at 500 times "
            "the rate and then disguised, and MLPs drawn anew are not seen."
        ),
        description=(
            "Dots for every small model and its parent, by how it was made: the share of "
            "neurons that agree, as it is and disguised, with the threshold and the range of "
            "unrelated pairs."
        ),
        draw=calibration.slices,
        section="calibration",
    ),
    Figure(
        name="contradiction_map",
        title="Where the documents disagree, with themselves and with each other",
        caption=(
            "Pairs of statements whose printed figures about one quantity do not meet, whatever was "
            "rounded. Above by document, below by section: a mark is at least one such pair, its size "
            "their number. From the documents alone; no weights are read."
        ),
        description=(
            "A matrix of five documents with counts, and a map of sections that contradict each other."
        ),
        draw=contradictions.contradiction_map,
        section="contradictions",
    ),
)
