"""All disguises at once: a model that computes what it did before and looks like another one everywhere.

For a decoder with RMSNorm, rotary positions and SwiGLU whose parameters are those of `llama.py`. Each step
uses a symmetry of the architecture, so that logits stay as they were, up to rounding.
"""

from __future__ import annotations

import numpy as np

from ingest.zoo.disguises import READERS, WRITERS, fold, rescale, rotate
from ingest.zoo.llama import MATRICES, Arrays

STREAM_SCALE = 1.7
NEURON_SPREAD = 0.7  # of a lognormal: a neuron's up by this factor, its down by the inverse
PAIR_SPREAD = 0.3  # likewise, queries and keys of a rotary pair
NORM_SPREAD = 0.3  # likewise, the new norm weights and the matrices that read them


def attack(parent: Arrays, heads: int, random: np.random.Generator) -> Arrays:
    """Norms folded, stream rotated and scaled, neurons and heads reordered and mixed, new norms drawn."""
    params = {name: values.astype(np.float64) for name, values in parent.items()}
    params = rotate(fold(params), random)
    params |= {name: STREAM_SCALE * params[name] for name in WRITERS}
    layers = [
        _heads(_neurons({name: params[name][layer] for name in MATRICES}, random), heads, random)
        for layer in range(len(params["gate"]))
    ]
    params |= {name: np.stack([layer[name] for layer in layers]) for name in MATRICES}
    return rescale(
        params, {name: np.exp(random.normal(0, NORM_SPREAD, params[name].shape)) for name in READERS}
    )


def _neurons(layer: Arrays, random: np.random.Generator) -> Arrays:
    """Another order, and another scale and sign of up and down."""
    order = random.permutation(layer["down"].shape[0])
    factor = np.exp(random.normal(0, NEURON_SPREAD, order.size)) * random.choice([-1.0, 1.0], order.size)
    return layer | {
        "gate": layer["gate"][:, order],
        "up": layer["up"][:, order] * factor,
        "down": layer["down"][order] / factor[:, None],
    }


def _heads(layer: Arrays, heads: int, random: np.random.Generator) -> Arrays:
    """Another order; values mixed by any invertible matrix, queries and keys turned and scaled by pairs."""
    order = random.permutation(heads)
    q, k, v = (np.split(layer[name], heads, axis=1) for name in ("q", "k", "v"))
    o = np.split(layer["o"], heads, axis=0)
    for head in range(heads):
        width = v[head].shape[1]
        mixing = random.normal(0, 1, (width, width))
        v[head], o[head] = v[head] @ mixing, np.linalg.solve(mixing, o[head])
        angles = random.uniform(0, 2 * np.pi, width // 2)
        factors = np.exp(random.normal(0, PAIR_SPREAD, width // 2))
        q[head] = _turned(q[head], angles, factors)
        k[head] = _turned(k[head], angles, 1 / factors)
    return layer | {
        "q": np.concatenate([q[head] for head in order], axis=1),
        "k": np.concatenate([k[head] for head in order], axis=1),
        "v": np.concatenate([v[head] for head in order], axis=1),
        "o": np.concatenate([o[head] for head in order], axis=0),
    }


def _turned(columns: np.ndarray, angles: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Rotary positions turn column i together with column i + half: so does this, and the two commute."""
    first, second = np.split(columns, 2, axis=1)
    cos, sin = factors * np.cos(angles), factors * np.sin(angles)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=1)
