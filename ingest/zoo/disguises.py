"""Changes of a model's weights that leave what it computes exactly as it was, up to rounding.

The residual stream of a decoder with RMSNorm has symmetries: its dimensions may be reordered or negated, a
norm's weight may move into the matrices that read it, and once all norms are 1 the stream may be rotated.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ingest.zoo.llama import Arrays
from ingest.zoo.making import Making

# what reads the residual stream behind a norm (its rows are residual dimensions), and what writes into it
READERS = {"input_norm": ("q", "k", "v"), "post_norm": ("gate", "up"), "final_norm": ("head",)}
WRITERS = ("embedding", "o", "down")


def reset(parent: Arrays) -> Arrays:
    """All norms 1 and nothing to make up for it: no disguise by itself, the model has to learn again."""
    return {name: np.ones_like(values) if name in READERS else values for name, values in parent.items()}


def global_rescale(m: Making) -> Arrays:
    return rescale(m.parent, {name: np.full_like(m.parent[name], 2.0) for name in READERS})


def dim_rescale(spread: float) -> Callable[[Making], Arrays]:
    """By factors of a lognormal distribution."""

    def rescaled(m: Making) -> Arrays:
        random = m.random
        factors = {name: np.exp(random.normal(0, spread, m.parent[name].shape)) for name in READERS}
        return rescale(m.parent, factors)

    return rescaled


def norm_signs(m: Making) -> Arrays:
    random = m.random
    return rescale(m.parent, {name: random.choice([-1.0, 1.0], m.parent[name].shape) for name in READERS})


def residual_signs(m: Making) -> Arrays:
    signs = m.random.choice([-1.0, 1.0], m.shape.width)
    params = dict(m.parent)
    for name in WRITERS:
        params[name] = params[name] * signs
    for readers in READERS.values():
        for name in readers:
            params[name] = params[name] * signs[:, None]
    return params


def permuted(m: Making) -> Arrays:
    return permute(m.parent, m.random)


def permute(parent: Arrays, random: np.random.Generator) -> Arrays:
    order = random.permutation(parent["final_norm"].size)
    params = dict(parent)
    for name in (*WRITERS, *READERS):
        params[name] = params[name][..., order]
    for readers in READERS.values():
        for name in readers:
            params[name] = params[name][..., order, :]
    return params


def neurons_permuted(m: Making) -> Arrays:
    params = dict(m.parent)
    orders = [m.random.permutation(m.shape.hidden) for _ in range(m.shape.layers)]
    for name in ("gate", "up"):
        params[name] = np.stack([layer[:, order] for layer, order in zip(params[name], orders, strict=True)])
    params["down"] = np.stack([layer[order] for layer, order in zip(params["down"], orders, strict=True)])
    return params


def folded(m: Making) -> Arrays:
    return fold(m.parent)


def fold(parent: Arrays) -> Arrays:
    """The norms become exactly 1: g·(1/g) would leave rounding noise that is still a function of g."""
    params = rescale(parent, {name: 1 / parent[name] for name in READERS})
    return params | {name: np.ones_like(params[name]) for name in READERS}


def rotated(m: Making) -> Arrays:
    return rotate(fold(m.parent), m.random)


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
