"""The init experiment of hyunwoong's document: four small GPT-2 models, two of them with random norm weights.

Each learns its own arithmetic sequence: token (step + 100·stream + position) mod 256, for 300 steps of Adam
at 1e-3. The document's script (train_gpt2.py) repeats the sequence 32 times in a batch, under different
dropout masks; ours repeats it twice, which takes a sixteenth of the time.

Whether a network of the published size learns depends on its random numbers. With dropout masks of seeds 20
and 40, toy_ones_b and toy_rand_b had losses of 3.2 and 3.0 after 100 steps and were given up, so their
dropout seeds are others. The model is the document's: from the same start and without dropout, its losses and
those of GPT2LMHeadModel differ by at most 2e-5 in six steps.

The model follows the reference GPT-2: learned positions, LayerNorm before each part, tanh-approximated GELU,
output tied to the embedding, weights N(0, 0.02), those that end a residual branch divided by √(2·layers), and
dropout of 0.1 on embeddings, attention probabilities and the outputs of both branches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax  # type: ignore[import-untyped]

from ingest.pipeline import ingest_folder
from ingest.store_model import store_rows
from ingest.zoo.folders import facts_of, save_model, trained_folder

Params = dict[str, jax.Array]
Masks = Mapping[str, Any]

VOCABULARY = 256
POSITIONS = 128
EPSILON = 1e-5
INIT_STD = 0.02
DROPOUT = 0.1
NORMS_OF_BLOCK = ("ln_1", "ln_2")

STEPS = 300
REPORTED_STEPS = 50  # steps between two lines of progress
LEARNING_RATE = 1e-3


@dataclass(frozen=True)
class Shape:
    """Size of a model."""

    width: int
    layers: int
    heads: int = 8


SIZES = {"small": Shape(width=256, layers=4), "published": Shape(width=512, layers=12)}
BATCH = 2  # repetitions of the sequence


@dataclass(frozen=True)
class Recruit:
    """One model of the experiment before training."""

    alias: str
    seed: int
    norm_seed: int | None
    stream: int
    dropout_seed: int


RECRUITS = (
    Recruit("toy_ones_a", seed=10, norm_seed=None, stream=1, dropout_seed=10),
    Recruit("toy_ones_b", seed=20, norm_seed=None, stream=2, dropout_seed=21),
    Recruit("toy_rand_a", seed=30, norm_seed=30, stream=3, dropout_seed=30),
    Recruit("toy_rand_b", seed=40, norm_seed=40, stream=4, dropout_seed=41),
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
    recruit: Recruit, shape: Shape, step: Step, say: Callable[[str], None]
) -> tuple[Params, list[float]]:
    """The trained parameters and the loss before each of the STEPS updates."""
    params = init_params(shape, recruit.seed, recruit.norm_seed)
    state = params, optax.adam(LEARNING_RATE).init(params)
    random = np.random.default_rng(recruit.dropout_seed)
    losses: list[float] = []
    for at in range(STEPS):
        tokens = sequence(jnp.int32(at), recruit.stream)
        state, value = step(state, tokens, draw_masks(shape, BATCH, random))
        losses.append(float(value))
        if len(losses) % REPORTED_STEPS == 0:
            say(f"{recruit.alias}: step {len(losses)} of {STEPS}, loss {losses[-1]:.4f}")
    return state[0], losses


def run_toy(size: str, out: Path | None, lake_name: str) -> list[str]:
    """Trains the models that are missing, ingests all and returns a summary; progress goes to stderr."""
    shape = SIZES[size]
    folder = trained_folder("toy" if size == "published" else f"toy_{size}") if out is None else out
    step = training_step(shape)
    losses: dict[str, tuple[float, float]] = {}
    for recruit in RECRUITS:
        facts = facts_of(folder / recruit.alias)
        if "last_loss" not in facts:
            facts = _make(recruit, shape, step, folder)
        losses[recruit.alias] = float(facts["first_loss"]), float(facts["last_loss"])
    ingest_folder(folder, lake_name, toy=True)
    store_losses(lake_name, size, losses)
    return [
        f"{alias}: loss {first:.3f} at the first step, {last:.3f} at the last"
        for alias, (first, last) in losses.items()
    ]


def _make(recruit: Recruit, shape: Shape, step: Step, folder: Path) -> dict[str, str]:
    """Trains and saves one model; returns the facts saved with it."""
    facts = {"seed": str(recruit.seed), "stream": str(recruit.stream), "steps": str(STEPS)}
    if recruit.norm_seed is not None:
        # The random norm weights before training, to see whether training changed their direction.
        start = named_tensors(init_params(shape, recruit.seed, recruit.norm_seed))
        save_model(folder / f"{recruit.alias}_init", start, config(shape), {**facts, "steps": "0"})
    params, losses = train(recruit, shape, step, _say)
    facts |= {"first_loss": str(losses[0]), "last_loss": str(losses[-1])}
    save_model(folder / recruit.alias, named_tensors(params), config(shape), facts)
    return facts


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
    store_rows(lake_name, "toy_losses", rows, {"made_by": "just toy", "size": size})


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def init_params(shape: Shape, seed: int, norm_seed: int | None) -> Params:
    """Tensors under the names of GPT-2's files. Norm weights are 1, or N(0, 1) if there is a norm_seed."""
    width = shape.width
    residual_std = INIT_STD / np.sqrt(2 * shape.layers)
    matrices = {"wte": ((VOCABULARY, width), INIT_STD), "wpe": ((POSITIONS, width), INIT_STD)}
    for at in range(shape.layers):
        matrices |= {
            f"h.{at}.attn.c_attn": ((width, 3 * width), INIT_STD),
            f"h.{at}.attn.c_proj": ((width, width), residual_std),
            f"h.{at}.mlp.c_fc": ((width, 4 * width), INIT_STD),
            f"h.{at}.mlp.c_proj": ((4 * width, width), residual_std),
        }
    params: Params = {}
    for key, (name, (size, std)) in zip(_keys(seed, len(matrices)), matrices.items(), strict=True):
        params[f"{name}.weight"] = std * jax.random.normal(key, size)
        if name.startswith("h."):
            params[f"{name}.bias"] = jnp.zeros(size[1])
    norms = [*(f"h.{at}.{norm}" for at in range(shape.layers) for norm in NORMS_OF_BLOCK), "ln_f"]
    for key, name in zip(_keys(norm_seed or 0, len(norms)), norms, strict=True):
        params[f"{name}.weight"] = jnp.ones(width) if norm_seed is None else jax.random.normal(key, (width,))
        params[f"{name}.bias"] = jnp.zeros(width)
    return params


def _keys(seed: int, count: int) -> jax.Array:
    return jax.random.split(jax.random.key(seed), count)


def draw_masks(shape: Shape, batch: int, random: np.random.Generator) -> Masks:
    """Which values survive dropout in one step; numpy draws them several times faster than JAX on a CPU."""
    length = POSITIONS - 1
    sizes = {
        "embeddings": (batch, length, shape.width),
        "attention": (shape.layers, batch, shape.heads, length, length),
        "residual": (shape.layers, 2, batch, length, shape.width),
    }
    dropped = round(DROPOUT * 2**16)
    return {name: random.integers(0, 2**16, size, np.uint16) >= dropped for name, size in sizes.items()}


def loss(params: Params, tokens: jax.Array, shape: Shape, masks: Masks) -> jax.Array:
    """Mean cross-entropy of each next token in nats, over a batch of one sequence under different masks."""
    inputs, targets = tokens[:-1], tokens[1:]
    x = _kept(params["wte.weight"][inputs] + params["wpe.weight"][: len(inputs)], masks["embeddings"])
    for at in range(shape.layers):
        block = {name.removeprefix(f"h.{at}."): values for name, values in params.items()}
        x = _block(x, block, shape.heads, masks["attention"][at], masks["residual"][at])
    logits = _norm(x, params, "ln_f") @ params["wte.weight"].T
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), targets[None, :, None], axis=-1).mean()


def named_tensors(params: Params) -> dict[str, np.ndarray]:
    """The parameters as arrays, under the names of GPT-2's files."""
    return {name: np.asarray(values) for name, values in params.items()}


def config(shape: Shape) -> dict[str, object]:
    """What config.json says of the model."""
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "n_embd": shape.width,
        "n_layer": shape.layers,
        "n_head": shape.heads,
        "n_positions": POSITIONS,
        "vocab_size": VOCABULARY,
        "layer_norm_epsilon": EPSILON,
        "torch_dtype": "float32",
    }


def _block(x: jax.Array, block: Params, heads: int, attention: jax.Array, residual: jax.Array) -> jax.Array:
    batch, length, width = x.shape
    mixed = _linear(_norm(x, block, "ln_1"), block, "attn.c_attn")
    q, k, v = (part.reshape(batch, length, heads, width // heads) for part in jnp.split(mixed, 3, axis=-1))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(width // heads)
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    weights = _kept(jax.nn.softmax(scores), attention)
    attended = jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape)
    x = x + _kept(_linear(attended, block, "attn.c_proj"), residual[0])
    hidden = jax.nn.gelu(_linear(_norm(x, block, "ln_2"), block, "mlp.c_fc"))
    return x + _kept(_linear(hidden, block, "mlp.c_proj"), residual[1])


def _linear(x: jax.Array, params: Params, name: str) -> jax.Array:
    return x @ params[f"{name}.weight"] + params[f"{name}.bias"]


def _norm(x: jax.Array, params: Params, name: str) -> jax.Array:
    centred = x - x.mean(-1, keepdims=True)
    scale = jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + EPSILON)
    return centred * scale * params[f"{name}.weight"] + params[f"{name}.bias"]


def _kept(x: jax.Array, mask: jax.Array) -> jax.Array:
    """Dropout: what the mask leaves, scaled so that its expectation stays the same."""
    return jnp.where(mask, x / (1 - DROPOUT), 0.0)
