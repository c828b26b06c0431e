"""The figures in the text of the first document, sionic-ai/solar-vs-glm (Korean and English)."""

from __future__ import annotations

from analysis.figures.charts import heatmaps, layers, mean_subtraction, sampled
from analysis.figures.figure import Figure

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
        title="Taking out the mean turns two nearly parallel vectors away from each other",
        caption=(
            "Figure 0. The slider takes out a share of each vector's mean, from none (a cosine of 0.96) to "
            "all of it (−0.60, which is the Pearson correlation); the document showed both ends as pictures "
            "and the way between as an animation. Vectors are those of the document's script. Rotation and "
            "tilt turn the view; at 100 % both vectors lie in the plane across (1, 1, 1). Computed, no "
            "model is read."
        ),
        description=(
            "Two vectors in three dimensions with a plane across the diagonal, and a curve of their cosine, "
            "which falls from 0.96 to -0.60 as the share of the mean removed goes from 0 to 100 percent."
        ),
        draw=mean_subtraction.mean_subtraction,
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
        draw=heatmaps.six_grids,
        documents=DOCUMENTS,
        section="4 Figure 5",
        needs=FOUR,
        claims=("sionic.figure_5", "sionic.figure_5_diagonal", "sionic.heatmap_layers"),
    ),
)
