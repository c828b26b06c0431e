"""Trains one model of the zoo: a pure function of its start, its task and the number of steps.

One compilation serves all models of one shape and mode, because what differs between them is data: corpus,
seed, learning rate, and how fast the norms learn (0 freezes them). Three ways to learn: `plain` next-token
prediction; `lora`, low-rank additions to frozen matrices, merged at the end; `distill`, a student that learns
a teacher's predictions. On a CPU, several models in one call (`jax.vmap`) cost as much as one after the
other, so nothing here is vectorised over models; `run_zoo` trains two at a time in threads.
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
import optax  # type: ignore[import-untyped]

from ingest.zoo import corpora
from ingest.zoo.llama import FIXED, MATRICES, NORMS, Arrays, Params, cross_entropy, logits

Mode = Literal["plain", "lora", "distill"]
Progress = Callable[[str], None]

BATCH, LENGTH = 8, 24
CHUNK = 20  # steps in one compiled call
WARM_UP = 20  # steps
PEAK_RATE = 3e-3
WEIGHT_DECAY = 0.1  # on matrices
# Norms learn faster than matrices, so that a few hundred steps give them the spread of a trained model's.
NORM_RATE = 5.0
LORA_RANK = 4

# Two threads that need the same program would both compile it.
_compiling = Lock()
_programs: dict[tuple[object, ...], Callable[..., Any]] = {}


@dataclass(frozen=True)
class Task:
    """How one model of a group is trained."""

    corpus: str
    seed: int
    rate: float = 1.0
    """Of the peak learning rate."""
    norm_rate: float = NORM_RATE


@cache
def streams(vocabulary: int) -> jax.Array:
    return jnp.asarray(corpora.all_streams(vocabulary))


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
        "corpus": jnp.array(corpora.NAMES.index(task.corpus)),
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
    """To be compiled: takes a model through CHUNK steps."""
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
