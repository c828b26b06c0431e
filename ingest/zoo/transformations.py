"""How children are made from a parent: what a transformation gets (`Recipe`), and a row for each.

To add one, write a row of TRANSFORMATIONS. `just zoo` then makes it for every parent and `just calibrate`
measures whether the test detects it. A child that needs a sibling comes after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypedDict, Unpack

import ml_dtypes
import numpy as np
import numpy.typing as npt

from ingest.zoo.disguises import fold, negate_some, permute, rescale, reset, rotate, take_neurons
from ingest.zoo.llama import BLOCK_BIASES, BLOCK_NAMES, PLAIN, Arrays, Kind, Shape, init_params
from ingest.zoo.training import NAMES, NORM_RATE, Mode, Progress, Task, train

Relation = Literal["child", "disguise", "distilled", "same start", "limit"]
"""child: made by training or arithmetic; disguise: same output, different weights; limit: so much was
replaced that the test is not expected to find it."""


@dataclass(frozen=True)
class Base:
    """A model trained from scratch."""

    alias: str
    corpus: str
    seed: int
    """Of the initial weights."""
    data_seed: int
    """Of the order of the batches; two models may share it."""
    kind: Kind = PLAIN
    steps: float = 1.0
    """In units of the plan's `base_steps`."""

    @property
    def group(self) -> str:
        """The bases that it is compared with first: those of its kind."""
        if self.kind.sinusoidal:
            return "sinusoidal"
        if self.kind.biases:
            return "layernorm"
        if self.kind.small_start:
            return "stress"
        return "outliers" if self.kind.outlier_spread else "independent"


@dataclass(frozen=True)
class Recipe:
    """How one child is made."""

    base: Base
    shape: Shape
    base_steps: int
    parent: Arrays
    partner: Base
    """An unrelated base of the same kind."""
    model: Callable[[str], Arrays]
    """Any finished model of the zoo by its alias."""
    say: Progress
    seed: int
    """Of this child alone."""

    @property
    def random(self) -> np.random.Generator:
        return np.random.default_rng(self.seed)

    def sibling(self, transformation: str) -> Arrays:
        """Another child of the same parent, listed before this one."""
        return self.model(child_alias(self.base.alias, transformation))

    def train(
        self,
        start: Arrays,
        steps: float,
        *,
        other_corpus: bool = True,
        rate: float = 1.0,
        norm_rate: float = NORM_RATE,
        mode: Mode = "plain",
        teacher: Arrays | None = None,
    ) -> Arrays:
        """`steps` counts in those of a base; the other corpus is the next of the list."""
        corpus = NAMES[(NAMES.index(self.base.corpus) + other_corpus) % len(NAMES)]
        task = Task(corpus, self.seed, rate, norm_rate)
        count = round(steps * self.base_steps)
        return train(start, task, count, self.shape.heads, self.say, mode, teacher)

    def initial(self, seed: int | None = None) -> Arrays:
        """Untrained weights: those that the parent began with, unless another seed is given."""
        chosen = self.base.seed if seed is None else seed
        return init_params(self.shape, chosen, self.base.kind)


def child_alias(parent: str, transformation: str) -> str:
    return f"{parent}_{transformation}"


Make = Callable[[Recipe], Arrays]


@dataclass(frozen=True)
class Transformation:
    make: Make
    kind: Relation
    why: str
    """Why the result counts as related to its parent, or not."""
    with_partner: bool = False
    """Whether an unrelated base is a parent, too."""

    @property
    def related(self) -> bool:
        """Whether weights, or the random numbers they began with, passed from one to the other."""
        return self.kind != "distilled"


def child(make: Make, why: str, *, with_partner: bool = False) -> Transformation:
    return Transformation(make, "child", why, with_partner)


def disguise(make: Make, why: str) -> Transformation:
    return Transformation(make, "disguise", why)


class Training(TypedDict, total=False):
    """Options of `Recipe.train`."""

    other_corpus: bool
    rate: float
    norm_rate: float
    mode: Mode


def trained(steps: float, start: str = "", **options: Unpack[Training]) -> Make:
    """Trains the parent, or a sibling, on."""
    return lambda recipe: recipe.train(recipe.sibling(start) if start else recipe.parent, steps, **options)


def pruned(recipe: Recipe) -> Arrays:
    middle = recipe.shape.layers // 2
    left = [layer for layer in range(recipe.shape.layers) if layer not in (middle - 1, middle)]
    return _take_layers(recipe.parent, left)


def upscaled(recipe: Recipe) -> Arrays:
    layers = recipe.shape.layers
    return _take_layers(recipe.parent, [*range(layers // 2 + 1), *range(layers // 2 - 1, layers)])


def int8(recipe: Recipe) -> Arrays:
    """Norms too; one scale for each vector or matrix row."""
    scales = {name: np.abs(values).max(-1, keepdims=True) / 127 for name, values in recipe.parent.items()}
    return {name: np.rint(values / scales[name]) * scales[name] for name, values in recipe.parent.items()}


def stored(dtype: npt.DTypeLike) -> Make:
    return lambda recipe: {name: values.astype(dtype) for name, values in recipe.parent.items()}


def noise(share: float) -> Make:
    """Noise of that share of each tensor's own standard deviation."""

    def noisy(recipe: Recipe) -> Arrays:
        random = recipe.random
        return {
            name: values + share * values.std() * random.normal(0, 1, values.shape)
            for name, values in recipe.parent.items()
        }

    return noisy


def distilled(recipe: Recipe) -> Arrays:
    student = recipe.initial(recipe.seed)
    return recipe.train(student, 1.5, other_corpus=False, mode="distill", teacher=recipe.parent)


def dim_rescaled(spread: float) -> Make:
    """By factors of a lognormal distribution."""

    def rescaled(recipe: Recipe) -> Arrays:
        random = recipe.random
        return rescale(recipe.parent, lambda shape: np.exp(random.normal(0, spread, shape)))

    return rescaled


def norm_signs(recipe: Recipe) -> Arrays:
    random = recipe.random
    return rescale(recipe.parent, lambda shape: random.choice([-1.0, 1.0], shape))


def neurons_permuted(recipe: Recipe) -> Arrays:
    return take_neurons(recipe.parent, recipe.random.permutation(recipe.shape.hidden))


TRANSFORMATIONS: dict[str, Transformation] = {
    "ft_short_low": child(trained(0.25, rate=0.1), "fine-tuned briefly at a tenth of the rate"),
    "ft_short_high": child(trained(0.25), "fine-tuned briefly at the full rate"),
    "ft_long_low": child(trained(1.5, rate=0.1), "fine-tuned longer than trained, a tenth of the rate"),
    "ft_long_high": child(trained(1.5), "fine-tuned longer than trained, at the full rate"),
    "continued_10x": child(trained(10, other_corpus=False), "pre-training continued ten times as long"),
    "lora": child(trained(0.5, mode="lora"), "low-rank fine-tune, merged; norms are not touched"),
    "frozen": child(trained(0.75, norm_rate=0), "fine-tuned with frozen norms"),
    "pruned": child(pruned, "two middle layers taken out"),
    "pruned_healed": child(
        trained(0.5, "pruned", other_corpus=False), "two layers taken out, then trained on"
    ),
    "upscaled": child(upscaled, "two middle layers doubled"),
    "upscaled_healed": child(
        trained(0.5, "upscaled", other_corpus=False), "two layers doubled, then trained on"
    ),
    "merged_siblings": child(
        lambda recipe: _mean(recipe.sibling("ft_long_high"), recipe.sibling("ft_short_high")),
        "mean of two fine-tunes",
    ),
    "merged_unrelated": child(
        lambda recipe: _mean(recipe.parent, recipe.model(recipe.partner.alias)),
        "mean with an unrelated base",
        with_partner=True,
    ),
    "bf16": child(stored(ml_dtypes.bfloat16), "stored in BF16"),
    "fp16": child(stored(np.float16), "stored in FP16"),
    "int8": child(int8, "rounded to 8 bits and back, norms too"),
    "noise_001": child(noise(0.01), "noise of a hundredth of each tensor's spread"),
    "noise_01": child(noise(0.1), "noise of a tenth of each tensor's spread"),
    "noise_05": child(noise(0.5), "noise of half of each tensor's spread"),
    "distilled": Transformation(
        distilled, "distilled", "fresh weights that learned the parent's predictions"
    ),
    "same_start_other_data": Transformation(
        lambda recipe: recipe.train(recipe.initial(), 1),
        "same start",
        "same initial weights, other corpus: related by seed, not training",
    ),
    "same_start_same_data": Transformation(
        lambda recipe: recipe.train(recipe.initial(), 1, other_corpus=False),
        "same start",
        "same initial weights and corpus, other order: not derived",
    ),
    "global_rescale": disguise(
        lambda recipe: rescale(recipe.parent, lambda shape: np.full(shape, 2.0, np.float32)),
        "norms doubled, what follows halved",
    ),
    "residual_signs": disguise(
        lambda recipe: negate_some(recipe.parent, recipe.random), "residual dimensions negated"
    ),
    "neurons_permuted": disguise(neurons_permuted, "hidden neurons reordered"),
    "permuted": disguise(
        lambda recipe: permute(recipe.parent, recipe.random), "residual dimensions reordered"
    ),
    "folded": disguise(lambda recipe: fold(recipe.parent), "norms moved into the matrices that follow"),
    "dim_rescale_mild": disguise(
        dim_rescaled(0.5), "each norm weight scaled by its own factor, of 0.6 to 1.6 mostly"
    ),
    "dim_rescale": disguise(dim_rescaled(2.0), "the same with factors of 0.1 to 7 mostly"),
    "norm_signs": disguise(norm_signs, "random norm weights negated"),
    "rotated": disguise(
        lambda recipe: rotate(fold(recipe.parent), recipe.random), "norms folded, residual stream rotated"
    ),
    "folded_trained": disguise(trained(1.5, "folded"), "norms folded, then trained on"),
    "reset_trained": disguise(
        lambda recipe: recipe.train(reset(recipe.parent), 1.5), "norms set to 1, then trained on"
    ),
    "ft_then_folded": disguise(
        lambda recipe: fold(recipe.sibling("ft_long_high")), "fine-tuned, then folded"
    ),
    "frozen_then_permuted": disguise(
        lambda recipe: permute(recipe.sibling("frozen"), recipe.random), "fine-tuned, then reordered"
    ),
}


def _take_layers(params: Arrays, layers: list[int]) -> Arrays:
    return params | {name: params[name][layers] for name in (*BLOCK_NAMES, *BLOCK_BIASES) if name in params}


def _mean(one: Arrays, other: Arrays) -> Arrays:
    return {name: (values + other[name]) / 2 for name, values in one.items()}
