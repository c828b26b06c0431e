"""The zoo's model in JAX: a llama-like decoder with RMSNorm, rotary positions and SwiGLU, 0.6 M weights.

Parameters are a flat dict; those of the blocks are stacked over layers. Optional parameters decide the kind
of model: with biases its norms are LayerNorms; with a (fixed) table of positions attention is not rotary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

Params = dict[str, jax.Array]
Arrays = dict[str, np.ndarray]

VOCABULARY = 64  # of the zoo that ships
EPSILON = 1e-6
NORMS = ("input_norm", "post_norm", "final_norm", "input_bias", "post_bias", "final_bias")
FIXED = ("positions",)
LONGEST = 64  # positions in the table; the zoo's sequences are shorter
MATRICES = ("q", "k", "v", "o", "gate", "up", "down")
SMALL_MATRIX, SMALL = 0.25, {"embedding": 0.05}  # of the usual initial weights

# parameter → its name in a llama-like file; matrices are saved transposed, as (out, in)
BLOCK_NAMES = {
    "input_norm": "input_layernorm",
    "q": "self_attn.q_proj",
    "k": "self_attn.k_proj",
    "v": "self_attn.v_proj",
    "o": "self_attn.o_proj",
    "post_norm": "post_attention_layernorm",
    "gate": "mlp.gate_proj",
    "up": "mlp.up_proj",
    "down": "mlp.down_proj",
}
BLOCK_BIASES = {"input_bias": "input_layernorm", "post_bias": "post_attention_layernorm"}


@dataclass(frozen=True)
class Shape:
    """Size of a model."""

    width: int
    layers: int
    heads: int = 4
    vocabulary: int = VOCABULARY

    @property
    def hidden(self) -> int:
        return 2 * self.width


@dataclass(frozen=True)
class Kind:
    """How a model differs from the plain one."""

    outlier_spread: float = 0.0
    biases: bool = False
    """LayerNorm instead of RMSNorm."""
    sinusoidal: bool = False
    """Positions by a fixed table of sines and cosines instead of rotary ones."""
    small_start: bool = False
    """Begins with small weights, so that what is trained is learned rather than drawn."""


PLAIN = Kind()


def init_params(shape: Shape, seed: int, kind: Kind = PLAIN) -> Arrays:
    """Weights N(0, 1/fan-in), norms 1.

    With an outlier spread, all norms begin as one lognormal vector: dimensions that stand out in every layer,
    as in large models. Training as short as ours does not produce them.
    """
    random = np.random.default_rng(seed)
    width, layers, hidden = shape.width, shape.layers, shape.hidden
    sizes = dict.fromkeys(("q", "k", "v", "o"), (layers, width, width))
    sizes |= {"gate": (layers, width, hidden), "up": (layers, width, hidden), "down": (layers, hidden, width)}
    params = {name: random.normal(0, size[-2] ** -0.5, size) for name, size in sizes.items()}
    params["o"] /= np.sqrt(2 * layers)
    params["down"] /= np.sqrt(2 * layers)
    params["embedding"] = random.normal(0, 1, (shape.vocabulary, width))
    params["head"] = random.normal(0, width**-0.5, (width, shape.vocabulary))
    if kind.small_start:
        params = {name: values * SMALL.get(name, SMALL_MATRIX) for name, values in params.items()}
    scale = np.exp(random.normal(0, kind.outlier_spread, width))
    params |= {"input_norm": np.tile(scale, (layers, 1)), "post_norm": np.tile(scale, (layers, 1))}
    params["final_norm"] = scale
    if kind.biases:
        params |= {"input_bias": np.zeros((layers, width)), "post_bias": np.zeros((layers, width))}
        params["final_bias"] = np.zeros(width)
    if kind.sinusoidal:
        params["positions"] = sinusoidal_table(width)
    return {name: values.astype(np.float32) for name, values in params.items()}


def logits(params: Params, tokens: jax.Array, heads: int) -> jax.Array:
    """Of one sequence."""
    x = params["embedding"][tokens]
    angles = rotary_angles(len(tokens), params["q"].shape[-1] // heads)
    if "positions" in params:
        x, angles = x + params["positions"][: len(tokens)], np.zeros_like(angles)
    blocks = {name: params[name] for name in (*BLOCK_NAMES, *BLOCK_BIASES) if name in params}
    x, _ = jax.lax.scan(lambda x, block: (_block(x, block, heads, angles), None), x, blocks)
    return _norm(x, params["final_norm"], params.get("final_bias")) @ params["head"]


def cross_entropy(params: Params, tokens: jax.Array, heads: int) -> jax.Array:
    """Mean over a batch of sequences, nats per token."""
    predicted = jax.vmap(lambda row: logits(params, row, heads))(tokens[:, :-1])
    picked = jnp.take_along_axis(jax.nn.log_softmax(predicted), tokens[:, 1:, None], axis=-1)
    return -picked.mean()


def rotary_angles(length: int, head_width: int) -> np.ndarray:
    rates = 1000.0 ** (-np.arange(head_width // 2) / (head_width // 2))
    return np.arange(length)[:, None, None] * rates


def sinusoidal_table(width: int) -> np.ndarray:
    """Sines in the first half of the dimensions, cosines of the same frequencies in the second."""
    rates = 1000.0 ** (-np.arange(width // 2) / (width // 2))
    angles = np.arange(LONGEST)[:, None] * rates
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def named_tensors(params: Mapping[str, np.ndarray]) -> Arrays:
    """The parameters under the names of llama's files."""
    tensors = {"model.embed_tokens.weight": params["embedding"], "model.norm.weight": params["final_norm"]}
    tensors["lm_head.weight"] = params["head"].T
    for key, name in BLOCK_NAMES.items():
        for layer, values in enumerate(params[key]):
            tensors[f"model.layers.{layer}.{name}.weight"] = values.T
    for key, name in BLOCK_BIASES.items():
        for layer, values in enumerate(params.get(key, ())):
            tensors[f"model.layers.{layer}.{name}.bias"] = values
    return tensors | {name: params[key] for key, name in OUTER_NAMES.items() if key in params}


# parameters that not every model has
OUTER_NAMES = {"final_bias": "model.norm.bias", "positions": "model.embed_positions.weight"}


def params_of(tensors: Mapping[str, np.ndarray]) -> Arrays:
    """The inverse of `named_tensors`, in F32."""
    layers = 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("model.layers."))
    params = {
        key: np.stack([tensors[f"model.layers.{layer}.{name}.weight"].T for layer in range(layers)])
        for key, name in BLOCK_NAMES.items()
    }
    params["embedding"] = tensors["model.embed_tokens.weight"]
    params["final_norm"] = tensors["model.norm.weight"]
    params["head"] = tensors["lm_head.weight"].T
    for key, name in BLOCK_BIASES.items():
        if f"model.layers.0.{name}.bias" in tensors:
            params[key] = np.stack([tensors[f"model.layers.{layer}.{name}.bias"] for layer in range(layers)])
    params |= {key: tensors[name] for key, name in OUTER_NAMES.items() if name in tensors}
    return {name: np.asarray(values, np.float32) for name, values in params.items()}


def config(params: Mapping[str, np.ndarray], heads: int, dtype: str) -> dict[str, object]:
    """The content of config.json."""
    layers, width, hidden = params["gate"].shape
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": width,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "head_dim": params["q"].shape[-1] // heads,
        "intermediate_size": hidden,
        "vocab_size": len(params["embedding"]),
        "rms_norm_eps": EPSILON,
        "rope_theta": 1000.0,
        "torch_dtype": dtype,
    }


def _block(x: jax.Array, block: Params, heads: int, angles: np.ndarray) -> jax.Array:
    length, width = len(x), block["q"].shape[-1]
    inner = _norm(x, block["input_norm"], block.get("input_bias"))
    q, k, v = (inner @ block[name] for name in ("q", "k", "v"))
    q, k, v = (part.reshape(length, heads, width // heads) for part in (q, k, v))
    scores = jnp.einsum("qhd,khd->hqk", _rotate(q, angles), _rotate(k, angles)) / np.sqrt(width // heads)
    scores = jnp.where(np.tril(np.ones((length, length), bool)), scores, -1e9)
    x = x + jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), v).reshape(length, width) @ block["o"]
    inner = _norm(x, block["post_norm"], block.get("post_bias"))
    return x + (jax.nn.silu(inner @ block["gate"]) * (inner @ block["up"])) @ block["down"]


def _rotate(x: jax.Array, angles: np.ndarray) -> jax.Array:
    first, second = jnp.split(x, 2, axis=-1)
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    return jnp.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)


def _norm(x: jax.Array, weight: jax.Array, bias: jax.Array | None) -> jax.Array:
    if bias is not None:
        return _norm(x - x.mean(-1, keepdims=True), weight, None) + bias
    return x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + EPSILON) * weight
