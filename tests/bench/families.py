"""Families of made-up models for benchmarks of growth: a base and nine children that keep ever less of it.

Layers of one model resemble each other and some dimensions are outliers, in a child's own part too.
Independent random values would be easier to tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

SIZE = 10
# Of the pattern of the base: how much a child keeps.
KEPT = (1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.45, 0.4)

Norms = dict[tuple[int, str], np.ndarray]


def families(first: int, count: int, layers: int, width: int) -> Iterator[tuple[str, Norms]]:
    """Names f000012_0 (a base) to f000012_9, and (layer, ln_type) → float32 array of BF16 values."""
    keys = [
        (layer, kind) for kind in ("input_layernorm", "post_attention_layernorm") for layer in range(layers)
    ]
    keys.append((-1, "final_norm"))
    for family in range(first, first + count):
        random = np.random.default_rng([7, family])
        base = _patterns(random, len(keys), width)
        for member in range(SIZE):
            kept = 1.0 if member == 0 else KEPT[member - 1]
            noise = _patterns(random, len(keys), width) if kept < 1 else base
            pattern = kept * base + np.sqrt(1 - kept**2) * noise
            values = (1 + 0.1 * pattern).astype(np.float32)
            cut = (values.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
            yield f"f{family:06}_{member}", dict(zip(keys, cut, strict=True))


def _patterns(random: np.random.Generator, norms: int, width: int) -> np.ndarray:
    """One row per norm: a third of the variance is common to all of the model's norms; a few outliers."""
    common, own = random.normal(size=width), random.normal(size=(norms, width))
    found: np.ndarray = np.sqrt(1 / 3) * common + np.sqrt(2 / 3) * own
    found[:, random.choice(width, max(1, width // 200), replace=False)] += random.normal(0, 4)
    return found
