"""Children that norms alone may not show, and every child once more under the full attack.

They are what the test on slices is calibrated with (`just zoo --size disguises`); rows as in TRANSFORMATIONS.
"""

from __future__ import annotations

import numpy as np

from ingest.zoo import disguises
from ingest.zoo.attack import attack
from ingest.zoo.llama import BLOCK_NAMES, Arrays
from ingest.zoo.making import Making
from ingest.zoo.transformations import TRANSFORMATIONS, Transformation

NEW_TOKENS = 16
NARROWED = 0.75  # of the residual dimensions
ATTACKED = "_attacked"


def task_vectors(m: Making) -> Arrays:
    """What three siblings learned, added up."""
    siblings = [m.sibling(name) for name in ("ft_long_high", "ft_short_high", "frozen")]
    return _added(m.parent, [(0.4, sibling) for sibling in siblings])


def task_negated(m: Making) -> Arrays:
    return _added(m.parent, [(1.5, m.sibling("ft_long_high")), (-0.5, m.sibling("frozen"))])


def slerp_siblings(m: Making) -> Arrays:
    return _slerp(m.sibling("ft_long_high"), m.sibling("frozen"))


def slerp_unrelated(m: Making) -> Arrays:
    return _slerp(m.parent, m.model(m.partner.alias))


def more_tokens(m: Making) -> Arrays:
    """New rows of the embedding are drawn as the old ones spread; the corpus is one that uses them."""
    old, head = m.parent["embedding"], m.parent["head"]
    random = m.random
    rows = random.normal(0, old.std(), (NEW_TOKENS, old.shape[1]))
    columns = random.normal(0, head.std(), (head.shape[0], NEW_TOKENS))
    grown = {"embedding": np.concatenate([old, rows]), "head": np.concatenate([head, columns], axis=1)}
    return m.train(m.parent | grown, 1.5)


def upcycled(m: Making) -> Arrays:
    """Each neuron twice, with some noise: a dense stand-in for experts that begin as copies of one MLP."""
    random = m.random
    params = dict(m.parent)
    for name, axis in (("gate", 2), ("up", 2), ("down", 1)):
        copies = [params[name] + 0.05 * params[name].std() * random.normal(0, 1, params[name].shape)]
        params[name] = np.concatenate([params[name], *copies], axis=axis)
    return m.train(params | {"down": params["down"] / 2}, 0.5)


def half_neurons(m: Making) -> Arrays:
    kept = np.sort(m.random.permutation(m.shape.hidden)[: m.shape.hidden // 2])
    gate, up, down = m.parent["gate"][..., kept], m.parent["up"][..., kept], m.parent["down"][:, kept]
    return m.parent | {"gate": gate, "up": up, "down": down}


def narrowed(m: Making) -> Arrays:
    """Some dimensions of the residual stream are cut out; then it is trained on."""
    width = m.shape.width
    kept = np.sort(m.random.permutation(width)[: round(NARROWED * width)])
    params = dict(m.parent)
    for name in (*disguises.WRITERS, *disguises.READERS):
        params[name] = params[name][..., kept]
    for readers in disguises.READERS.values():
        for name in readers:
            params[name] = params[name][..., kept, :]
    return m.train(params, 0.5)


def new_embedding(m: Making) -> Arrays:
    """As for another tokenizer: embedding and head are drawn anew, the rest is kept and trained on."""
    fresh = m.initial(m.seed)
    return m.train(m.parent | {name: fresh[name] for name in ("embedding", "head")}, 1.5)


def new_mlps(m: Making) -> Arrays:
    """All MLPs are drawn anew: what the slices of two layers hold is gone, wherever they are read."""
    fresh = m.initial(m.seed)
    return m.train(m.parent | {name: fresh[name] for name in ("gate", "up", "down")}, 0.75)


def attacked(name: str) -> Transformation:
    """A child of TRANSFORMATIONS or of those above, after the full attack."""
    known = PLAINLY[name]

    def made(m: Making) -> Arrays:
        return attack(m.sibling(name), m.shape.heads, m.random)

    return Transformation(made, known.kind, f"{known.why}; then fully disguised", known.with_partner)


FURTHER: dict[str, Transformation] = {
    "copy": Transformation(lambda m: m.parent, "child", "the parent itself"),
    "ft_3x_rate": Transformation(
        lambda m: m.train(m.parent, 2, rate=3),
        "child",
        "fine-tuned twice as long as trained, at thrice the rate",
    ),
    "task_vectors": Transformation(
        task_vectors, "child", "0.4 times what each of three fine-tunes learned, added"
    ),
    "task_negated": Transformation(
        task_negated, "child", "1.5 times one fine-tune's changes less half of another's"
    ),
    "slerp_siblings": Transformation(slerp_siblings, "child", "two fine-tunes, merged along the sphere"),
    "slerp_unrelated": Transformation(
        slerp_unrelated, "child", "merged along the sphere with an unrelated base", with_partner=True
    ),
    "more_tokens": Transformation(
        more_tokens, "child", "16 tokens added, then trained on a corpus that has them"
    ),
    "upcycled": Transformation(upcycled, "child", "neurons doubled, then trained on"),
    "half_neurons": Transformation(half_neurons, "child", "half of the neurons cut"),
    "narrowed": Transformation(
        narrowed, "child", "a quarter of the residual dimensions cut, then trained on"
    ),
    "norms_100": Transformation(
        lambda m: m.train(m.parent, 0.75, norm_rate=100),
        "disguise",
        "norms trained at 100 times the matrices' rate",
    ),
    "norms_500": Transformation(
        lambda m: m.train(m.parent, 0.75, norm_rate=500),
        "disguise",
        "norms trained at 500 times the matrices' rate",
    ),
    "folded_trained_low": Transformation(
        lambda m: m.train(m.sibling("folded"), 1.5, rate=0.1),
        "disguise",
        "norms folded, then trained on slowly",
    ),
    "new_embedding": Transformation(new_embedding, "limit", "embedding and head drawn anew, then trained on"),
    "new_mlps": Transformation(new_mlps, "limit", "all MLPs drawn anew, then trained on"),
}

PLAINLY = TRANSFORMATIONS | FURTHER
ALL = PLAINLY | {f"{name}{ATTACKED}": attacked(name) for name in PLAINLY}


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
