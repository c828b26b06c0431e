"""What a transformation gets to make a child: the parent, other models of the zoo, and training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ingest.zoo.llama import PLAIN, Arrays, Kind, Shape, init_params
from ingest.zoo.training import NAMES, NORM_RATE, Mode, Progress, Task, train


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
