"""Token streams made by code, each with another kind of structure to learn; the zoo's training data.

markov_a, markov_b   a sparse second-order Markov chain (other tables), with passages repeated later on
brackets             nested brackets of four kinds among filler words of Zipfian frequency
arithmetic           runs a, a+s, a+2s, … with some tokens spoiled
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from warehouse.documents.anchors import anchors

VOCABULARY = 64  # of the zoo that ships
LENGTH = 1 << 15  # tokens a corpus; a model of 200 steps sees as many, drawn at random

Tokens = npt.NDArray[np.int32]


def markov(random: np.random.Generator, vocabulary: int) -> Tokens:
    """A token and the last but one mod 4 allow four next ones; every 256 tokens a passage comes again."""
    choices = random.integers(0, vocabulary, (4, vocabulary, 4))
    picks = random.choice(4, LENGTH, p=[0.6, 0.2, 0.15, 0.05])
    tokens = np.zeros(LENGTH, np.int32)
    for at in range(2, LENGTH):
        tokens[at] = choices[tokens[at - 2] % 4, tokens[at - 1], picks[at]]
    for at in range(256, LENGTH - 16, 256):
        start = at - random.integers(32, 200)
        tokens[at : at + 16] = tokens[start : start + 16]
    return tokens


def brackets(random: np.random.Generator, vocabulary: int) -> Tokens:
    """0 to 3 open, 4 to 7 close the last one opened, the rest is filler."""
    filler = 1 / np.arange(1, vocabulary - 7)
    fillers = random.choice(np.arange(8, vocabulary), LENGTH, p=filler / filler.sum())
    kinds, draws = random.integers(0, 4, LENGTH), random.random(LENGTH)
    tokens = np.zeros(LENGTH, np.int32)
    opened: list[int] = []
    for at in range(LENGTH):
        if draws[at] < 0.3 and len(opened) < 12:
            opened.append(int(kinds[at]))
            tokens[at] = kinds[at]
        elif draws[at] < 0.6 and opened:
            tokens[at] = 4 + opened.pop()
        else:
            tokens[at] = fillers[at]
    return tokens


def arithmetic(random: np.random.Generator, vocabulary: int) -> Tokens:
    """Runs of 16 tokens with constant steps; one token in twenty is random."""
    runs = LENGTH // 16
    starts, steps = random.integers(0, vocabulary, (runs, 1)), random.integers(1, 9, (runs, 1))
    tokens = ((starts + steps * np.arange(16)) % vocabulary).ravel()
    spoiled = random.random(LENGTH) < 0.05
    tokens[spoiled] = random.integers(0, vocabulary, spoiled.sum())
    return tokens.astype(np.int32)


CORPORA: dict[str, tuple[Callable[[np.random.Generator, int], Tokens], int]] = {
    "markov_a": (markov, 1),
    "markov_b": (markov, 2),
    "brackets": (brackets, 3),
    "arithmetic": (arithmetic, 4),
}
"""Name → how it is made, and the seed of its making."""

NAMES = tuple(CORPORA)


def tokenizer(vocabulary: int) -> dict[str, object]:
    """What tokenizer.json says: the first anchors, so that slices are read as of any other model."""
    spelled = [anchor.replace(" ", "Ġ") for anchor in anchors()[:vocabulary]]
    return {"model": {"type": "BPE", "vocab": {token: number for number, token in enumerate(spelled)}}}


def all_streams(vocabulary: int = VOCABULARY) -> Tokens:
    """One row a corpus, in the order of NAMES."""
    return np.stack([make(np.random.default_rng(seed), vocabulary) for make, seed in CORPORA.values()])
