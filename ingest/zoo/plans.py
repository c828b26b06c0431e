"""Which models a zoo has: the full one for the norms, the one for the slices, and tiny ones for the tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.zoo.llama import PLAIN, Kind, Shape
from ingest.zoo.more_transformations import ALL, ATTACKED, UNDISGUISED
from ingest.zoo.transformations import TRANSFORMATIONS, Base


@dataclass(frozen=True)
class Plan:
    name: str
    shape: Shape
    base_steps: int
    bases: tuple[Base, ...]
    parents: tuple[str, ...]
    transformations: tuple[str, ...]
    costly: tuple[str, ...] = ()
    """Transformations made for the first two parents only."""
    everywhere: tuple[str, ...] = ()
    """Transformations made for every base: they need no training."""
    seed: int = 0
    """Added to every seed: the same zoo from other random numbers."""
    with_slices: bool = False
    """Whether slices are ingested besides the norms."""

    def parents_for(self, transformation: str) -> list[Base]:
        """The bases that it is made from."""
        if transformation in self.everywhere:
            return list(self.bases)
        parents = [base for base in self.bases if base.alias in self.parents]
        if ALL[transformation].kind == "disguise":
            # Disguises support neither biases nor tables of positions.
            parents = [base for base in parents if not (base.kind.biases or base.kind.sinusoidal)]
        return parents[:2] if transformation in self.costly else parents

    def partner(self, base: Base) -> Base:
        """The next base of its kind."""
        alike = [other for other in self.bases if other.kind == base.kind]
        return alike[(alike.index(base) + 1) % len(alike)]


OUTLIERS = Kind(
    outlier_spread=0.5
)  # of a lognormal: the largest of 96 dimensions is some 3.5 times the median
LAYERNORM = Kind(biases=True)
SINUSOIDAL = Kind(biases=True, sinusoidal=True)
STRESS = Kind(small_start=True)
OUTLIER_SEEDS, LAYERNORM_SEEDS, SINUSOIDAL_SEEDS = 1000, 2000, 3000
# Other random numbers than the full zoo, also where the plans are alike.
DISGUISES_SEEDS, STRESS_SEEDS = 5000, 2000
ANCHORED_VOCABULARY = 128  # as many anchors as two models must share
SAME_ORDER_SEED = 500


def _bases(prefix: str, corpora: Sequence[str], first_seed: int, kind: Kind = PLAIN) -> list[Base]:
    return [
        Base(f"{prefix}{n:02}", corpus, first_seed + n, first_seed + n, kind)
        for n, corpus in enumerate(corpora)
    ]


def full_plan(seed: int = 0) -> Plan:
    """Twenty bases on four corpora, twelve with outlier dimensions, 24 each with LayerNorm and sinusoids."""
    corpora = ["markov_a"] * 8 + ["markov_b"] * 4 + ["brackets"] * 4 + ["arithmetic"] * 4
    plain = _bases("b", corpora, seed + 1)
    # Four see the same batches in the same order: shared data must not look like shared weights.
    same_order = [
        Base(base.alias, base.corpus, base.seed, seed + SAME_ORDER_SEED)
        if base.alias in ("b04", "b05", "b06", "b07")
        else base
        for base in plain
    ]
    outliers = _bases("o", ["brackets"] * 6 + ["markov_a"] * 6, seed + OUTLIER_SEEDS, OUTLIERS)
    mixed = (["markov_a"] * 4 + ["markov_b"] * 4 + ["brackets"] * 4) * 2
    layernorm = _bases("l", mixed, seed + LAYERNORM_SEEDS, LAYERNORM)
    sinusoidal = _bases("s", mixed, seed + SINUSOIDAL_SEEDS, SINUSOIDAL)
    return Plan(
        name="full",
        shape=Shape(width=96, layers=6),
        base_steps=200,
        bases=(*same_order, *outliers, *layernorm, *sinusoidal),
        parents=("b00", "b08", "b16", "o00", "l00", "l04", "s00", "s04"),
        transformations=tuple(TRANSFORMATIONS),
        costly=("continued_10x",),
        # Where layers resemble each other a merge is the weakest child: measuring how weak takes many.
        everywhere=("merged_unrelated",),
        seed=seed,
    )


def tiny_plan(seed: int = 0) -> Plan:
    """Eight bases and children of one; nothing that needs a compilation of its own."""
    needs_compiling = {"lora", "distilled", "pruned_healed", "upscaled_healed", "continued_10x"}
    return Plan(
        name="tiny",
        shape=Shape(width=64, layers=4),
        base_steps=100,
        bases=(
            *_bases("b", ["markov_a", "markov_a", "markov_b", "brackets", "arithmetic"], seed + 1),
            *_bases("o", ["markov_a"] * 3, seed + OUTLIER_SEEDS, OUTLIERS),
        ),
        parents=("b00",),
        transformations=tuple(name for name in TRANSFORMATIONS if name not in needs_compiling),
        seed=seed,
    )


def disguises_plan(seed: int = 0) -> Plan:
    """For the test on slices: 22 bases, 10 more whose weights are learned, children as they are and attacked.

    Their vocabulary is one of anchor strings, and large enough for that test.
    """
    first = seed + DISGUISES_SEEDS
    corpora = ["markov_a"] * 4 + ["markov_b"] * 4 + ["brackets"] * 4 + ["arithmetic"] * 4
    stress = _bases("t", ["markov_a"] * 6 + ["brackets"] * 4, first + STRESS_SEEDS, STRESS)
    return Plan(
        name="disguises",
        shape=Shape(width=96, layers=6, vocabulary=ANCHORED_VOCABULARY),
        base_steps=200,
        bases=(
            *_bases("b", corpora, first + 1),
            *_bases("o", ["brackets"] * 3 + ["markov_a"] * 3, first + OUTLIER_SEEDS, OUTLIERS),
            # half of them are trained five times as long as usual, half one and a half times
            *(replace(base, steps=5.0 if n % 2 else 1.5) for n, base in enumerate(stress)),
        ),
        parents=("b00", "o00", "t01"),
        transformations=_with_attacks([name for name in UNDISGUISED if name != "continued_10x"]),
        seed=seed,
        with_slices=True,
    )


def disguises_tiny_plan(seed: int = 0) -> Plan:
    """A few of them, for the tests: nothing that needs a compilation of its own."""
    first = seed + DISGUISES_SEEDS
    return Plan(
        name="disguises_tiny",
        shape=Shape(width=64, layers=4, vocabulary=ANCHORED_VOCABULARY),
        base_steps=60,
        bases=(
            *_bases("b", ["markov_a", "markov_a"], first + 1),
            *_bases("t", ["markov_a", "markov_a"], first + STRESS_SEEDS, STRESS),
        ),
        parents=("b00",),
        transformations=_with_attacks(["ft_short_high", "half_neurons"]),
        seed=seed,
        with_slices=True,
    )


def _with_attacks(names: Sequence[str]) -> tuple[str, ...]:
    """Each as it is and, if it is related to its parent, under the full attack."""
    attacked = [f"{name}{ATTACKED}" for name in names if UNDISGUISED[name].related]
    return (*names, *attacked)


PLANS = {
    "full": full_plan,
    "tiny": tiny_plan,
    "disguises": disguises_plan,
    "disguises_tiny": disguises_tiny_plan,
}
