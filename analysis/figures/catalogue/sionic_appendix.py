"""The figures in the appendix of the first document, sionic-ai/solar-vs-glm (Korean and English)."""

from __future__ import annotations

from analysis.figures import facts_of_documents as facts
from analysis.figures.catalogue.sionic import DOCUMENTS, FOUR
from analysis.figures.charts import components, heatmaps, layers, ridges
from analysis.figures.figure import Figure
from analysis.figures.pca import coordinates
from analysis.figures.wording import words_of

SIONIC_APPENDIX = (
    Figure(
        name="figure_06",
        words=words_of("figure_06"),
        facts=facts.means_of("value"),
        draw=heatmaps.weights,
        documents=DOCUMENTS,
        section="B.1 Figure 6",
        needs=FOUR,
        claims=("sionic.figure_6", "sionic.figure_6_compared", "printed.figure_samples"),
    ),
    Figure(
        name="figure_07",
        words=words_of("figure_07"),
        facts=facts.figure_07,
        draw=components.principal_components,
        derive=coordinates,
        documents=DOCUMENTS,
        section="B.2 Figure 7",
        needs=FOUR,
        claims=("sionic.figure_7", "sionic.sft_changes"),
    ),
    Figure(
        name="figure_08",
        words=words_of("figure_08"),
        facts=facts.means_of("mean", 20),
        draw=layers.layer_statistics,
        documents=DOCUMENTS,
        section="B.3 Figure 8",
        needs=FOUR,
        claims=(
            "sionic.figure_8",
            "sionic.figure_8_compared",
            "findings.sample_ranges",
            "findings.layer_10_means",
        ),
    ),
    Figure(
        name="figure_09",
        words=words_of("figure_09"),
        facts=facts.figure_09,
        draw=ridges.ridges,
        documents=DOCUMENTS,
        section="C Figure 9",
        needs=("solar", "glm"),
        claims=("sionic.figure_9", "findings.figure_9_histogram", "sionic.a1_norms"),
    ),
    Figure(
        name="figure_10",
        words=words_of("figure_10"),
        facts=facts.figure_10,
        draw=layers.within_layer,
        documents=DOCUMENTS,
        section="D.1 Figure 10",
        needs=("solar", "glm"),
        claims=("sionic.figure_10",),
    ),
)
