"""The figures of the second document, hyunwoongko/solar-vs-glm-vs-phi."""

from __future__ import annotations

from analysis.figures import facts_of_documents as facts
from analysis.figures.charts import matrices
from analysis.figures.figure import Figure
from analysis.figures.wording import words_of

DOCUMENTS = ("hyunwoong",)
THREE = ("solar", "glm", "phi")


def _within(model: str) -> Figure:
    return Figure(
        name=f"within_{model}",
        words=words_of(f"within_{model}"),
        facts=facts.within,
        draw=matrices.within,
        documents=DOCUMENTS,
        section="1, 3, 4",
        needs=(model,),
        claims=("hyunwoong.within_model_cosine", "hyunwoong.centered_within_models"),
        query="within",
        variables={"model": model},
    )


HYUNWOONG = (
    *(_within(model) for model in THREE),
    Figure(
        name="confusion",
        words=words_of("confusion"),
        facts=facts.confusion,
        draw=matrices.confusion,
        documents=DOCUMENTS,
        section="2, 3, 4",
        needs=THREE,
        claims=(
            "hyunwoong.cross_model_cosine",
            "hyunwoong.centered_between_models",
            "hyunwoong.pearson",
            "hyunwoong.mean_abs_diff",
            "hyunwoong.tails",
            "hyunwoong.relative_distance",
            "hyunwoong.closeness",
            "hyunwoong.cv_diff",
            "hyunwoong.projections",
            "findings.rel_l2_triangle",
            "findings.coefficients_of_variation",
        ),
    ),
    Figure(
        name="confusion_mixed",
        words=words_of("confusion_mixed"),
        facts=facts.confusion_mixed,
        draw=matrices.mixed,
        documents=DOCUMENTS,
        section="2, 3",
        needs=THREE,
        claims=("hyunwoong.centered_between_models", "hyunwoong.centered_within_models"),
    ),
)
