"""A small GPT-2 in JAX: parameters, next-token loss, and the tensor names it is saved under.

As in the reference implementation: learned positions, LayerNorm before each part, tanh-approximated GELU,
output tied to the embedding, weights N(0, 0.02), those that end a residual branch divided by √(2·layers), and
dropout of 0.1 on embeddings, attention probabilities and the outputs of both branches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Params = dict[str, jax.Array]
Masks = Mapping[str, Any]

VOCABULARY = 256
POSITIONS = 128
EPSILON = 1e-5
INIT_STD = 0.02
DROPOUT = 0.1

NORMS_OF_BLOCK = ("ln_1", "ln_2")


@dataclass(frozen=True)
class Shape:
    """Size of a model."""

    width: int
    layers: int
    heads: int = 8


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
