"""How children are made from a parent: one function each, one row each in TRANSFORMATIONS.

To add one, write a function from `Recipe` to parameters, and a row. `just zoo` then makes it for every parent
and `just calibrate` measures whether the test detects it. A child that needs a sibling comes after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import ml_dtypes
import numpy as np

from ingest.zoo import disguises
from ingest.zoo.llama import BLOCK_BIASES, BLOCK_NAMES, Arrays
from ingest.zoo.recipe import Recipe

Kind = Literal["child", "disguise", "distilled", "same start", "limit"]
"""child: made by training or arithmetic; disguise: same output, different weights; limit: so much was
replaced that the test is not expected to find it."""


@dataclass(frozen=True)
class Transformation:
    make: Callable[[Recipe], Arrays]
    kind: Kind
    why: str
    """Why the result counts as related to its parent, or not."""
    with_partner: bool = False
    """Whether an unrelated base is a parent, too."""

    @property
    def related(self) -> bool:
        """Whether weights, or the random numbers they began with, passed from one to the other."""
        return self.kind != "distilled"


def short_low(recipe: Recipe) -> Arrays:
    return recipe.train(recipe.parent, 0.25, rate=0.1)


def short_high(recipe: Recipe) -> Arrays:
    return recipe.train(recipe.parent, 0.25)


def long_low(recipe: Recipe) -> Arrays:
    return recipe.train(recipe.parent, 1.5, rate=0.1)


def long_high(recipe: Recipe) -> Arrays:
    return recipe.train(recipe.parent, 1.5)


def continued(recipe: Recipe) -> Arrays:
    return recipe.train(recipe.parent, 10, other_corpus=False)


def lora(recipe: Recipe) -> Arrays:
    return recipe.train(recipe.parent, 0.5, mode="lora")


def frozen(recipe: Recipe) -> Arrays:
    return recipe.train(recipe.parent, 0.75, norm_rate=0)


def pruned(recipe: Recipe) -> Arrays:
    layers = recipe.shape.layers
    return _take_layers(
        recipe.parent, [layer for layer in range(layers) if layer not in (layers // 2 - 1, layers // 2)]
    )


def pruned_healed(recipe: Recipe) -> Arrays:
    return recipe.train(recipe.sibling("pruned"), 0.5, other_corpus=False)


def upscaled(recipe: Recipe) -> Arrays:
    layers = recipe.shape.layers
    return _take_layers(recipe.parent, [*range(layers // 2 + 1), *range(layers // 2 - 1, layers)])


def upscaled_healed(recipe: Recipe) -> Arrays:
    return recipe.train(recipe.sibling("upscaled"), 0.5, other_corpus=False)


def merged_siblings(recipe: Recipe) -> Arrays:
    return _mean(recipe.sibling("ft_long_high"), recipe.sibling("ft_short_high"))


def merged_unrelated(recipe: Recipe) -> Arrays:
    return _mean(recipe.parent, recipe.model(recipe.partner.alias))


def bf16(recipe: Recipe) -> Arrays:
    return {name: values.astype(ml_dtypes.bfloat16) for name, values in recipe.parent.items()}


def fp16(recipe: Recipe) -> Arrays:
    return {name: values.astype(np.float16) for name, values in recipe.parent.items()}


def int8(recipe: Recipe) -> Arrays:
    """Norms too; one scale a vector or matrix row."""
    scales = {name: np.abs(values).max(-1, keepdims=True) / 127 for name, values in recipe.parent.items()}
    return {name: np.rint(values / scales[name]) * scales[name] for name, values in recipe.parent.items()}


def noise(share: float) -> Callable[[Recipe], Arrays]:
    """Noise of that share of each tensor's own standard deviation."""

    def noisy(recipe: Recipe) -> Arrays:
        random = recipe.random
        return {
            name: values + share * values.std() * random.normal(0, 1, values.shape)
            for name, values in recipe.parent.items()
        }

    return noisy


def distilled(recipe: Recipe) -> Arrays:
    return recipe.train(
        recipe.initial(recipe.seed), 1.5, other_corpus=False, mode="distill", teacher=recipe.parent
    )


def same_start_other_data(recipe: Recipe) -> Arrays:
    return recipe.train(recipe.initial(), 1)


def same_start_same_data(recipe: Recipe) -> Arrays:
    return recipe.train(recipe.initial(), 1, other_corpus=False)


TRANSFORMATIONS: dict[str, Transformation] = {
    "ft_short_low": Transformation(short_low, "child", "fine-tuned briefly at a tenth of the rate"),
    "ft_short_high": Transformation(short_high, "child", "fine-tuned briefly at the full rate"),
    "ft_long_low": Transformation(long_low, "child", "fine-tuned longer than trained, a tenth of the rate"),
    "ft_long_high": Transformation(long_high, "child", "fine-tuned longer than trained, at the full rate"),
    "continued_10x": Transformation(continued, "child", "pre-training continued ten times as long"),
    "lora": Transformation(lora, "child", "low-rank fine-tune, merged; norms are not touched"),
    "frozen": Transformation(frozen, "child", "fine-tuned with frozen norms"),
    "pruned": Transformation(pruned, "child", "two middle layers taken out"),
    "pruned_healed": Transformation(pruned_healed, "child", "two layers taken out, then trained on"),
    "upscaled": Transformation(upscaled, "child", "two middle layers doubled"),
    "upscaled_healed": Transformation(upscaled_healed, "child", "two layers doubled, then trained on"),
    "merged_siblings": Transformation(merged_siblings, "child", "mean of two fine-tunes"),
    "merged_unrelated": Transformation(
        merged_unrelated, "child", "mean with an unrelated base", with_partner=True
    ),
    "bf16": Transformation(bf16, "child", "stored in BF16"),
    "fp16": Transformation(fp16, "child", "stored in FP16"),
    "int8": Transformation(int8, "child", "rounded to 8 bits and back, norms too"),
    "noise_001": Transformation(noise(0.01), "child", "noise of a hundredth of each tensor's spread"),
    "noise_01": Transformation(noise(0.1), "child", "noise of a tenth of each tensor's spread"),
    "noise_05": Transformation(noise(0.5), "child", "noise of half of each tensor's spread"),
    "distilled": Transformation(
        distilled, "distilled", "fresh weights that learned the parent's predictions"
    ),
    "same_start_other_data": Transformation(
        same_start_other_data,
        "same start",
        "same initial weights, other corpus: related by seed, not training",
    ),
    "same_start_same_data": Transformation(
        same_start_same_data, "same start", "same initial weights and corpus, other order: not derived"
    ),
    "global_rescale": Transformation(
        disguises.global_rescale, "disguise", "norms doubled, what follows halved"
    ),
    "residual_signs": Transformation(disguises.residual_signs, "disguise", "residual dimensions negated"),
    "neurons_permuted": Transformation(disguises.neurons_permuted, "disguise", "hidden neurons reordered"),
    "permuted": Transformation(disguises.permuted, "disguise", "residual dimensions reordered"),
    "folded": Transformation(disguises.folded, "disguise", "norms moved into the matrices that follow"),
    "dim_rescale_mild": Transformation(
        disguises.dim_rescale(0.5),
        "disguise",
        "each norm weight scaled by its own factor, of 0.6 to 1.6 mostly",
    ),
    "dim_rescale": Transformation(
        disguises.dim_rescale(2.0), "disguise", "the same with factors of 0.1 to 7 mostly"
    ),
    "norm_signs": Transformation(disguises.norm_signs, "disguise", "random norm weights negated"),
    "rotated": Transformation(disguises.rotated, "disguise", "norms folded, residual stream rotated"),
    "folded_trained": Transformation(
        lambda recipe: recipe.train(recipe.sibling("folded"), 1.5),
        "disguise",
        "norms folded, then trained on",
    ),
    "reset_trained": Transformation(
        lambda recipe: recipe.train(disguises.reset(recipe.parent), 1.5),
        "disguise",
        "norms set to 1, then trained on",
    ),
    "ft_then_folded": Transformation(
        lambda recipe: disguises.fold(recipe.sibling("ft_long_high")), "disguise", "fine-tuned, then folded"
    ),
    "frozen_then_permuted": Transformation(
        lambda recipe: disguises.permute(recipe.sibling("frozen"), recipe.random),
        "disguise",
        "fine-tuned, then reordered",
    ),
}


def _take_layers(params: Arrays, layers: list[int]) -> Arrays:
    return params | {name: params[name][layers] for name in (*BLOCK_NAMES, *BLOCK_BIASES) if name in params}


def _mean(one: Arrays, other: Arrays) -> Arrays:
    return {name: (values + other[name]) / 2 for name, values in one.items()}
