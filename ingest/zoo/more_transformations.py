"""More transformations, which norms alone may not reveal, and every transformation under the full attack.

The test on slices is calibrated with them (`just zoo --size disguises`); rows as in TRANSFORMATIONS.
"""

from __future__ import annotations

import numpy as np

from ingest.zoo.disguises import attack, take_dimensions, take_neurons
from ingest.zoo.llama import BLOCK_NAMES, Arrays
from ingest.zoo.transformations import (
    TRANSFORMATIONS,
    Make,
    Recipe,
    Transformation,
    child,
    disguise,
    trained,
)

NEW_TOKENS = 16
NARROWED = 0.75  # of the residual dimensions
ATTACKED = "_attacked"


def task_vectors(recipe: Recipe) -> Arrays:
    """The sum of what three siblings learned."""
    siblings = [recipe.sibling(name) for name in ("ft_long_high", "ft_short_high", "frozen")]
    return _added(recipe.parent, [(0.4, sibling) for sibling in siblings])


def more_tokens(recipe: Recipe) -> Arrays:
    """New rows of the embedding have the spread of the old ones; the corpus uses them."""
    old, head = recipe.parent["embedding"], recipe.parent["head"]
    random = recipe.random
    rows = random.normal(0, old.std(), (NEW_TOKENS, old.shape[1]))
    columns = random.normal(0, head.std(), (head.shape[0], NEW_TOKENS))
    grown = {"embedding": np.concatenate([old, rows]), "head": np.concatenate([head, columns], axis=1)}
    return recipe.train(recipe.parent | grown, 1.5)


def upcycled(recipe: Recipe) -> Arrays:
    """Each neuron twice, with some noise: a dense stand-in for experts that begin as copies of one MLP."""
    random = recipe.random
    params = dict(recipe.parent)
    for name, axis in (("gate", 2), ("up", 2), ("down", 1)):
        copies = [params[name] + 0.05 * params[name].std() * random.normal(0, 1, params[name].shape)]
        params[name] = np.concatenate([params[name], *copies], axis=axis)
    return recipe.train(params | {"down": params["down"] / 2}, 0.5)


def half_neurons(recipe: Recipe) -> Arrays:
    hidden = recipe.shape.hidden
    return take_neurons(recipe.parent, np.sort(recipe.random.permutation(hidden)[: hidden // 2]))


def narrowed(recipe: Recipe) -> Arrays:
    """Some dimensions of the residual stream are cut out; then it is trained on."""
    width = recipe.shape.width
    kept = np.sort(recipe.random.permutation(width)[: round(NARROWED * width)])
    return recipe.train(take_dimensions(recipe.parent, kept), 0.5)


def renewed(*names: str, steps: float) -> Make:
    """These parameters begin again from other random numbers; then all are trained on."""

    def made(recipe: Recipe) -> Arrays:
        fresh = recipe.initial(recipe.seed)
        return recipe.train(recipe.parent | {name: fresh[name] for name in names}, steps)

    return made


def attacked(name: str) -> Transformation:
    """A child of TRANSFORMATIONS or MORE after the full attack."""
    known = UNDISGUISED[name]

    def made(recipe: Recipe) -> Arrays:
        return attack(recipe.sibling(name), recipe.shape.heads, recipe.random)

    return Transformation(made, known.kind, f"{known.why}; then fully disguised", known.with_partner)


MORE: dict[str, Transformation] = {
    "copy": child(lambda recipe: recipe.parent, "the parent itself"),
    "ft_3x_rate": child(trained(2, rate=3), "fine-tuned twice as long as trained, at thrice the rate"),
    "task_vectors": child(task_vectors, "0.4 times what each of three fine-tunes learned, added"),
    "task_negated": child(
        lambda recipe: _added(
            recipe.parent, [(1.5, recipe.sibling("ft_long_high")), (-0.5, recipe.sibling("frozen"))]
        ),
        "1.5 times one fine-tune's changes less half of another's",
    ),
    "slerp_siblings": child(
        lambda recipe: _slerp(recipe.sibling("ft_long_high"), recipe.sibling("frozen")),
        "two fine-tunes, merged along the sphere",
    ),
    "slerp_unrelated": child(
        lambda recipe: _slerp(recipe.parent, recipe.model(recipe.partner.alias)),
        "merged along the sphere with an unrelated base",
        with_partner=True,
    ),
    "more_tokens": child(more_tokens, "16 tokens added, then trained on a corpus that has them"),
    "upcycled": child(upcycled, "neurons doubled, then trained on"),
    "half_neurons": child(half_neurons, "half of the neurons cut"),
    "narrowed": child(narrowed, "a quarter of the residual dimensions cut, then trained on"),
    "norms_100": disguise(trained(0.75, norm_rate=100), "norms trained at 100 times the matrices' rate"),
    "norms_500": disguise(trained(0.75, norm_rate=500), "norms trained at 500 times the matrices' rate"),
    "folded_trained_low": disguise(trained(1.5, "folded", rate=0.1), "norms folded, then trained on slowly"),
    # as for another tokenizer
    "new_embedding": Transformation(
        renewed("embedding", "head", steps=1.5), "limit", "embedding and head reinitialised, then trained on"
    ),
    # no slice of the parent's MLPs is left
    "new_mlps": Transformation(
        renewed("gate", "up", "down", steps=0.75), "limit", "all MLPs reinitialised, then trained on"
    ),
}

UNDISGUISED = TRANSFORMATIONS | MORE
ALL = UNDISGUISED | {f"{name}{ATTACKED}": attacked(name) for name in UNDISGUISED}


def _added(parent: Arrays, parts: list[tuple[float, Arrays]]) -> Arrays:
    return {
        name: values + sum(share * (sibling[name] - values) for share, sibling in parts)
        for name, values in parent.items()
    }


def _slerp(one: Arrays, other: Arrays) -> Arrays:
    """Half-way on the great circle, tensor by tensor and layer by layer, at the mean length."""
    merged = {}
    for name, values in one.items():
        axes = tuple(range(name in BLOCK_NAMES, values.ndim))
        a, b = (np.sqrt((v**2).sum(axes, keepdims=True)) for v in (values, other[name]))
        middle = values / a + other[name] / b
        merged[name] = middle / np.sqrt((middle**2).sum(axes, keepdims=True)) * (a + b) / 2
    return merged
