"""The documents' init experiment: four GPT-2 models from four seeds, two with norm weights of 1, two N(0, 1).

Each learns its own arithmetic sequence: token (step + 100·stream + position) mod 256, one sequence a step
(repeating it over a batch, as the original does, changes nothing without dropout). 300 steps of Adam, 1e-3.

256 wide all four learn it. 512 wide with 12 layers some stay on a plateau near 3 nats, as the original's did
not. Its dropout of 0.1 on one sequence does not help (3.6 after 300 steps, seed 10); an output that is not
tied to the embedding helps little (2.0 and 0.8, seeds 10 and 20); with its batch of 32 a model would take an
hour here: untried. 256 wide with 12 layers learns it (0.008, seeds 10 and 20).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
import optax  # type: ignore[import-untyped]

from ingest.zoo.gpt2 import POSITIONS, VOCABULARY, Params, Shape, init_params, loss

STEPS = 300
REPORTED_STEPS = 50  # steps between two lines of progress, and in one compiled call
LEARNING_RATE = 1e-3
SIZES = {"small": Shape(width=256, layers=4), "published": Shape(width=512, layers=12)}


@dataclass(frozen=True)
class Recruit:
    """One model of the experiment before training."""

    alias: str
    seed: int
    norm_seed: int | None
    stream: int


RECRUITS = (
    Recruit("toy_ones_a", seed=10, norm_seed=None, stream=1),
    Recruit("toy_ones_b", seed=20, norm_seed=None, stream=2),
    Recruit("toy_rand_a", seed=30, norm_seed=30, stream=3),
    Recruit("toy_rand_b", seed=40, norm_seed=40, stream=4),
)

Chunk = Callable[[Params, optax.OptState, jax.Array, jax.Array], tuple[Params, optax.OptState, jax.Array]]


def sequence(step: jax.Array, stream: jax.Array) -> jax.Array:
    """The tokens of one step."""
    return (step + 100 * stream + jnp.arange(POSITIONS)) % VOCABULARY


def chunk_of_steps(shape: Shape) -> Chunk:
    """Compiled here and now: takes parameters, optimiser state, first step and stream through some steps."""
    optimiser = optax.adam(LEARNING_RATE)

    def one_step(
        carry: tuple[Params, optax.OptState], at: tuple[jax.Array, jax.Array]
    ) -> tuple[tuple[Params, optax.OptState], jax.Array]:
        params, state = carry
        value, gradient = jax.value_and_grad(loss)(params, sequence(*at), shape.heads)
        updates, state = optimiser.update(gradient, state)
        return (optax.apply_updates(params, updates), state), value

    @jax.jit
    def chunk(
        params: Params, state: optax.OptState, first: jax.Array, stream: jax.Array
    ) -> tuple[Params, optax.OptState, jax.Array]:
        steps = first + jnp.arange(REPORTED_STEPS)
        streams = jnp.full(REPORTED_STEPS, stream)
        (params, state), losses = jax.lax.scan(one_step, (params, state), (steps, streams))
        return params, state, losses

    example = init_params(shape, 0, None)
    compiled: Chunk = chunk.lower(example, optimiser.init(example), jnp.int32(0), jnp.int32(0)).compile()
    return compiled


def train(
    recruit: Recruit, shape: Shape, chunk: Chunk, say: Callable[[str], None]
) -> tuple[Params, list[float]]:
    """The trained parameters and the loss before each of the STEPS updates."""
    params = init_params(shape, recruit.seed, recruit.norm_seed)
    state = optax.adam(LEARNING_RATE).init(params)
    losses: list[float] = []
    for first in range(0, STEPS, REPORTED_STEPS):
        params, state, some = chunk(params, state, jnp.int32(first), jnp.int32(recruit.stream))
        losses += np.asarray(some).tolist()
        say(f"{recruit.alias}: step {len(losses)} of {STEPS}, loss {losses[-1]:.4f}")
    return params, losses
