"""Norm vectors of made-up models, for benchmarks of growth: as many as wanted, by the replica's machinery."""

from __future__ import annotations

import numpy as np

from ingest.replica.facts import LAST, TRACE_WEIGHT, free_facts
from ingest.replica.patterns import anchored, draws, norm_vectors


def synthetic(seed: int, layers: int = 32, width: int = 512) -> dict[tuple[int, str], np.ndarray]:
    """(layer, ln_type) → float32 array of BF16 values; another seed, another, independent model."""
    vectors: dict[tuple[int, str], np.ndarray] = {}
    middle, last = max(layers // 3, 1), max(layers - 1, 2)
    for ln_type, post in (("input_layernorm", False), ("post_attention_layernorm", True)):
        random = draws("synthetic", seed, ln_type)
        top = random.uniform(0.5, 3.0)
        means, variations = (0.1 * top, 0.5 * top, top), (0.5, 0.2, 0.1)
        facts = free_facts(means, variations, (0, middle, last), post=post, anchors=_anchors(layers))
        rows = norm_vectors(facts, anchored(facts, layers, width, random, outlier_weight=TRACE_WEIGHT))
        vectors |= {(layer, ln_type): row for layer, row in enumerate(rows)}
    return vectors


def _anchors(layers: int) -> tuple[int, ...]:
    """The replica's anchors (10, 20, 30, 0, last) scaled to this depth; every layer of a shallow model."""
    if layers < 5:
        return tuple(range(layers))
    return (layers // 4, layers // 2, layers * 3 // 4, 0, LAST)
