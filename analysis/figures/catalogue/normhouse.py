"""What none of the documents shows, beside the argument."""

from __future__ import annotations

from analysis.figures import facts_of_documents as facts
from analysis.figures.charts import calibration, contradictions, layers, shares
from analysis.figures.figure import Figure
from analysis.figures.wording import words_of

NORMHOUSE = (
    Figure(
        name="decomposition",
        words=words_of("decomposition"),
        facts=facts.decomposition,
        draw=shares.decomposition,
        section="offset and pattern",
        needs=("solar", "glm", "intellect", "phi"),
        claims=("findings.offset_predicts_cosine", "sionic.mean_direction"),
    ),
    Figure(
        name="drift",
        words=words_of("drift"),
        facts=facts.drift,
        draw=layers.drift,
        section="derivation",
        needs=("glm", "intellect"),
        claims=("sionic.figure_3_1", "findings.bf16_steps"),
    ),
    Figure(
        name="calibration_null",
        words=words_of("calibration_null"),
        facts=facts.calibration_null,
        draw=calibration.null,
        section="calibration",
        about="calibration",
        needs=("b00", "o00"),
    ),
    Figure(
        name="calibration_real",
        words=words_of("calibration_real"),
        facts=facts.calibration_real,
        draw=calibration.real,
        section="calibration",
    ),
    Figure(
        name="contradiction_map",
        words=words_of("contradiction_map"),
        facts=facts.contradiction_map,
        draw=contradictions.contradiction_map,
        section="contradictions",
    ),
)
