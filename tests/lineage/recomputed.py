"""The lineage test once more, in numpy and from the definitions: what the SQL is held against."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

Vectors = Mapping[tuple[int, str], np.ndarray]
"""(layer, ln_type) → values"""

ENTERING = ("input_layernorm", "post_attention_layernorm", "final_norm")
LEAST_CV = 1e-5


def centred_ranks(values: np.ndarray) -> np.ndarray:
    """Average ranks by comparing all with all, of unit length."""
    below = (values[:, None] > values[None]).sum(1)
    ties = (values[:, None] == values[None]).sum(1)
    ranks = below + (ties + 1) / 2
    centred = ranks - ranks.mean()
    unit: np.ndarray = centred / np.linalg.norm(centred)
    return unit


def is_usable(values: np.ndarray) -> bool:
    values = values.astype(np.float64)
    return bool(np.isfinite(values).all()) and values.std() > LEAST_CV * abs(values.mean())


def statistics(one: Vectors, other: Vectors) -> dict[str, float]:
    """Every figure of a row of `lineage_pairs` that is a number."""
    keys = [
        key
        for key in one
        if key[1] in ENTERING and key in other and is_usable(one[key]) and is_usable(other[key])
    ]
    a = np.array([centred_ranks(one[key]) for key in keys])
    b = np.array([centred_ranks(other[key]) for key in keys])
    norms, d = a.shape
    correlations = [float(x @ y) for x, y in zip(a, b, strict=True)]
    # The variance of Σ_k a_k·P b_k over all permutations P, from the summed outer product.
    outer = sum(np.outer(x, y) for x, y in zip(a, b, strict=True))
    variance = float((np.asarray(outer) ** 2).sum()) / (d - 1)
    values = [(one[key].astype(np.float64), other[key].astype(np.float64)) for key in keys]
    lengths = [np.linalg.norm(x) * np.linalg.norm(y) for x, y in values]
    total = sum(correlations)
    return {
        "norms_used": norms,
        "cosine_mean": _mean([float(x @ y / n) for (x, y), n in zip(values, lengths, strict=True)]),
        "pearson_mean": _mean([np.corrcoef(x, y)[0, 1] for x, y in values]),
        "spearman_mean": total / norms,
        "offset_share_mean": _mean(
            [d * x.mean() * y.mean() / n for (x, y), n in zip(values, lengths, strict=True)]
        ),
        "pattern_share_mean": _mean(
            [(x - x.mean()) @ (y - y.mean()) / n for (x, y), n in zip(values, lengths, strict=True)]
        ),
        "k_eff": norms**2 / (variance * (d - 1)),
        "z_naive": total / np.sqrt(norms / (d - 1)),
        "z_eff": total / np.sqrt(variance),
        "z_most": norms / np.sqrt(variance),
    }


def _mean(values: list[float]) -> float:
    return float(np.mean(values))
