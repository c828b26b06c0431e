"""The figures of the third source, chahero/solar-vs-glm-critique (RESULTS and README)."""

from __future__ import annotations

from analysis.figures import facts_of_documents as facts
from analysis.figures.charts import baselines, matrices, spreads
from analysis.figures.figure import Figure
from analysis.figures.wording import words_of

RESULTS = ("critique_results",)
MOE = ("solar", "glm", "phi", "mixtral")
DENSE = ("mistral_7b", "yi_6b", "yi_9b", "qwen15_7b")

CRITIQUE = (
    Figure(
        name="experiment_1",
        words=words_of("experiment_1"),
        facts=facts.experiment_1,
        draw=baselines.two_baselines,
        documents=RESULTS,
        section="Experiments 1 and 2",
        needs=("solar", "glm"),
        claims=("critique.layer_0_baseline", "critique.adjacent_layers", "printed.exp1_exp2_averages"),
    ),
    Figure(
        name="experiment_3",
        words=words_of("experiment_3"),
        facts=facts.experiment_3,
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
        words=words_of("experiment_4"),
        facts=facts.experiment_4,
        draw=spreads.by_chosen_layer,
        documents=RESULTS,
        section="Experiment 4",
        needs=MOE,
        claims=("critique.moe_pairs_by_layer", "printed.exp4_summary", "printed.exp4_consistent"),
    ),
    Figure(
        name="experiment_5",
        words=words_of("experiment_5"),
        facts=facts.experiment_5,
        draw=spreads.by_architecture,
        documents=RESULTS,
        section="Experiment 5",
        needs=MOE + DENSE,
        claims=("critique.moe_and_dense_pairs", "printed.exp5_counts"),
    ),
    Figure(
        name="experiment_6",
        words=words_of("experiment_6"),
        facts=facts.experiment_6,
        draw=baselines.three_metrics,
        documents=RESULTS,
        section="Experiment 6",
        needs=MOE,
        claims=("critique.three_metrics", "analytic.random_baseline", "findings.exp6_random"),
    ),
)
