"""The figures in the appendix of the first document, sionic-ai/solar-vs-glm (Korean and English)."""

from __future__ import annotations

from analysis.figures.catalogue.sionic import DOCUMENTS, FOUR
from analysis.figures.charts import components, layers, ridges, surfaces
from analysis.figures.figure import Figure
from analysis.figures.pca import coordinates

SIONIC_APPENDIX = (
    Figure(
        name="figure_06",
        title="The first 100 weights of every layer as a surface, four models",
        caption=(
            "Figure 6. One line a layer over dimensions 0 to 99; height is γ, all panels on one scale from "
            "0. The axes meet at layer 0 and dimension 0. Colour is the mean of the line, cropped to 0–2. "
            "The sliders turn all four views."
        ),
        description=(
            "Four three-dimensional line surfaces of norm weights over dimension and layer, one a model."
        ),
        draw=surfaces.surfaces,
        documents=DOCUMENTS,
        section="B.1 Figure 6",
        needs=FOUR,
        claims=("sionic.figure_6", "sionic.figure_6_compared", "printed.figure_samples"),
    ),
    Figure(
        name="figure_07",
        title="Layers of four models on three principal components",
        caption=(
            "Figure 7. Layers 0 to 31 of each model, joint PCA. A line follows the layers from the large "
            "symbol (layer 0) to the star (layer 31). The axes name their share of the variance; each is "
            "stretched to the same length, so that distances along different axes do not compare. INTELLECT "
            "lies upon GLM where the two agree. The sliders turn the view."
        ),
        description=(
            "A three-dimensional scatter of 128 layers of Solar, GLM, INTELLECT and Phi, joined by layer."
        ),
        draw=components.principal_components,
        derive=coordinates,
        documents=DOCUMENTS,
        section="B.2 Figure 7",
        needs=FOUR,
        claims=("sionic.figure_7", "sionic.sft_changes"),
    ),
    Figure(
        name="figure_08",
        title="Mean, spread and range of the weights by layer, four models",
        caption=(
            "Figure 8. Input norm, all dimensions, all layers of each model; axes are not cropped. INTELLECT "
            "covers GLM where the two agree."
        ),
        description="Four line charts by layer: mean, standard deviation, smallest and largest norm weight.",
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
        title="How the weights of Solar and GLM are distributed, every third layer",
        caption=(
            "Figure 9. Histograms of all values, 60 bins from −0.2 to 2.0; what lies beyond is not drawn, "
            "and how much that is stands above each panel. Areas are shares of all values. The dashed line "
            "is 1.0, where γ begins."
        ),
        description=(
            "Ridge plots of weight histograms of Solar and GLM, input norm left, post-attention norm right."
        ),
        draw=ridges.ridges,
        documents=DOCUMENTS,
        section="C Figure 9",
        needs=("solar", "glm"),
        claims=("sionic.figure_9", "findings.figure_9_histogram", "sionic.a1_norms"),
    ),
    Figure(
        name="figure_10",
        title="Input minus post-attention norm within each layer, Solar and GLM",
        caption=(
            "Figure 10. The document announces this figure without a result. Mean and spread of the "
            "difference in each model, and whether the two models' differences correlate (axis from −0.2 "
            "to 0.2)."
        ),
        description=(
            "Three line charts by layer: mean and spread of input minus post norm, and their correlation."
        ),
        draw=layers.within_layer,
        documents=DOCUMENTS,
        section="D.1 Figure 10",
        needs=("solar", "glm"),
        claims=("sionic.figure_10",),
    ),
)
