"""The figures of the first document, sionic-ai/solar-vs-glm (Korean and English)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.figures.figure import Figure, drawn_by

if TYPE_CHECKING:
    import polars as pl

DOCUMENTS = ("sionic_ko", "sionic_en")
FOUR = ("solar", "glm", "intellect", "phi")


def _sampled(
    name: str, pair: tuple[str, str], title: str, caption: str, section: str, claims: tuple[str, ...]
) -> Figure:
    """Figures 1, 3 and 4 are one drawing of four pairs of models."""
    return Figure(
        name=name,
        title=title,
        caption=caption,
        description=(
            f"Bars of fifty norm weights of {pair[0]} and {pair[1]} at one layer, the same after subtracting "
            "each model's mean, and lines of cosine and Pearson correlation over all shared layers."
        ),
        draw=drawn_by("sampled.sampled_pair"),
        documents=DOCUMENTS,
        section=section,
        needs=pair,
        claims=claims,
        query="figure_01",
        variables={"model_a": pair[0], "model_b": pair[1]},
    )


def _components(gram: pl.DataFrame) -> pl.DataFrame:
    from analysis.figures.space import coordinates

    return coordinates(gram)


SIONIC = (
    Figure(
        name="figure_00",
        title="Taking out the mean turns two nearly parallel vectors away from each other",
        caption=(
            "Figure 0. The slider takes out a share of each vector's mean, from none (a cosine of 0.96) to "
            "all of it (−0.60, which is the Pearson correlation); the document showed both ends as renderer "
            "and the way between as an animation. Vectors are those of the document's script. Rotation and "
            "tilt turn the view; at 100 % both vectors lie in the plane across (1, 1, 1). Computed, no "
            "model is read."
        ),
        description=(
            "Two vectors in three dimensions with a plane across the diagonal, and a curve of their cosine, "
            "which falls from 0.96 to -0.60 as the share of the mean removed goes from 0 to 100 percent."
        ),
        draw=drawn_by("space.mean_subtraction"),
        documents=DOCUMENTS,
        section="1 Figure 0",
        claims=("analytic.figure_0", "analytic.projection"),
    ),
    _sampled(
        name="figure_01",
        pair=("solar", "glm"),
        title="Solar and GLM: weights side by side, centred, and their similarity by layer",
        caption=(
            "Figure 1. The slider starts at the layer of the highest cosine (27 in the document). Fifty "
            "dimensions by quartiles of the two weights' sum, 13, 13, 12 and 12, the same in "
            "every run; cosine and Pearson are over all dimensions. The middle panel subtracts the mean of "
            "the whole vector. The vertical axes stay the same at every layer; similarity runs from −0.2 "
            "to 1.05."
        ),
        section="1 Figure 1",
        claims=("sionic.figure_1", "sionic.figure_1_ranges", "sionic.d2_1", "printed.figure_1_sample"),
    ),
    Figure(
        name="figure_02",
        title="Every layer of Solar against every layer of GLM",
        caption=(
            "Figure 2. The dots mark equal layers. Left in the document's range of 0.90 to 1.00: darker "
            "cells may be much lower, and their number is printed above. Right the same pairs without "
            "their means, cropped to ±0.1 and white at 0. All layers in the lake are drawn, also Solar's "
            "layer 47, which the document leaves out, and GLM's layer 46, which is its "
            "multi-token-prediction layer."
        ),
        description=(
            "Two heatmaps, 48 layers of Solar by 47 layers of GLM. Cosine on the left, Pearson correlation "
            "on the right, with the diagonal marked."
        ),
        draw=drawn_by("heatmaps.two_grids"),
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
        title="GLM and INTELLECT: weights side by side, centred, and their similarity by layer",
        caption=(
            "Figure 3. The known derivation, drawn as Figure 1: same sample, same axes' rules. The slider "
            "starts at the layer of the highest cosine (41 in the document)."
        ),
        section="3 Figure 3",
        claims=("sionic.figure_3", "sionic.figure_3_overlap"),
    ),
    Figure(
        name="figure_03_1",
        title="What fine-tuning changed between GLM and INTELLECT, by layer",
        caption=(
            "Figure 3-1. Colours are the levels that the text gives for these layers, dashed lines their "
            "bounds (10, 50 and 90 %): a bar on the wrong side of its line contradicts the text. Below, "
            "the mean distance on a logarithmic axis. Input norm."
        ),
        description=(
            "Bars of the share of changed values by layer, and a line of the mean absolute difference."
        ),
        draw=drawn_by("layers.changed_by_tuning"),
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
        title="Phi and Solar, a control: weights side by side, centred, and similarity by layer",
        caption=(
            "Figure 4 (a). A pair that nobody calls related, drawn as Figure 1, over the 32 layers of Phi."
        ),
        section="4 Figure 4",
        claims=("sionic.figure_4", "sionic.figure_4_pearson"),
    ),
    _sampled(
        name="figure_04b",
        pair=("glm", "phi"),
        title="GLM and Phi, a control: weights side by side, centred, and similarity by layer",
        caption="Figure 4 (b). The second control, drawn as Figure 1, over the 32 layers of Phi.",
        section="4 Figure 4",
        claims=("sionic.figure_4", "sionic.figure_4_pearson"),
    ),
    Figure(
        name="figure_05",
        title="Pearson of every layer pair, for six pairs of models",
        caption=(
            "Figure 5. Dots mark equal layers. A panel whose equal layers correlate above 0.5 is drawn "
            "from −1 to 1, the others are cropped to ±0.1; each says its range. The document draws the "
            "related pair from 0.9 to 1 in grey and the others in blends of two colours; here one signed "
            "scale serves all."
        ),
        description=(
            "Six heatmaps of Pearson correlations between the layers of Solar, GLM, INTELLECT and Phi."
        ),
        draw=drawn_by("heatmaps.six_grids"),
        documents=DOCUMENTS,
        section="4 Figure 5",
        needs=FOUR,
        claims=("sionic.figure_5", "sionic.figure_5_diagonal", "sionic.heatmap_layers"),
    ),
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
        draw=drawn_by("space.surfaces"),
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
        draw=drawn_by("space.principal_components"),
        derive=_components,
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
        draw=drawn_by("layers.layer_statistics"),
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
        draw=drawn_by("ridges.ridges"),
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
        draw=drawn_by("layers.within_layer"),
        documents=DOCUMENTS,
        section="D.1 Figure 10",
        needs=("solar", "glm"),
        claims=("sionic.figure_10",),
    ),
)
