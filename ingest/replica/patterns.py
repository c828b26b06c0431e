"""Vectors with exact statistics: the arithmetic by which published figures become values.

A pattern is a vector of mean 0 and population standard deviation 1. A norm vector is mean + std ·
pattern, rounded to BF16; correlations of norm vectors are those of their patterns.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise

import numpy as np

from ingest.replica.published import GENERATOR_VERSION, LAST, NormFacts, Series

# Standard deviations of a layer's own noise, of 1 in all, between two anchor layers.
PRIVATE_NOISE = 0.3
OUTLIER_DIMENSIONS = 8


def draws(*key: object) -> np.random.Generator:
    """A random stream that depends on the key and the generator's version alone."""
    text = "/".join(map(str, (GENERATOR_VERSION, *key)))
    return np.random.default_rng(int.from_bytes(sha256(text.encode()).digest()[:16], "big"))


def at_layer(series: Series, layers: int | Sequence[int]) -> np.ndarray:
    """The series at these layers: linear in between, constant beyond the ends."""
    return np.asarray(np.interp(layers, *series))


def correlation_matrix(facts: NormFacts) -> np.ndarray:
    """The full symmetric matrix of `facts.correlations`."""
    matrix = np.eye(len(facts.anchors))
    for row, values in enumerate(facts.correlations, start=1):
        matrix[row, :row] = matrix[:row, row] = values
    return matrix


def standardise(rows: np.ndarray) -> np.ndarray:
    """Each row with mean 0 and population standard deviation 1."""
    centred = rows - rows.mean(axis=-1, keepdims=True)
    return np.asarray(centred / np.sqrt((centred * centred).mean(axis=-1, keepdims=True)))


def mix(pattern: np.ndarray, noise: np.ndarray, correlation: float) -> np.ndarray:
    """Patterns that correlate with the given ones by about `correlation`, the rest noise."""
    return standardise(correlation * pattern + np.sqrt(1 - correlation**2) * standardise(noise))


def outliers(width: int) -> np.ndarray:
    """The pattern all models of one width share: a few dimensions far out, the others equal."""
    random = draws("outliers", width)
    spikes = np.zeros(width)
    where = random.choice(width, min(OUTLIER_DIMENSIONS, width // 4), replace=False)
    spikes[where] = random.choice((-1.0, 1.0), where.size)
    return standardise(spikes)


def anchored(
    facts: NormFacts, layers: int, width: int, random: np.random.Generator, *, outlier_weight: float
) -> np.ndarray:
    """Patterns (layers, width): exact correlations at the anchor layers, blends in between."""
    anchors = [layers - 1 if anchor == LAST else anchor for anchor in facts.anchors]
    own = standardise(random.standard_normal((len(anchors), width)))
    own[0] = mix(outliers(width), own[0], outlier_weight)
    basis, triangle = np.linalg.qr(own.T)
    basis *= np.sign(np.diag(triangle)) * np.sqrt(width)
    exact = np.linalg.cholesky(correlation_matrix(facts)) @ basis.T
    known = dict(zip(anchors, exact, strict=True))

    patterns = np.empty((layers, width))
    noise = random.standard_normal((layers, width), dtype=np.float32)
    stops = sorted(known)
    for before, after in pairwise(stops):
        for layer in range(before + 1, after):
            share = (layer - before) / (after - before)
            blend = standardise((1 - share) * known[before] + share * known[after])
            patterns[layer] = mix(blend, noise[layer], float(np.sqrt(1 - PRIVATE_NOISE**2)))
    patterns[stops] = [known[stop] for stop in stops]
    return patterns


def norm_vectors(facts: NormFacts, patterns: np.ndarray) -> np.ndarray:
    """The patterns with the published mean and spread of each layer, in BF16 (held as float32)."""
    at = range(len(patterns))
    mean, std = at_layer(facts.mean, at), at_layer(facts.std, at)
    return to_bf16(mean[:, None] + std[:, None] * patterns)


def bf16_bits(values: np.ndarray) -> np.ndarray:
    """BF16 bit patterns (uint16) of the values, rounded to nearest, ties to even; values are finite."""
    bits = np.asarray(values, dtype=np.float32).view(np.uint32)
    return np.asarray(((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16))


def from_bf16_bits(bits: np.ndarray) -> np.ndarray:
    """The float32 values of BF16 bit patterns; exact."""
    return np.asarray((bits.astype(np.uint32) << 16).view(np.float32))


def to_bf16(values: np.ndarray) -> np.ndarray:
    """The values rounded to BF16, as float32."""
    return from_bf16_bits(bf16_bits(values))


def nudged(values: np.ndarray, share: float, mean_abs_diff: float, random: np.random.Generator) -> np.ndarray:
    """A copy of BF16 values in which `share` of them moved by whole BF16 steps, `mean_abs_diff` over all.

    Where one step in each chosen dimension is already too much, dimensions with small steps are chosen,
    and where that is too much as well fewer of them: the difference wins over the share.
    """
    bits = bf16_bits(values)
    step = np.abs(from_bf16_bits(bits + 1).astype(np.float64) - values)
    wanted = mean_abs_diff * values.size
    order = random.permutation(values.size)
    count = max(1, round(share * values.size))
    if step[order[:count]].sum() > wanted:
        order = order[np.argsort(step[order], kind="stable")]
        spent = np.cumsum(step[order[:count]])
        count = max(1, int(np.searchsorted(spent, wanted * (1 + 1e-9), side="right")))
        if count == 1:
            order = order[np.argsort(np.abs(step[order] - wanted), kind="stable")]
    chosen = order[:count]
    # Outward steps only: bits + 1 never crosses zero, and one more step is always representable.
    outward = bits[chosen] + 1
    direction = random.choice((-1.0, 1.0), count)
    size = random.exponential(size=count)
    before = values[chosen].astype(np.float64)
    low, high = 0.0, 8 * mean_abs_diff / share + float(step.max())
    for _ in range(24):
        scale = (low + high) / 2
        after = bf16_bits(before + direction * scale * size)
        after = np.where(after == bits[chosen], outward, after)
        spread = np.abs(from_bf16_bits(after) - before).sum()
        low, high = (scale, high) if spread < wanted else (low, scale)
    moved = bits.copy()
    moved[chosen] = after
    return from_bf16_bits(moved)
