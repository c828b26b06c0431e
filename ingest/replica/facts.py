"""Published statistics of the norm weights, as data: per-layer mean and spread, correlations, drift.

Source: the documents' printed tables and figures, rounded as printed. Where a model has no published
figure the value is free and marked so. Between the given layers, values are interpolated linearly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ingest.replica.configs import (
    GLM,
    INTERNLM2_7B,
    MISTRAL_7B,
    MIXTRAL,
    PHI,
    QWEN3_4B,
    QWEN3_14B,
    QWEN15_7B,
    SOLAR,
    YI_6B,
)

Series = tuple[tuple[float, ...], tuple[float, ...]]  # layers, value at each

LAST = -1  # an anchor: the model's last decoder layer


@dataclass(frozen=True)
class NormFacts:
    """One norm (input or post-attention) of one model, over its decoder layers.

    `correlations` is the strict lower triangle of the Pearson matrix of γ at the anchor layers.
    """

    mean: Series
    std: Series
    anchors: tuple[int, ...]
    correlations: tuple[tuple[float, ...], ...]


def at_layer(series: Series, layers: int | Sequence[int]) -> np.ndarray:
    """The series at these layers: linear in between, constant beyond the ends."""
    return np.asarray(np.interp(layers, *series))


def correlation_matrix(facts: NormFacts) -> np.ndarray:
    """The full symmetric matrix of `facts.correlations`."""
    matrix = np.eye(len(facts.anchors))
    for row, values in enumerate(facts.correlations, start=1):
        matrix[row, :row] = matrix[:row, row] = values
    return matrix


_AT = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 43, 45)
_PHI_AT = (0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 26, 29, 30, 31)
_PHI_POST_AT = (0, 10, 20, 30)

# Layer 10 comes first: it alone carries the outlier dimensions that all models share (patterns.py).
# Rows after it: 20, 30, 0, last. Published are 20 and 30 with 10 and each other, and layer 0 input
# with 10 (solar 0.04, glm 0.05); post norms of layer 0 need enough correlation for a cosine of 0.92.
_ANCHORS = (10, 20, 30, 0, LAST)

_SOLAR_INPUT = NormFacts(
    mean=(_AT, (0.0163, 0.0732, 0.0715, 0.0848, 0.123, 0.158, 0.128, 0.179, 0.236,
                0.228, 0.270, 0.322, 0.318, 0.294, 0.363, 0.349, 0.329, 0.352)),
    std=(_AT, (0.0406, 0.0535, 0.0286, 0.0300, 0.0364, 0.0372, 0.0339, 0.0363, 0.0410,
               0.0291, 0.0324, 0.0316, 0.0311, 0.0325, 0.0323, 0.0336, 0.0363, 0.0307)),
    anchors=_ANCHORS,
    correlations=((0.46,), (0.35, 0.63), (0.04, 0.03, 0.02), (0.25, 0.45, 0.70, 0.01)),
)  # fmt: skip
_SOLAR_POST = NormFacts(
    mean=(_AT, (0.146, 0.172, 0.215, 0.242, 0.267, 0.284, 0.294, 0.312, 0.339,
                0.364, 0.413, 0.467, 0.543, 0.647, 0.729, 0.839, 0.909, 0.975)),
    std=(_AT, (0.0636, 0.0584, 0.0503, 0.0453, 0.0437, 0.0417, 0.0390, 0.0419, 0.0401,
               0.0391, 0.0415, 0.0358, 0.0300, 0.0363, 0.0381, 0.0405, 0.0502, 0.0668)),
    anchors=_ANCHORS,
    correlations=((0.84,), (0.58, 0.80), (0.50, 0.45, 0.40), (0.40, 0.55, 0.75, 0.35)),
)  # fmt: skip
_GLM_INPUT = NormFacts(
    mean=(_AT, (0.0109, 0.0388, 0.122, 0.336, 0.278, 0.415, 0.321, 0.419, 0.497,
                0.497, 0.546, 0.648, 0.692, 0.775, 0.797, 0.832, 0.913, 0.837)),
    std=(_AT, (0.0271, 0.0797, 0.0610, 0.0853, 0.0584, 0.0873, 0.0778, 0.0478, 0.0465,
               0.0496, 0.0528, 0.0550, 0.0535, 0.0582, 0.0640, 0.0738, 0.0748, 0.0689)),
    anchors=_ANCHORS,
    correlations=((0.77,), (0.65, 0.62), (0.05, 0.04, 0.03), (0.45, 0.50, 0.70, 0.02)),
)  # fmt: skip
_GLM_POST = NormFacts(
    mean=(_AT, (0.0655, 0.405, 0.518, 0.564, 0.610, 0.672, 0.700, 0.850, 0.948,
                1.02, 1.17, 1.38, 1.56, 1.70, 1.90, 2.18, 2.32, 2.04)),
    std=(_AT, (0.0252, 0.132, 0.125, 0.107, 0.105, 0.0989, 0.0922, 0.0985, 0.101,
               0.105, 0.115, 0.103, 0.0964, 0.0932, 0.0948, 0.0917, 0.0983, 0.0964)),
    anchors=_ANCHORS,
    correlations=((0.83,), (0.62, 0.88), (0.40, 0.35, 0.30), (0.50, 0.70, 0.85, 0.25)),
)  # fmt: skip
_PHI_INPUT = NormFacts(
    mean=(_PHI_AT, (0.01, 0.035, 0.045, 0.07, 0.17, 0.27, 0.25, 0.32, 0.365,
                    0.42, 0.435, 0.485, 0.51, 0.54, 0.53, 0.43, 0.165)),
    std=(_PHI_AT, (0.012, 0.047, 0.025, 0.033, 0.068, 0.077, 0.042, 0.040, 0.037,
                   0.043, 0.036, 0.0435, 0.042, 0.0425, 0.048, 0.046, 0.039)),
    anchors=_ANCHORS,
    correlations=((0.74,), (0.26, 0.37), (0.05, 0.03, 0.02), (0.15, 0.20, 0.60, 0.02)),
)  # fmt: skip
_PHI_POST = NormFacts(
    mean=(_PHI_POST_AT, (0.05, 0.27, 0.50, 0.84)),
    # Published as coefficients of variation 0.12, 0.12, 0.064, 0.058.
    std=(_PHI_POST_AT, (0.05 * 0.12, 0.27 * 0.12, 0.50 * 0.064, 0.84 * 0.058)),
    anchors=_ANCHORS,
    correlations=((0.74,), (0.25, 0.48), (0.30, 0.25, 0.15), (0.20, 0.40, 0.85, 0.10)),
)

# Free: without published figures, the layers of a model resemble each other as glm's do.
_FREE_INPUT = ((0.70,), (0.55, 0.70), (0.10, 0.08, 0.06), (0.40, 0.50, 0.75, 0.05))
_FREE_POST = ((0.80,), (0.60, 0.80), (0.40, 0.35, 0.30), (0.50, 0.65, 0.85, 0.25))


def free_facts(
    mean: Sequence[float],
    variation: Sequence[float],
    at: Sequence[int],
    *,
    post: bool,
    anchors: tuple[int, ...] = _ANCHORS,
    correlations: tuple[tuple[float, ...], ...] = (),
) -> NormFacts:
    """Facts of a model of which only coefficients of variation at a few layers are known, or nothing."""
    std = tuple(m * v for m, v in zip(mean, variation, strict=True))
    layers = tuple(float(layer) for layer in at)
    rows = correlations or (_FREE_POST if post else _FREE_INPUT)
    return NormFacts((layers, tuple(mean)), (layers, std), anchors, rows[: len(anchors) - 1])


# (input, post). At layer 10 the dense models' coefficients of variation are published as 0.10 to 0.30
# with pairwise cosines of 0.95 to 0.99; the means are free but for mixtral's 1.57 (std 0.49).
FACTS: dict[str, tuple[NormFacts, NormFacts]] = {
    SOLAR: (_SOLAR_INPUT, _SOLAR_POST),
    GLM: (_GLM_INPUT, _GLM_POST),
    PHI: (_PHI_INPUT, _PHI_POST),
    MISTRAL_7B: (
        free_facts(
            (0.05, 0.9, 1.6, 1.9, 2.4), (0.60, 0.25, 0.22, 0.18, 0.15), (0, 3, 10, 20, 31), post=False
        ),
        free_facts((0.3, 0.9, 1.4, 2.6), (0.20, 0.12, 0.08, 0.06), (0, 10, 20, 31), post=True),
    ),
    MIXTRAL: (
        free_facts(
            (0.05, 0.9, 1.57, 1.9, 2.3), (0.60, 0.33, 0.49 / 1.57, 0.25, 0.20), (0, 3, 10, 20, 31), post=False
        ),
        free_facts((0.3, 0.9, 1.4, 2.5), (0.20, 0.13, 0.09, 0.07), (0, 10, 20, 31), post=True),
    ),
    YI_6B: (
        free_facts(
            (0.08, 0.6, 1.1, 1.4, 2.1), (0.50, 0.22, 0.16, 0.14, 0.12), (0, 3, 10, 20, 31), post=False
        ),
        free_facts((0.4, 0.8, 1.2, 2.2), (0.18, 0.11, 0.08, 0.07), (0, 10, 20, 31), post=True),
    ),
    INTERNLM2_7B: (
        free_facts(
            (0.06, 0.5, 0.9, 1.2, 1.8), (0.55, 0.30, 0.235, 0.20, 0.18), (0, 3, 10, 20, 31), post=False
        ),
        free_facts((0.3, 0.7, 1.0, 1.9), (0.20, 0.14, 0.10, 0.08), (0, 10, 20, 31), post=True),
    ),
    QWEN15_7B: (
        free_facts((0.2, 0.8, 1.3, 1.7, 2.5), (0.40, 0.16, 0.12, 0.10, 0.10), (0, 3, 10, 20, 31), post=False),
        free_facts((0.5, 1.0, 1.5, 2.4), (0.15, 0.10, 0.07, 0.06), (0, 10, 20, 31), post=True),
    ),
    # Published cosines: input layer 0 with 15 and 20 about 0.8, layer 10 with them 0.97; post above 0.94.
    QWEN3_4B: (
        free_facts(
            (0.3, 1.2, 1.6, 1.9, 2.2, 4.0),
            (0.73, 0.30, 0.24, 0.24, 0.235, 0.20),
            (0, 3, 10, 15, 20, 35),
            post=False,
            anchors=(10, 15, 20, 0, LAST),
            correlations=((0.45,), (0.42, 0.70), (0.10, 0.10, 0.10), (0.30, 0.45, 0.60, 0.05)),
        ),
        free_facts((0.6, 1.1, 1.6, 3.0), (0.28, 0.12, 0.10, 0.08), (0, 10, 20, 35), post=True),
    ),
    # Published cosines: layer 0 with 15 and 20 above 0.9 in both norms.
    QWEN3_14B: (
        free_facts((0.4, 1.1, 1.5, 2.0, 4.2), (0.38, 0.25, 0.20, 0.18, 0.16), (0, 3, 10, 20, 39), post=False),
        free_facts((0.6, 1.2, 1.7, 3.2), (0.25, 0.12, 0.10, 0.08), (0, 10, 20, 39), post=True),
    ),
}

# Weight of the shared outlier dimensions in a model's input norm of layer 10; other models and all post
# norms have a trace. Products of two are the expected correlations: glm with phi about 0.1 at the most.
OUTLIER_WEIGHT = {GLM: 0.30, PHI: 0.30, SOLAR: 0.10}
TRACE_WEIGHT = 0.05
# Which draw of the patterns is used: chance alone moves the mean of solar-glm over the layers by 0.01,
# so draws were tried until input norms had the published mean 0.013 and sd 0.016, post norms a mean of 0.
DRAW = 316

# glm → intellect, input norm: share of the values changed, and mean absolute difference over all dims.
CHANGED_SHARE: Series = (
    (0, 1, 2, 3, 4, 5, 8, 10, 12, 13, 15, 20, 30, 37, 40, 45),
    (0.96, 0.87, 0.62, 0.16, 0.23, 0.13, 0.13, 0.085, 0.07, 0.01, 0.025, 0.01, 0.015, 0.015, 0.001, 0.001),
)
# The differences of layers 8, 15 and 30 are free: the smallest at which the published share can hold.
MEAN_ABS_DIFF: Series = (
    (0, 2, 3, 8, 12, 13, 15, 30, 37, 39, 45),
    (4.5e-4, 5e-4, 2.9e-4, 2.6e-4, 1.4e-4, 2.3e-5, 5.5e-5, 6e-5, 6e-5, 5e-6, 9.5e-7),
)
