"""The figures in the text of the first document, sionic-ai/solar-vs-glm (Korean and English)."""

from __future__ import annotations

from analysis.figures import facts_of_documents as facts
from analysis.figures.charts import heatmaps, layers, mean_subtraction, sampled
from analysis.figures.figure import Figure
from analysis.figures.wording import words_of

DOCUMENTS = ("sionic_ko", "sionic_en")
FOUR = ("solar", "glm", "intellect", "phi")


def _sampled(name: str, pair: tuple[str, str], section: str, claims: tuple[str, ...]) -> Figure:
    """Figures 1, 3 and 4 are one drawing of four pairs of models."""
    return Figure(
        name=name,
        words=words_of(name),
        facts=facts.sampled,
        draw=sampled.sampled_pair,
        documents=DOCUMENTS,
        section=section,
        needs=pair,
        claims=claims,
        query="figure_01",
        variables={"model_a": pair[0], "model_b": pair[1]},
    )


SIONIC = (
    Figure(
        name="figure_00",
        words=words_of("figure_00"),
        facts=facts.figure_00,
        draw=mean_subtraction.mean_subtraction,
        documents=DOCUMENTS,
        section="1 Figure 0",
        claims=("analytic.figure_0", "analytic.projection"),
    ),
    _sampled(
        name="figure_01",
        pair=("solar", "glm"),
        section="1 Figure 1",
        claims=("sionic.figure_1", "sionic.figure_1_ranges", "sionic.d2_1", "printed.figure_1_sample"),
    ),
    Figure(
        name="figure_02",
        words=words_of("figure_02"),
        facts=facts.figure_02,
        draw=heatmaps.two_grids,
        documents=DOCUMENTS,
        section="2 Figure 2",
        needs=("solar", "glm"),
        claims=(
            "sionic.figure_2",
            "sionic.d2_2",
            "sionic.d2_3",
            "sionic.heatmap_layers",
            "printed.figure_scales",
        ),
    ),
    _sampled(
        name="figure_03",
        pair=("glm", "intellect"),
        section="3 Figure 3",
        claims=("sionic.figure_3", "sionic.figure_3_overlap"),
    ),
    Figure(
        name="figure_03_1",
        words=words_of("figure_03_1"),
        facts=facts.figure_03_1,
        draw=layers.changed_by_tuning,
        documents=DOCUMENTS,
        section="3 Figure 3-1",
        needs=("glm", "intellect"),
        claims=(
            "sionic.figure_3_1",
            "sionic.figure_3_1_levels",
            "sionic.sft_changes",
            "findings.sft_changed_norms",
        ),
    ),
    _sampled(
        name="figure_04a",
        pair=("phi", "solar"),
        section="4 Figure 4",
        claims=("sionic.figure_4", "sionic.figure_4_pearson"),
    ),
    _sampled(
        name="figure_04b",
        pair=("glm", "phi"),
        section="4 Figure 4",
        claims=("sionic.figure_4", "sionic.figure_4_pearson"),
    ),
    Figure(
        name="figure_05",
        words=words_of("figure_05"),
        facts=facts.figure_05,
        draw=heatmaps.six_grids,
        documents=DOCUMENTS,
        section="4 Figure 5",
        needs=FOUR,
        claims=("sionic.figure_5", "sionic.figure_5_diagonal", "sionic.heatmap_layers"),
    ),
)
