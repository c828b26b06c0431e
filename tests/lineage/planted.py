"""Lakes with planted ancestry, small enough to know every answer."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.sql.lakes import FINAL, INPUT, POST, Values, Vectors

WIDTH, LAYERS = 64, 4


def model(
    seed: int, layers: int = LAYERS, width: int = WIDTH, shared: float = 0.0
) -> dict[tuple[int, str], Values]:
    """Norms around 1; `shared` is the part of the variance that all norms of the model have in common."""
    random = np.random.default_rng(seed)
    own = random.normal(0, 1, width)
    keys = [(layer, kind) for layer in range(layers) for kind in (INPUT, POST)] + [(-1, FINAL)]
    return {
        key: (1 + 0.1 * (np.sqrt(shared) * own + np.sqrt(1 - shared) * random.normal(0, 1, width))).astype(
            np.float32
        )
        for key in keys
    }


def noisy(parent: Vectors, seed: int, share: float) -> dict[tuple[int, str], Values]:
    random = np.random.default_rng(seed)
    return {
        key: (values + share * values.std() * random.normal(0, 1, len(values))).astype(np.float32)
        for key, values in parent.items()
    }


def take_layers(parent: Vectors, layers: list[int]) -> dict[tuple[int, str], Values]:
    taken = {(n, kind): parent[layer, kind] for n, layer in enumerate(layers) for kind in (INPUT, POST)}
    return {**taken, (-1, FINAL): parent[-1, FINAL]}


@cache
def planted_models() -> dict[str, Vectors]:
    base = model(1)
    half_constant = dict(noisy(base, 7, 0.1))
    half_constant[0, INPUT] = np.ones(WIDTH, np.float32)
    half_constant[1, INPUT] = np.float32(1) + np.float32(1e-7) * np.arange(WIDTH, dtype=np.float32)
    half_constant[2, INPUT] = half_constant[2, INPUT].copy()
    half_constant[2, INPUT][3] = np.nan
    half_constant[3, INPUT] = half_constant[3, INPUT].copy()
    half_constant[3, INPUT][5] = np.inf
    same_extras = {(n, kind): base[n, INPUT] for n in range(LAYERS) for kind in ("q_norm", "k_norm")}
    return {
        "base": base,
        "child": noisy(base, 2, 0.5),
        "stranger": model(3),
        "layers_alike": model(4, shared=0.9),
        "also_alike": model(5, shared=0.9),
        "folded": {key: np.ones(WIDTH, np.float32) for key in base},
        "half_constant": half_constant,
        "wide": model(6, width=96),
        "pruned": take_layers(base, [0, 3]),
        "shifted": take_layers(base, [1, 2, 3]),
        "short_stranger": model(8, layers=2),
        "one_norm": {(-1, FINAL): base[-1, FINAL]},
        # q/k norms copied from the base into a stranger
        "extras": {**model(9), **same_extras},
        "base_with_extras": {**base, **same_extras},
        # weights of their own, biases in common
        "biased": {**model(10), **biases(11)},
        "biased_sibling": {**model(12), **noisy(biases(11), 13, 0.7)},
        "biased_stranger": {**model(14), **biases(15)},
        # dimensions that have a place: what two strangers share is a function of it
        "placed": placed(16),
        "placed_child": noisy(placed(16), 17, 0.3),
        "placed_stranger": placed(18),
        # an embedding norm of another width, as ELECTRA has
        "narrow_embedding": {**model(19), (-1, EMBEDDING): model(20, width=32)[-1, FINAL]},
        "narrow_embedding_child": {
            **noisy(model(19), 21, 0.3),
            (-1, EMBEDDING): model(20, width=32)[-1, FINAL],
        },
        # two stacks: the encoder of one is the decoder of the other
        "two_stacks": stacks(22, 23),
        "two_stacks_child": {key: noisy({key: x}, 24, 0.3)[key] for key, x in stacks(22, 23).items()},
        "stacks_exchanged": stacks(23, 22),
        # as after folding and training on: the opposite pattern
        "opposed": {key: (2 - values).astype(np.float32) for key, values in model(25).items()},
        "to_oppose": model(25),
    }


EMBEDDING = "embedding_norm"


def biases(seed: int) -> dict[tuple[int, str], Values]:
    return {(layer, f"{kind}_bias"): values - 1 for (layer, kind), values in model(seed).items()}


def placed(seed: int) -> dict[tuple[int, str], Values]:
    """Norms that follow the frequency of their dimension, alike in both halves, besides their own noise."""
    frequency = np.tile(np.linspace(-1, 1, WIDTH // 2), 2)
    return {
        key: (values + 0.15 * np.cos(3 * frequency)).astype(np.float32) for key, values in model(seed).items()
    }


def stacks(encoder: int, decoder: int) -> dict[tuple[int, str], Values]:
    named = (("encoder", encoder), ("decoder", decoder))
    return {
        (layer, f"{stack}_{kind}"): v for stack, seed in named for (layer, kind), v in model(seed).items()
    }
