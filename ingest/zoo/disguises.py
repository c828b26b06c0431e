"""Changes of weights that leave the output of a model as it was, one by one and all at once (`attack`).

The residual stream of a decoder with RMSNorm has symmetries: its dimensions may be reordered or negated, a
norm's weight may move into the matrices that read it, and once all norms are 1 the stream may be rotated.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ingest.zoo.llama import MATRICES, Arrays
from ingest.zoo.recipe import Recipe

# Matrices that read the residual stream behind each norm (their rows are its dimensions), or write to it.
READERS = {"input_norm": ("q", "k", "v"), "post_norm": ("gate", "up"), "final_norm": ("head",)}
WRITERS = ("embedding", "o", "down")
STREAM_SCALE = 1.7
NEURON_SPREAD = 0.7  # of a lognormal: a neuron's up by this factor, its down by the inverse
PAIR_SPREAD = 0.3  # likewise, queries and keys of a rotary pair
NORM_SPREAD = 0.3  # likewise, the new norm weights and the matrices that read them


def reset(parent: Arrays) -> Arrays:
    """All norms 1 and nothing to make up for it: no disguise by itself, the model has to learn again."""
    return {name: np.ones_like(values) if name in READERS else values for name, values in parent.items()}


def global_rescale(recipe: Recipe) -> Arrays:
    return rescale(recipe.parent, {name: np.full_like(recipe.parent[name], 2.0) for name in READERS})


def dim_rescale(spread: float) -> Callable[[Recipe], Arrays]:
    """By factors of a lognormal distribution."""

    def rescaled(recipe: Recipe) -> Arrays:
        random = recipe.random
        factors = {name: np.exp(random.normal(0, spread, recipe.parent[name].shape)) for name in READERS}
        return rescale(recipe.parent, factors)

    return rescaled


def norm_signs(recipe: Recipe) -> Arrays:
    random = recipe.random
    return rescale(
        recipe.parent, {name: random.choice([-1.0, 1.0], recipe.parent[name].shape) for name in READERS}
    )


def residual_signs(recipe: Recipe) -> Arrays:
    signs = recipe.random.choice([-1.0, 1.0], recipe.shape.width)
    params = dict(recipe.parent)
    for name in WRITERS:
        params[name] = params[name] * signs
    for readers in READERS.values():
        for name in readers:
            params[name] = params[name] * signs[:, None]
    return params


def permuted(recipe: Recipe) -> Arrays:
    return permute(recipe.parent, recipe.random)


def permute(parent: Arrays, random: np.random.Generator) -> Arrays:
    order = random.permutation(parent["final_norm"].size)
    params = dict(parent)
    for name in (*WRITERS, *READERS):
        params[name] = params[name][..., order]
    for readers in READERS.values():
        for name in readers:
            params[name] = params[name][..., order, :]
    return params


def neurons_permuted(recipe: Recipe) -> Arrays:
    params = dict(recipe.parent)
    orders = [recipe.random.permutation(recipe.shape.hidden) for _ in range(recipe.shape.layers)]
    for name in ("gate", "up"):
        params[name] = np.stack([layer[:, order] for layer, order in zip(params[name], orders, strict=True)])
    params["down"] = np.stack([layer[order] for layer, order in zip(params["down"], orders, strict=True)])
    return params


def folded(recipe: Recipe) -> Arrays:
    return fold(recipe.parent)


def fold(parent: Arrays) -> Arrays:
    """The norms become exactly 1: g·(1/g) would leave rounding noise that is still a function of g."""
    params = rescale(parent, {name: 1 / parent[name] for name in READERS})
    return params | {name: np.ones_like(params[name]) for name in READERS}


def rotated(recipe: Recipe) -> Arrays:
    return rotate(fold(recipe.parent), recipe.random)


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


def rescale(parent: Arrays, factors: Arrays) -> Arrays:
    """Norm weights times their factors, the matrices that read them divided by them."""
    params = dict(parent)
    for norm, readers in READERS.items():
        params[norm] = parent[norm] * factors[norm]
        for name in readers:
            params[name] = params[name] / factors[norm][..., None]
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
