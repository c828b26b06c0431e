"""The figures of the third source, chahero/solar-vs-glm-critique (RESULTS and README)."""

from __future__ import annotations

from analysis.figures.charts import baselines, matrices
from analysis.figures.figure import Figure

RESULTS = ("critique_results",)
MOE = ("solar", "glm", "phi", "mixtral")
DENSE = ("mistral_7b", "yi_6b", "yi_9b", "qwen15_7b")

CRITIQUE = (
    Figure(
        name="experiment_1",
        title="Layer 0 of Solar and GLM compared with their later layers",
        caption=(
            "Experiment 1. Bars start at 0. Pearson is in the "
            "tooltip. The document's summary figure repeats experiments 1, 3, 4 and 5."
        ),
        description="Bars of the cosine of layer 0 with layers 10, 20, 30 and 40, for Solar and GLM.",
        draw=baselines.layer_0_outlier,
        documents=RESULTS,
        section="Experiment 1",
        needs=("solar", "glm"),
        claims=("critique.layer_0_baseline", "printed.exp1_exp2_averages"),
    ),
    Figure(
        name="experiment_2",
        title="Middle layers of Solar and GLM compared with each other",
        caption=(
            "Experiment 2. The axis is cropped to 0.95–1, so points are drawn and not bars, whose lengths "
            "would mislead. Black ticks are the printed figures."
        ),
        description="Points of the cosine between layers 10 and 20 and between 20 and 30, for Solar and GLM.",
        draw=baselines.fair_baseline,
        documents=RESULTS,
        section="Experiment 2",
        needs=("solar", "glm"),
        claims=("critique.adjacent_layers", "printed.exp1_exp2_averages"),
    ),
    Figure(
        name="experiment_3",
        title="Four MoE models at layer 10: cosine, and what is left without the means",
        caption=(
            "Experiment 3. The document draws the cosine in red, yellow and green from 0.9 to 1.0; here "
            "the same crop in viridis, and Pearson beside it. Printed figures are in the tooltips."
        ),
        description="Two four by four matrices of cosine and Pearson between Solar, GLM, Phi and Mixtral.",
        draw=matrices.cosine_and_pearson,
        documents=RESULTS,
        section="Experiment 3",
        needs=MOE,
        claims=(
            "critique.moe_pairs_at_layer_10",
            "printed.exp3_summary",
            "findings.exp3_factorises_measured",
        ),
    ),
    Figure(
        name="experiment_4",
        title="Six pairs of MoE models at six layers",
        caption=(
            "Experiment 4. Each dot a pair, Solar–GLM as a red square; mean and population standard "
            "deviation in grey, the printed mean as a diamond. The cosine axis is cropped to 0.88–1 and "
            "values below lie on its edge; Pearson is cropped to ±0.2."
        ),
        description=(
            "Dots of six cosines at each of six layers with mean and spread, and the same pairs' Pearson."
        ),
        draw=baselines.by_chosen_layer,
        documents=RESULTS,
        section="Experiment 4",
        needs=MOE,
        claims=("critique.moe_pairs_by_layer", "printed.exp4_summary", "printed.exp4_consistent"),
    ),
    Figure(
        name="experiment_5",
        title="Pairs of MoE and dense models at layer 10",
        caption=(
            "Experiment 5. Each dot a pair of the eight models that the counts of 6, 16 and 6 need, "
            "Solar–GLM as a red square; the document shows three bars on an axis from 0.9. Cosine "
            "cropped to 0.88–1."
        ),
        description=(
            "Dots of cosines for three kinds of model pairs, with mean and spread, and their Pearson."
        ),
        draw=baselines.by_architecture,
        documents=RESULTS,
        section="Experiment 5",
        needs=MOE + DENSE,
        claims=("critique.moe_and_dense_pairs", "printed.exp5_counts"),
    ),
    Figure(
        name="model_matrix",
        title="Every model of the lake against every other at layer 10",
        caption=(
            "The full matrix of experiment 5, for all models in the lake (forty at most, the documents' own "
            "first, then by name); widths that differ leave cells empty. Cosine cropped to 0.90–1.00 as "
            "in the document, then Pearson from −1 to 1: only models that share weight history keep a colour."
        ),
        description="Two matrices over all models of the lake at layer 10: cosine, and Pearson correlation.",
        draw=matrices.cosine_and_pearson,
        documents=RESULTS,
        section="Experiment 5",
        needs=("solar", "glm"),
        claims=("critique.moe_and_dense_pairs", "critique.hidden_size"),
    ),
    Figure(
        name="experiment_6",
        title="Random vectors, two models and layers of one model by three metrics",
        caption=(
            "Experiment 6. Numbers after a name are layers; random vectors are in closed form. The "
            "document compares cosine and Pearson in three bar charts; the L2 distance was a table."
        ),
        description=(
            "Dots of cosine, Pearson and L2 distance for eight comparisons, with printed figures as ticks."
        ),
        draw=baselines.three_metrics,
        documents=RESULTS,
        section="Experiment 6",
        needs=MOE,
        claims=("critique.three_metrics", "analytic.random_baseline", "findings.exp6_random"),
    ),
)
