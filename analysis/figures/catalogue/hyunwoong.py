"""The figures of the second document, hyunwoongko/solar-vs-glm-vs-phi."""

from __future__ import annotations

from analysis.figures.charts import baselines, matrices
from analysis.figures.figure import Figure

DOCUMENTS = ("hyunwoong",)
THREE = ("solar", "glm", "phi")

# metric: what the title calls it, section, claims
METRICS = {
    "cosine": ("Cosine", "2", ("hyunwoong.cross_model_cosine", "hyunwoong.projections")),
    "centered_cosine": ("Centred cosine", "3", ("hyunwoong.centered_between_models",)),
    "pearson": ("Pearson correlation", "4.1", ("hyunwoong.pearson",)),
    "mean_abs_diff": (
        "Mean absolute difference",
        "4.2",
        ("hyunwoong.mean_abs_diff", "hyunwoong.projections"),
    ),
    "p99_abs_diff": ("Difference of the 99 % quantiles", "4.3", ("hyunwoong.tails", "hyunwoong.closeness")),
    "rel_l2": (
        "Relative distance",
        "4.4",
        ("hyunwoong.relative_distance", "hyunwoong.closeness", "findings.rel_l2_triangle"),
    ),
    "cv_diff": (
        "Difference of relative spreads",
        "4.5",
        ("hyunwoong.cv_diff", "findings.coefficients_of_variation"),
    ),
}
# model: name, claims on its layer 0
LAYER_0 = {
    "solar": (
        "Solar",
        ("hyunwoong.layer_0", "hyunwoong.layer_0_in_five_models", "printed.original_baseline"),
    ),
    "glm": ("GLM", ("hyunwoong.layer_0", "hyunwoong.layer_0_in_five_models", "printed.original_baseline")),
    "phi": ("Phi", ("hyunwoong.layer_0", "hyunwoong.layer_0_in_five_models")),
    "qwen3_4b": (
        "Qwen3-4B",
        ("hyunwoong.qwen3_4b", "hyunwoong.qwen3_layer_0", "hyunwoong.layer_0_in_five_models"),
    ),
    "qwen3_14b": ("Qwen3-14B", ("hyunwoong.qwen3_layer_0", "hyunwoong.layer_0_in_five_models")),
}


def _within(model: str, name: str) -> Figure:
    return Figure(
        name=f"within_{model}",
        title=f"Layers 10, 20 and 30 of {name} among each other",
        caption=(
            "Six metrics (centred cosine is Pearson and not drawn twice), one column a kind of tensor: "
            "both norms, and k_proj and v_proj where they were ingested (`--projections`). Similarities "
            "are coloured from −1 to 1 around 0, distances from 0 to the largest value of their metric. "
            "The document shows one picture a metric with its own range."
        ),
        description=f"Matrices of three layers of {name} by six metrics, with the number in each cell.",
        draw=matrices.within,
        documents=DOCUMENTS,
        section="1, 3, 4",
        needs=(model,),
        claims=("hyunwoong.within_model_cosine", "hyunwoong.centered_within_models"),
        query="within",
        variables={"model": model},
    )


def _layer_0(model: str, name: str, claims: tuple[str, ...]) -> Figure:
    return Figure(
        name=f"layer_0_{model}",
        title=f"Layers 0 and 10 of {name} compared with all its layers",
        caption=(
            "The document compares layer 0 with a few layers; here with all, in both norms, and layer 10 "
            "beside it. Rings are printed figures, triangles printed lower bounds. The axis runs from 0, "
            "so that an outlier looks as large as it is."
        ),
        description=(
            f"Lines of the cosine of layers 0 and 10 of {name} with every other layer, for both norms."
        ),
        draw=baselines.layer_0,
        documents=DOCUMENTS,
        section="1 discussion 1",
        needs=(model,),
        claims=claims,
        query="layer_0",
        variables={"model": model},
    )


def _confusion(metric: str, name: str, section: str, claims: tuple[str, ...]) -> Figure:
    return Figure(
        name=f"confusion_{metric}",
        title=f"{name} between Solar, GLM and Phi at layers 10, 20 and 30",
        caption=(
            "One column a kind of tensor: both norms, and k_proj and v_proj where they were ingested "
            "(`--projections`); one row a layer. Similarities are coloured from −1 to 1 around 0, "
            "distances from 0 to the largest cell. "
            + {
                "centered_cosine": "The same numbers as Pearson, by definition; the document draws both.",
                "pearson": "The same numbers as the centred cosine, by definition.",
                "rel_l2": "Relative to the model in the row; the document mirrors one half.",
            }.get(metric, "Cells with themselves are computed, not filled in.")
        ),
        description=(
            f"Matrices of {name.lower()} between three models, one for each layer and kind of tensor."
        ),
        draw=matrices.confusion,
        documents=DOCUMENTS,
        section=section,
        needs=THREE,
        claims=claims,
        query="confusion",
        variables={"metric": metric},
    )


HYUNWOONG = (
    *(_within(model, name) for model, name in (("solar", "Solar"), ("glm", "GLM"), ("phi", "Phi"))),
    *(_layer_0(model, *rest) for model, rest in LAYER_0.items()),
    *(_confusion(metric, *rest) for metric, rest in METRICS.items()),
    Figure(
        name="confusion_mixed",
        title="Solar, GLM and Phi at layers 10, 20 and 30 in one matrix",
        caption=(
            "Nine vectors against each other: blocks on the diagonal are layers of one model. By cosine "
            "all cells look alike; without the means, blocks of one model stand out if its layers share a "
            "pattern. Coloured from −1 to 1 around 0."
        ),
        description=(
            "Nine by nine matrices of cosine and Pearson for three layers of three models, both norms."
        ),
        draw=matrices.mixed,
        documents=DOCUMENTS,
        section="2, 3",
        needs=THREE,
        claims=("hyunwoong.centered_between_models", "hyunwoong.centered_within_models"),
    ),
    Figure(
        name="toy",
        title="Two small models that never met, by how their norms began",
        caption=(
            "Cosine and Pearson between two GPT-2 models trained from different seeds on different "
            "sequences. Norms that begin at 1 keep a cosine near 1 although nothing is shared; norms that "
            "begin at random do not. Rings are the document's printed cosines of its own models (12 "
            "layers). `just toy` trains these. The axis is cropped at −0.3."
        ),
        description=(
            "Four line charts of cosine and Pearson by layer for toy models started at ones or at random."
        ),
        draw=baselines.toy,
        documents=DOCUMENTS,
        section="2 discussion 2",
        about="models trained here",
        needs=("toy_ones_a", "toy_ones_b", "toy_rand_a", "toy_rand_b"),
        claims=("hyunwoong.toy_cosines", "hyunwoong.toy_directions", "hyunwoong.toy_initial_direction"),
    ),
)
