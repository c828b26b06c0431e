"""A small GPT-2 in JAX: parameters, next-token loss, and the tensor names it is saved under.

As in the reference implementation: learned positions, LayerNorm before each part, tanh-approximated GELU,
output tied to the embedding, weights N(0, 0.02), those that end a residual branch divided by √(2·layers).
No dropout: a run is a function of its seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

Params = dict[str, jax.Array]

VOCABULARY = 256
POSITIONS = 128
EPSILON = 1e-5
INIT_STD = 0.02

# parameter → its name within a block of GPT-2; a block's parameters are stacked over layers
BLOCK_NAMES = {
    "ln_1": "ln_1.weight",
    "ln_1_bias": "ln_1.bias",
    "qkv": "attn.c_attn.weight",
    "qkv_bias": "attn.c_attn.bias",
    "attn_out": "attn.c_proj.weight",
    "attn_out_bias": "attn.c_proj.bias",
    "ln_2": "ln_2.weight",
    "ln_2_bias": "ln_2.bias",
    "up": "mlp.c_fc.weight",
    "up_bias": "mlp.c_fc.bias",
    "down": "mlp.c_proj.weight",
    "down_bias": "mlp.c_proj.bias",
}
OUTER_NAMES = {
    "embedding": "wte.weight",
    "positions": "wpe.weight",
    "ln_f": "ln_f.weight",
    "ln_f_bias": "ln_f.bias",
}
NORM_WEIGHTS = ("ln_1", "ln_2", "ln_f")


@dataclass(frozen=True)
class Shape:
    """Size of a model."""

    width: int
    layers: int
    heads: int = 8


def init_params(shape: Shape, seed: int, norm_seed: int | None) -> Params:
    """Norm weights are 1, or N(0, 1) from a generator of their own when there is a norm_seed."""
    width, layers = shape.width, shape.layers
    sizes = {
        "embedding": (VOCABULARY, width),
        "positions": (POSITIONS, width),
        "qkv": (layers, width, 3 * width),
        "attn_out": (layers, width, width),
        "up": (layers, width, 4 * width),
        "down": (layers, 4 * width, width),
    }
    keys = jax.random.split(jax.random.key(seed), len(sizes))
    params = {
        name: INIT_STD * jax.random.normal(key, size)
        for (name, size), key in zip(sizes.items(), keys, strict=True)
    }
    for name in ("attn_out", "down"):
        params[name] /= np.sqrt(2 * layers)
    for name, size in (("qkv", 3 * width), ("attn_out", width), ("up", 4 * width), ("down", width)):
        params[f"{name}_bias"] = jnp.zeros((layers, size))
    norm_keys = jax.random.split(jax.random.key(norm_seed or 0), len(NORM_WEIGHTS))
    for name, key in zip(NORM_WEIGHTS, norm_keys, strict=True):
        dims = (width,) if name == "ln_f" else (layers, width)
        params[name] = jnp.ones(dims) if norm_seed is None else jax.random.normal(key, dims)
        params[f"{name}_bias"] = jnp.zeros(dims)
    return params


def loss(params: Params, tokens: jax.Array, heads: int) -> jax.Array:
    """Mean cross-entropy of each next token of one sequence, in nats."""
    logits = _logits(params, tokens, heads)[:-1]
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[1:, None], axis=1)
    return -picked.mean()


def named_tensors(params: Params) -> dict[str, np.ndarray]:
    """The parameters as GPT-2's files call them, layer by layer."""
    tensors = {name: np.asarray(params[key]) for key, name in OUTER_NAMES.items()}
    for key, name in BLOCK_NAMES.items():
        tensors |= {f"h.{layer}.{name}": np.asarray(values) for layer, values in enumerate(params[key])}
    return tensors


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


def _logits(params: Params, tokens: jax.Array, heads: int) -> jax.Array:
    x = params["embedding"][tokens] + params["positions"][: len(tokens)]
    blocks = {name: params[name] for name in BLOCK_NAMES}
    # Unrolled, because a loop over layers costs twice the time at 12 layers.
    x, _ = jax.lax.scan(lambda x, block: (_block(x, block, heads), None), x, blocks, unroll=True)
    return _norm(x, params["ln_f"], params["ln_f_bias"]) @ params["embedding"].T


def _block(x: jax.Array, block: Params, heads: int) -> jax.Array:
    length, width = x.shape
    mixed = _norm(x, block["ln_1"], block["ln_1_bias"]) @ block["qkv"] + block["qkv_bias"]
    q, k, v = (part.reshape(length, heads, width // heads) for part in jnp.split(mixed, 3, axis=-1))
    scores = jnp.einsum("qhd,khd->hqk", q, k) / np.sqrt(width // heads)
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    attended = jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), v).reshape(length, width)
    x = x + attended @ block["attn_out"] + block["attn_out_bias"]
    hidden = jax.nn.gelu(_norm(x, block["ln_2"], block["ln_2_bias"]) @ block["up"] + block["up_bias"])
    return x + hidden @ block["down"] + block["down_bias"]


def _norm(x: jax.Array, weight: jax.Array, bias: jax.Array) -> jax.Array:
    centred = x - x.mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + EPSILON) * weight + bias
