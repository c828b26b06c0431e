"""Trains one model of the zoo: a pure function of its start, its task and the number of steps.

Models of one shape and mode share a compilation; corpus, seed, learning rate and the rate of the norms (0
freezes them) are data. Modes: `plain` next-token prediction; `lora`, low-rank additions to frozen matrices,
merged at the end; `distill`, a student that learns a teacher's predictions. `jax.vmap` over models saves
nothing on a CPU; `run_zoo` trains two at a time in threads. The corpora are made by code:

markov_a, markov_b   a sparse second-order Markov chain (different tables), with passages repeated later on
brackets             nested brackets of four kinds among filler words of Zipfian frequency
arithmetic           runs a, a+s, a+2s, … with some tokens replaced at random
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax  # type: ignore[import-untyped]

from ingest.zoo.llama import FIXED, MATRICES, NORMS, Arrays, Params, cross_entropy, logits
from warehouse.documents import anchors

Mode = Literal["plain", "lora", "distill"]
Progress = Callable[[str], None]
Tokens = npt.NDArray[np.int32]

CORPUS_LENGTH = 1 << 15  # tokens; a model of 200 steps sees about as many, drawn at random
BATCH, LENGTH = 8, 24
CHUNK = 20  # steps in one compiled call
WARM_UP = 20  # steps
PEAK_RATE = 3e-3
WEIGHT_DECAY = 0.1  # on matrices
# Norms learn faster than matrices, so that a few hundred steps give them the spread of a trained model's.
NORM_RATE = 5.0
LORA_RANK = 4

# Without the lock, two threads that need the same program would both compile it.
_compiling = Lock()
_programs: dict[tuple[object, ...], Callable[..., Any]] = {}


@dataclass(frozen=True)
class Task:
    """How one model of a group is trained."""

    corpus: str
    seed: int
    rate: float = 1.0
    """In units of the peak learning rate."""
    norm_rate: float = NORM_RATE


@cache
def streams(vocabulary: int) -> jax.Array:
    """All corpora, one row each, in the order of NAMES."""
    return jnp.asarray(
        np.stack([make(np.random.default_rng(seed), vocabulary) for make, seed in CORPORA.values()])
    )


def train(
    start: Arrays,
    task: Task,
    steps: int,
    heads: int,
    say: Progress,
    mode: Mode = "plain",
    teacher: Arrays | None = None,
) -> Arrays:
    """The model after that many steps."""
    given = {name: jnp.asarray(values) for name, values in start.items()}
    frozen = given if mode == "lora" else {k: jnp.asarray(v) for k, v in teacher.items()} if teacher else {}
    trained = _low_rank(given, task.seed) if mode == "lora" else given
    orders = {
        "corpus": jnp.array(NAMES.index(task.corpus)),
        "seed": jnp.array(task.seed, jnp.uint32),
        "rate": jnp.array(task.rate * PEAK_RATE, jnp.float32),
        "norm_rate": jnp.array(task.norm_rate, jnp.float32),
    }
    state = _optimiser().init(trained)
    last = jnp.array(steps)
    text = streams(len(given["embedding"]))
    with _compiling:
        key = (mode, heads, *((name, values.shape) for name, values in sorted(given.items())))
        if key not in _programs:
            example = (trained, state, frozen, orders, jnp.arange(CHUNK), last, text)
            _programs[key] = _chunk(mode, heads).lower(*example).compile()
    loss = jnp.array(jnp.nan)
    for first in range(0, steps, CHUNK):
        at = jnp.arange(first, first + CHUNK)
        trained, state, loss = _programs[key](trained, state, frozen, orders, at, last, text)
    say(f"{steps} steps, loss {float(loss):.2f}")
    merged = _merged(given, trained) if mode == "lora" else trained
    return {name: np.asarray(values) for name, values in merged.items()}


def _optimiser() -> optax.GradientTransformation:
    return optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam(b1=0.9, b2=0.95))


def _chunk(mode: Mode, heads: int) -> jax.stages.Wrapped:
    """The function to compile: CHUNK steps of training."""
    optimiser = _optimiser()

    @jax.jit
    def chunk(
        params: Params,
        state: optax.OptState,
        frozen: Params,
        orders: dict[str, jax.Array],
        at: jax.Array,
        steps: jax.Array,
        text: jax.Array,
    ) -> tuple[Params, optax.OptState, jax.Array]:
        stream = text[orders["corpus"]]

        def step(carry: tuple[Params, optax.OptState], n: jax.Array) -> tuple[Any, jax.Array]:
            params, state = carry
            tokens = _batch(stream, orders["seed"], n)
            value, gradient = jax.value_and_grad(_loss)(params, frozen, tokens, mode, heads)
            updates, state = optimiser.update(gradient, state)
            rate = orders["rate"] * _schedule(n, steps)
            params = {
                name: weights - rate * _change(name, weights, updates[name], orders["norm_rate"])
                for name, weights in params.items()
            }
            return (params, state), value

        (params, state), losses = jax.lax.scan(step, (params, state), at)
        return params, state, losses.mean()

    return chunk


def _loss(params: Params, frozen: Params, tokens: jax.Array, mode: Mode, heads: int) -> jax.Array:
    if mode == "distill":
        inputs = tokens[:, :-1]
        taught, learnt = (jax.vmap(lambda row, p=p: logits(p, row, heads))(inputs) for p in (frozen, params))
        return -(jax.nn.softmax(taught) * jax.nn.log_softmax(learnt)).sum(-1).mean()
    return cross_entropy(_merged(frozen, params) if mode == "lora" else params, tokens, heads)


def _batch(stream: jax.Array, seed: jax.Array, step: jax.Array) -> jax.Array:
    """Windows of the stream at random places: a function of seed and step alone."""
    key = jax.random.fold_in(jax.random.key(seed), step)
    starts = jax.random.randint(key, (BATCH,), 0, stream.shape[0] - LENGTH - 1)
    return stream[starts[:, None] + jnp.arange(LENGTH + 1)]


def _schedule(step: jax.Array, steps: jax.Array) -> jax.Array:
    """Linear warm-up, then a cosine down to a tenth; nothing beyond the last step."""
    warm = jnp.minimum(1.0, (step + 1) / WARM_UP)
    return warm * (0.55 + 0.45 * jnp.cos(jnp.pi * step / steps)) * (step < steps)


def _change(name: str, weights: jax.Array, update: jax.Array, norm_rate: jax.Array) -> jax.Array:
    if name in FIXED:
        return jnp.zeros_like(weights)
    return norm_rate * update if name in NORMS else update + WEIGHT_DECAY * weights


def _low_rank(params: Params, seed: int) -> Params:
    """A and B of every matrix; B begins at 0, so that the merged model begins as the parent."""
    random = np.random.default_rng(seed)
    lora: Params = {}
    for name in MATRICES:
        layers, rows, columns = params[name].shape
        draw = random.normal(0, rows**-0.5, (layers, rows, LORA_RANK))
        lora[f"{name}_a"] = jnp.asarray(draw, jnp.float32)
        lora[f"{name}_b"] = jnp.zeros((layers, LORA_RANK, columns))
    return lora


def _merged(params: Params, lora: Params) -> Params:
    return params | {name: params[name] + lora[f"{name}_a"] @ lora[f"{name}_b"] for name in MATRICES}


def markov(random: np.random.Generator, vocabulary: int) -> Tokens:
    """A token and the one before it mod 4 allow four next ones; every 256 tokens a passage is repeated."""
    choices = random.integers(0, vocabulary, (4, vocabulary, 4))
    picks = random.choice(4, CORPUS_LENGTH, p=[0.6, 0.2, 0.15, 0.05])
    tokens = np.zeros(CORPUS_LENGTH, np.int32)
    for at in range(2, CORPUS_LENGTH):
        tokens[at] = choices[tokens[at - 2] % 4, tokens[at - 1], picks[at]]
    for at in range(256, CORPUS_LENGTH - 16, 256):
        start = at - random.integers(32, 200)
        tokens[at : at + 16] = tokens[start : start + 16]
    return tokens


def brackets(random: np.random.Generator, vocabulary: int) -> Tokens:
    """0 to 3 open a bracket, 4 to 7 close the last one, the rest is filler."""
    filler = 1 / np.arange(1, vocabulary - 7)
    fillers = random.choice(np.arange(8, vocabulary), CORPUS_LENGTH, p=filler / filler.sum())
    kinds, draws = random.integers(0, 4, CORPUS_LENGTH), random.random(CORPUS_LENGTH)
    tokens = np.zeros(CORPUS_LENGTH, np.int32)
    opened: list[int] = []
    for at in range(CORPUS_LENGTH):
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
    runs = CORPUS_LENGTH // 16
    starts, steps = random.integers(0, vocabulary, (runs, 1)), random.integers(1, 9, (runs, 1))
    tokens = ((starts + steps * np.arange(16)) % vocabulary).ravel()
    spoiled = random.random(CORPUS_LENGTH) < 0.05
    tokens[spoiled] = random.integers(0, vocabulary, spoiled.sum())
    return tokens.astype(np.int32)


CORPORA: dict[str, tuple[Callable[[np.random.Generator, int], Tokens], int]] = {
    "markov_a": (markov, 1),
    "markov_b": (markov, 2),
    "brackets": (brackets, 3),
    "arithmetic": (arithmetic, 4),
}
"""Name → generator and seed."""

NAMES = tuple(CORPORA)


def tokenizer(vocabulary: int) -> dict[str, object]:
    """tokenizer.json with the first anchors, so that slices are read as from any other model."""
    spelled = [anchor.replace(" ", "Ġ") for anchor in anchors()[:vocabulary]]
    return {"model": {"type": "BPE", "vocab": {token: number for number, token in enumerate(spelled)}}}
