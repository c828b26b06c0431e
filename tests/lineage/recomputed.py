"""The lineage test once more, in numpy and from the definitions: what the SQL is held against."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

Vectors = Mapping[tuple[int, str], np.ndarray]
"""(layer, ln_type) → values"""
Ranked = dict[tuple[int, str], np.ndarray]

ENTERING = ("input_layernorm", "post_attention_layernorm", "final_norm", "embedding_norm")
LEAST_CV, LEAST_NORMS, PLACE_Z = 1e-5, 3, 2.0
SHARE, SHARE_TWICE = 5.0, 5.13


def centred_ranks(values: np.ndarray) -> np.ndarray:
    """Average ranks by comparing all with all, of unit length."""
    below = (values[:, None] > values[None]).sum(1)
    ties = (values[:, None] == values[None]).sum(1)
    return unit(below + (ties + 1) / 2)


def unit(values: np.ndarray) -> np.ndarray:
    centred = values - values.mean()
    scaled: np.ndarray = centred / np.linalg.norm(centred)
    return scaled


def is_usable(values: np.ndarray, width: int) -> bool:
    values = values.astype(np.float64)
    varies = bool(np.isfinite(values).all()) and values.std() > LEAST_CV * abs(values.mean())
    return varies and len(values) == width


def ranked(model: Vectors, part: str) -> Ranked:
    """The norms that enter, of one part."""
    suffix = "_bias" if part == "biases" else ""
    chosen = {key: values for key, values in model.items() if key[1] in {f"{t}{suffix}" for t in ENTERING}}
    widths = [len(values) for values in model.values()]
    width = max(set(widths), key=widths.count)
    return {key: centred_ranks(values) for key, values in chosen.items() if is_usable(values, width)}


def place_z(model: Vectors) -> float:
    """The largest z of the norms against themselves, shifted; from the matrix of summed outer products.

    By one dimension, by half of them, and by the first eight multiples of one and of two taken together.
    """
    found = [-math.inf]
    for part in ("weights", "biases"):
        norms = np.array(list(ranked(model, part).values()))
        if not len(norms):
            continue
        d = norms.shape[1]
        outer = norms.T @ norms
        off_diagonal = (outer**2).sum() - (np.diag(outer) ** 2).sum()
        z = [_shifted_z(norms, off_diagonal, shift) for shift in range(d // 2 + 1)]
        found += [z[1], z[d // 2]]
        for stride in (1, 2):
            each = z[stride : min(8 * stride, d // 4) + 1 : stride]
            found.append(sum(each) / math.sqrt(len(each)))
    return max(found)


def _shifted_z(norms: np.ndarray, off_diagonal: float, shift: int) -> float:
    count, d = norms.shape
    times = 2 if 2 * shift == d else 1
    together = float((norms * np.roll(norms, -shift, axis=1)).sum())
    return float((together + count / (d - 1)) / np.sqrt(times * off_diagonal / (d - 1)))


def without_smooth_part(values: np.ndarray) -> np.ndarray:
    """A running mean over every second dimension, 3 of them, taken out of each half; cut off at its ends."""
    half = len(values) // 2
    parts = [values[:half], values[half:]]
    smooth = [
        np.array(
            [part[[j for j in (i - 2, i, i + 2) if 0 <= j < len(part)]].mean() for i in range(len(part))]
        )
        for part in parts
    ]
    return unit(values - np.concatenate(smooth))


def depth(model: Vectors) -> set[int]:
    return {layer for layer, kind in model if layer >= 0 and kind in ENTERING}


def compared(
    one: Vectors, other: Vectors, part: str, *, detrend: bool = True
) -> tuple[np.ndarray, np.ndarray, int]:
    """The vectors that belong together, of length 1, and how many norms they are made of."""
    models = [ranked(one, part), ranked(other, part)]
    places = [place_z(one), place_z(other)]
    if detrend and max(places) >= PLACE_Z:
        # Out of the one that has more of it.
        more = int(np.argmax(places))
        models[more] = {key: without_smooth_part(x) for key, x in models[more].items()}
    if depth(one) != depth(other):
        kinds = sorted({kind for _, kind in models[0]} & {kind for _, kind in models[1]})
        counts = [sum(kind in kinds for _, kind in model) for model in models]
        sums = [
            [unit(sum((x for (_, kind), x in model.items() if kind == k), np.zeros(1))) for k in kinds]
            for model in models
        ]
        return np.array(sums[0]), np.array(sums[1]), min(counts)
    keys = [key for key in models[0] if key in models[1]]
    first, second = (np.array([model[key] for key in keys]) for model in models)
    return first, second, len(keys)


def part_statistics(
    one: Vectors, other: Vectors, part: str, *, detrend: bool = True
) -> dict[str, float] | None:
    a, b, norms = compared(one, other, part, detrend=detrend)
    if not len(a):
        return None
    vectors, d = a.shape
    # The variance of Σ_k a_k·P b_k over all permutations P, from the summed outer product.
    outer = sum(np.outer(x, y) for x, y in zip(a, b, strict=True))
    spread = math.sqrt(float((np.asarray(outer) ** 2).sum()) / (d - 1))
    total = float((a * b).sum())
    return {
        "norms_used": norms,
        "spearman_mean": total / vectors,
        "k_eff": vectors**2 / (spread**2 * (d - 1)),
        "z_naive": total / math.sqrt(vectors / (d - 1)),
        "z_eff": total / spread,
        "z_most": vectors / spread,
    }


def statistics(one: Vectors, other: Vectors) -> dict[str, float | str | None]:
    """Every figure of a row of `lineage_pairs`, and the first words of its verdict."""
    parts = {part: part_statistics(one, other, part) for part in ("weights", "biases")}
    asked = {
        part: found
        for part, found in parts.items()
        if found and found["norms_used"] >= LEAST_NORMS and found["z_most"] >= SHARE
    }
    told = max(asked.values(), key=lambda found: found["z_eff"]) if asked else parts["weights"]
    verdict = "cannot tell"
    needed = None
    if asked:
        needed = SHARE if len(asked) == 1 else SHARE_TWICE
        largest = max(found["z_eff"] for found in asked.values())
        smallest = min(found["z_eff"] for found in asked.values())
        if largest >= needed:
            verdict = "share weight history"
        elif largest < 4 and smallest > -4:
            verdict = "no sign of shared history"
    z = {f"z_{part}": found["z_eff"] if found else None for part, found in parts.items()}
    p = math.erfc(told["z_eff"] / math.sqrt(2)) / 2 if told else None
    return {**(told or {}), **z, **means(one, other), "p": p, "needed_z": needed, "verdict": verdict}


def means(one: Vectors, other: Vectors) -> dict[str, float]:
    """Over the norm weights of one layer and type that both may use."""
    keys = [key for key in ranked(one, "weights") if key in ranked(other, "weights")]
    values = [(one[key].astype(np.float64), other[key].astype(np.float64)) for key in keys]
    lengths = [np.linalg.norm(x) * np.linalg.norm(y) for x, y in values]
    pairs = list(zip(values, lengths, strict=True))
    return {
        "cosine_mean": _mean([float(x @ y / n) for (x, y), n in pairs]),
        "pearson_mean": _mean([np.corrcoef(x, y)[0, 1] for x, y in values]),
        "offset_share_mean": _mean([len(x) * x.mean() * y.mean() / n for (x, y), n in pairs]),
        "pattern_share_mean": _mean([(x - x.mean()) @ (y - y.mean()) / n for (x, y), n in pairs]),
    }


def _mean(values: list[float]) -> float:
    return float(np.mean(values))
