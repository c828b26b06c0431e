"""The init experiment of hyunwoong's document: four small GPT-2 models, two of them with random norm weights.

Each learns its own arithmetic sequence: token (step + 100·stream + position) mod 256, for 300 steps of Adam
at 1e-3. The document's script (train_gpt2.py) repeats the sequence 32 times in a batch, under different
dropout masks; ours repeats it 8 times, and twice at the small size.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax  # type: ignore[import-untyped]
import pyarrow as pa

from ingest.pipeline import ingest_folder
from ingest.zoo.folders import save_model, trained_folder
from ingest.zoo.gpt2 import (
    POSITIONS,
    VOCABULARY,
    Masks,
    Params,
    Shape,
    config,
    draw_masks,
    init_params,
    loss,
    named_tensors,
)
from warehouse import VERSION
from warehouse.lake import lake_at
from warehouse.storage.commit import new_commit, write_lock
from warehouse.storage.parquet import write_table
from warehouse.tables import TABLES

LOSSES_FILE = "toy_losses/toy_losses.parquet"
STEPS = 300
REPORTED_STEPS = 50  # steps between two lines of progress
LEARNING_RATE = 1e-3
SIZES = {"small": Shape(width=256, layers=4), "published": Shape(width=512, layers=12)}
BATCHES = {"small": 2, "published": 8}  # repetitions of the sequence


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

State = tuple[Params, optax.OptState]
Step = Callable[[State, jax.Array, Masks], tuple[State, jax.Array]]


def sequence(step: jax.Array, stream: int) -> jax.Array:
    """The tokens of one step."""
    return (step + 100 * stream + jnp.arange(POSITIONS)) % VOCABULARY


def training_step(shape: Shape) -> Step:
    """A compiled step of training: the next state, and the loss before it."""
    optimiser = optax.adam(LEARNING_RATE)

    def step(state: State, tokens: jax.Array, masks: Masks) -> tuple[State, jax.Array]:
        params, moments = state
        value, gradient = jax.value_and_grad(loss)(params, tokens, shape, masks)
        updates, moments = optimiser.update(gradient, moments)
        return (optax.apply_updates(params, updates), moments), value

    return jax.jit(step, donate_argnums=0)


def train(
    recruit: Recruit, shape: Shape, batch: int, step: Step, say: Callable[[str], None]
) -> tuple[Params, list[float]]:
    """The trained parameters and the loss before each of the STEPS updates."""
    params = init_params(shape, recruit.seed, recruit.norm_seed)
    state = params, optax.adam(LEARNING_RATE).init(params)
    random = np.random.default_rng(recruit.seed)
    losses: list[float] = []
    for at in range(STEPS):
        tokens = sequence(jnp.int32(at), recruit.stream)
        state, value = step(state, tokens, draw_masks(shape, batch, random))
        losses.append(float(value))
        if len(losses) % REPORTED_STEPS == 0:
            say(f"{recruit.alias}: step {len(losses)} of {STEPS}, loss {losses[-1]:.4f}")
    return state[0], losses


def run_toy(size: str, out: Path | None, lake_name: str) -> list[str]:
    """Trains, saves and ingests the four models; returns a summary, progress goes to stderr."""
    shape = SIZES[size]
    folder = trained_folder("toy" if size == "published" else f"toy_{size}") if out is None else out
    step = training_step(shape)
    losses: dict[str, list[float]] = {}
    for recruit in RECRUITS:
        params, losses[recruit.alias] = train(recruit, shape, BATCHES[size], step, _say)
        facts = {"seed": str(recruit.seed), "stream": str(recruit.stream), "steps": str(STEPS)}
        save_model(folder / recruit.alias, named_tensors(params), config(shape), facts)
        if recruit.norm_seed is not None:
            # The random norm weights before training, to see whether training changed their direction.
            start = named_tensors(init_params(shape, recruit.seed, recruit.norm_seed))
            save_model(folder / f"{recruit.alias}_init", start, config(shape), {**facts, "steps": "0"})
    ingest_folder(folder, lake_name, toy=True)
    store_losses(lake_name, size, losses)
    return [
        f"{alias}: loss {values[0]:.3f} at the first step, {values[-1]:.3f} at the last"
        for alias, values in losses.items()
    ]


def store_losses(lake_name: str, size: str, losses: Mapping[str, Sequence[float]]) -> None:
    """Writes the table `toy_losses`: nats per token at the first and the last step."""
    streams = {recruit.alias: recruit.stream for recruit in RECRUITS}
    rows = [
        {
            "model": alias,
            "stream": streams[alias],
            "size": size,
            "steps": STEPS,
            "first_loss": values[0],
            "last_loss": values[-1],
        }
        for alias, values in losses.items()
    ]
    lake, table = lake_at(lake_name), pa.Table.from_pylist(rows, TABLES["toy_losses"].schema)
    with write_lock(lake), new_commit(lake) as commit:
        provenance = {"made_by": "just toy", "size": size, "tool_version": VERSION}
        write_table(commit.file(LOSSES_FILE), table, provenance)
        commit.publish()


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
