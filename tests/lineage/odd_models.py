"""Models without relation whose dimensions cannot be exchanged: what innocent oddities do to their norms.

Each recipe makes one model from a random generator; two models of a recipe have only its geometry in common.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from tests.sql.lakes import FINAL, INPUT, POST, Vectors, bf16

Stack = npt.NDArray[np.float64]
Recipe = Callable[[np.random.Generator], Stack]

LAYERS = 6
NORMS = 2 * LAYERS + 1
WIDTH = 96
# Of the geometry that models of one recipe share.
FIXED = np.random.default_rng(20)


def learned(random: np.random.Generator, width: int = WIDTH, shared: float = 0.5) -> Stack:
    """Norms around 1, one row each; `shared` is the part of the variance that all of them have in common."""
    own = random.normal(0, 1, width)
    return np.asarray(
        1 + 0.05 * (np.sqrt(shared) * own + np.sqrt(1 - shared) * random.normal(0, 1, (NORMS, width)))
    )


def interleaved(random: np.random.Generator) -> Stack:
    """Sine and cosine of a frequency in neighbouring dimensions, as in OpenNMT-py's table of positions."""
    frequency = np.linspace(0, 1, WIDTH // 2)
    code = np.empty(WIDTH)
    code[0::2], code[1::2] = np.cos(3 * frequency), -np.cos(4 * frequency)
    return learned(random) + 0.04 * code


def every_fourth(random: np.random.Generator) -> Stack:
    """A fixed code in every fourth dimension."""
    return learned(random) - 0.15 * np.equal(np.arange(WIDTH) % 4, 0)


def cloned(random: np.random.Generator) -> Stack:
    """Twice as wide by copying (Net2Net), then trained a little."""
    copies: Stack = np.tile(learned(random, WIDTH // 2), (1, 2))
    copies += random.normal(0, 0.01, (NORMS, WIDTH))
    return copies


def copied(random: np.random.Generator) -> Stack:
    return np.repeat(learned(random, WIDTH // 2), 2, axis=1)


SCATTERED = FIXED.choice(WIDTH, 14, replace=False)


def padded(random: np.random.Generator) -> Stack:
    """Channels that are 0 in every norm, at the same places in every model of the recipe."""
    norms = learned(random)
    norms[:, SCATTERED] = 0
    return norms


def sharded(random: np.random.Generator) -> Stack:
    """Padding of 4 zeros at the end of each of 4 shards, which also looks like a smooth order."""
    norms = learned(random)
    norms.reshape(NORMS, 4, WIDTH // 4)[:, :, -4:] = 0
    return norms


def tied(random: np.random.Generator) -> Stack:
    """Exactly 1 in all but a few dimensions of the model's own: norms that were hardly trained, in BF16."""
    norms = np.ones((NORMS, 128))
    norms[:, random.choice(128, 2, replace=False)] += random.uniform(0.2, 0.8, (NORMS, 2))
    return norms


def nearly_tied(random: np.random.Generator) -> Stack:
    """A small spread, rounded to BF16, and a few outliers."""
    norms = 1 + random.normal(0, 0.0008, (NORMS, 512))
    norms[:, random.choice(512, 4, replace=False)] += random.uniform(0.2, 0.8, (NORMS, 4))
    return norms


def layernorm(random: np.random.Generator) -> Stack:
    """LayerNorm under interleaved positions: the code is in the biases, the second half of the rows."""
    return np.concatenate([learned(random), interleaved(random) - 1])


def sorted_dims(random: np.random.Generator) -> Stack:
    """Dimensions in the order of their importance, as pruning tools leave them."""
    norms = learned(random)
    return norms[:, np.argsort(-norms.mean(0))]


def mup(random: np.random.Generator) -> Stack:
    """Maximal update parametrization: norms learn as fast as in a narrow model, so they vary widely."""
    return np.asarray(1 + 8 * (learned(random, 256) - 1))


def weight_decay(random: np.random.Generator) -> Stack:
    """Norms that decay to 0 unless they are needed: few large ones, the rest small."""
    needed = random.random(256) < 0.05
    return np.asarray(0.02 * np.abs(learned(random, 256) - 1) + needed * random.uniform(0.3, 1, 256))


def tiny_steps(random: np.random.Generator) -> Stack:
    """The first eight steps of one size from 1, with signs that a model's layers mostly share."""
    signs = np.sign(random.normal(0, 1, (8, 1, 256)) + random.normal(0, 0.5, (8, NORMS, 256)))
    return np.asarray(1 + 0.001 * signs.sum(0))


def four_bits(random: np.random.Generator) -> Stack:
    """Norms of quantisation-aware training: 16 levels for each norm."""
    norms = learned(random, 256)
    low, high = norms.min(1, keepdims=True), norms.max(1, keepdims=True)
    return np.asarray(low + (high - low) * np.round((norms - low) / (high - low) * 15) / 15)


def powers_of_two(random: np.random.Generator) -> Stack:
    return np.asarray(2 ** np.round(np.log2(np.abs(mup(random)) + 0.01)))


def wide_1024(random: np.random.Generator) -> Stack:
    return learned(random, 1024)


def wide_4096(random: np.random.Generator) -> Stack:
    return learned(random, 4096)


def tied_4096(random: np.random.Generator) -> Stack:
    """As `tied`, at the width of large models."""
    norms = np.ones((NORMS, 4096))
    norms[:, random.choice(4096, 4, replace=False)] += random.uniform(0.2, 0.8, (NORMS, 4))
    return norms


STREAM = FIXED.normal(0, 1, 1_000_000)
START = STREAM[: NORMS * 256].reshape(NORMS, 256)


def one_start(random: np.random.Generator) -> Stack:
    """Norms that all began from the same random numbers, and learned more than they kept."""
    return np.asarray(1 + 0.02 * START) + 0.08 * random.normal(0, 1, (NORMS, 256))


def one_seed_other_order(random: np.random.Generator) -> Stack:
    """The same random numbers drawn by programs that first fill other tensors: no two norms begin alike."""
    first = int(random.integers(STREAM.size - START.size))
    drawn = STREAM[first : first + START.size].reshape(START.shape)
    return np.asarray(1 + 0.02 * drawn + 0.01 * random.normal(0, 1, START.shape))


def fine_tuned(parent: Vectors, seed: int) -> Vectors:
    """A child; channels that are 0 stay so, because nothing is learned through them."""
    random = np.random.default_rng(seed)
    return {
        key: bf16(values + (values != 0) * random.normal(0, 0.01, len(values)))
        for key, values in parent.items()
    }


RECIPES: Mapping[str, Recipe] = {
    recipe.__name__: recipe
    for recipe in (interleaved, every_fourth, cloned, copied, padded, sharded, tied, nearly_tied)
}
# Which `just bench lineage` asks as well.
FURTHER: Mapping[str, Recipe] = {
    recipe.__name__: recipe
    for recipe in (
        *(layernorm, sorted_dims, mup, weight_decay, tiny_steps, four_bits, powers_of_two),
        *(wide_1024, wide_4096, tied_4096, one_seed_other_order, one_start),
    )
}


def as_model(norms: Stack) -> Vectors:
    """Of one row per norm: weights, and biases after them if there are any."""
    keys = [(layer, kind) for layer in range(LAYERS) for kind in (INPUT, POST)] + [(-1, FINAL)]
    keys += [(layer, f"{kind}_bias") for layer, kind in keys]
    return dict(zip(keys, bf16(norms), strict=len(norms) == len(keys)))


def odd_models(recipe: str, count: int, seed: int) -> dict[str, Vectors]:
    return {
        f"{recipe}_{number}": as_model(
            {**RECIPES, **FURTHER}[recipe](np.random.default_rng([seed, number, *recipe.encode()]))
        )
        for number in range(count)
    }
