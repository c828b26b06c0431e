"""Changes a model's weights without changing its output, in one way each or in all ways (`attack`).

The residual stream of a decoder with RMSNorm has symmetries: its dimensions may be reordered or negated, a
norm's weight may move into the matrices that read it, and once all norms are 1 the stream may be rotated.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ingest.zoo.llama import MATRICES, Arrays

# Matrices that read the residual stream behind each norm (their rows are its dimensions), or write to it.
READERS = {"input_norm": ("q", "k", "v"), "post_norm": ("gate", "up"), "final_norm": ("head",)}
WRITERS = ("embedding", "o", "down")
STREAM_SCALE = 1.7
NEURON_SPREAD = 0.7  # of a lognormal: a neuron's up by this factor, its down by the inverse
PAIR_SPREAD = 0.3  # likewise, queries and keys of a rotary pair
NORM_SPREAD = 0.3  # likewise, the new norm weights and the matrices that read them


def reset(parent: Arrays) -> Arrays:
    """All norms become 1 and nothing makes up for it: the model has to be trained again."""
    return {name: np.ones_like(values) if name in READERS else values for name, values in parent.items()}


def rescale(parent: Arrays, factor: Callable[[tuple[int, ...]], np.ndarray]) -> Arrays:
    """Multiplies each norm by `factor(shape)` and divides the matrices that read it by the same."""
    params = dict(parent)
    factors = {norm: factor(parent[norm].shape) for norm in READERS}
    for norm, readers in READERS.items():
        params[norm] = parent[norm] * factors[norm]
        for name in readers:
            params[name] = params[name] / factors[norm][..., None]
    return params


def negate_some(parent: Arrays, random: np.random.Generator) -> Arrays:
    """Negates random dimensions of the residual stream."""
    signs = random.choice([-1.0, 1.0], parent["final_norm"].size)
    params = dict(parent)
    for name in WRITERS:
        params[name] = params[name] * signs
    for readers in READERS.values():
        for name in readers:
            params[name] = params[name] * signs[:, None]
    return params


def permute(parent: Arrays, random: np.random.Generator) -> Arrays:
    """Reorders the dimensions of the residual stream."""
    return take_dimensions(parent, random.permutation(parent["final_norm"].size))


def take_dimensions(parent: Arrays, dimensions: np.ndarray) -> Arrays:
    """These dimensions of the residual stream, in this order."""
    params = dict(parent)
    for name in (*WRITERS, *READERS):
        params[name] = params[name][..., dimensions]
    for readers in READERS.values():
        for name in readers:
            params[name] = params[name][..., dimensions, :]
    return params


def take_neurons(parent: Arrays, neurons: np.ndarray) -> Arrays:
    """These hidden neurons of every layer, in this order."""
    params = {name: parent[name][..., neurons] for name in ("gate", "up")}
    return parent | params | {"down": parent["down"][:, neurons]}


def fold(parent: Arrays) -> Arrays:
    """Moves the norms into the matrices that read them."""
    params = dict(parent)
    for norm, readers in READERS.items():
        # exactly 1: g·(1/g) would leave rounding noise that is still a function of g
        params[norm] = np.ones_like(parent[norm])
        for name in readers:
            params[name] = params[name] / (1 / parent[norm])[..., None]
    return params


def rotate(folded: Arrays, random: np.random.Generator) -> Arrays:
    """By a random orthogonal matrix; fixing the signs of R makes Q uniform over all of them."""
    width = folded["final_norm"].size
    q, r = np.linalg.qr(random.normal(0, 1, (width, width)))
    rotation = q * np.sign(np.diag(r))
    params = dict(folded)
    for name in WRITERS:
        params[name] = params[name] @ rotation
    for readers in READERS.values():
        for name in readers:
            params[name] = rotation.T @ params[name]
    return params


def attack(parent: Arrays, heads: int, random: np.random.Generator) -> Arrays:
    """Folds norms, rotates and scales the stream, reorders and mixes neurons and heads, draws new norms."""
    params = {name: values.astype(np.float64) for name, values in parent.items()}
    params = rotate(fold(params), random)
    params |= {name: STREAM_SCALE * params[name] for name in WRITERS}
    layers = [
        _heads(_neurons({name: params[name][layer] for name in MATRICES}, random), heads, random)
        for layer in range(len(params["gate"]))
    ]
    params |= {name: np.stack([layer[name] for layer in layers]) for name in MATRICES}
    return rescale(params, lambda shape: np.exp(random.normal(0, NORM_SPREAD, shape)))


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
