"""What is planted in the replica's tensors: norm weights by published facts, k_proj and v_proj at random.

Every value depends on (generator version, repo, tensor) alone. All other tensors: weights.py.

Derived models (relations.py says from what):
INTELLECT-3   glm's norms with some values moved by BF16 steps; k_proj, v_proj glm's plus 1 % noise
Mixtral       Mistral-7B's patterns at Pearson 0.95, own means and spreads
Yi-9B         Yi-6B's layers, each at Pearson 0.98
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

import numpy as np

from ingest.replica.architectures import Tensor
from ingest.replica.configs import GLM, INTELLECT, MISTRAL_7B, MIXTRAL, PUBLISHED, YI_6B, YI_9B
from ingest.replica.facts import (
    CHANGED_SHARE,
    DRAW,
    FACTS,
    MEAN_ABS_DIFF,
    OUTLIER_WEIGHT,
    TRACE_WEIGHT,
    at_layer,
)
from ingest.replica.patterns import (
    anchored,
    bf16_bits,
    draws,
    mix,
    norm_vectors,
    nudged,
    standardise,
    to_bf16,
)
from ingest.replica.relations import parent_of, yi_origin
from ingest.replica.weights import weight_range

MIXTRAL_LIKENESS = 0.95  # Pearson with Mistral-7B
YI_LIKENESS = 0.98  # Pearson with the layer of Yi-6B that was repeated
BLOCK = 1 << 16  # values of a projection that are drawn, and cached, together

_LAYER_TENSOR = re.compile(r"model\.layers\.(\d+)\.(.+)")
_POST_OF = {  # the two norms of every decoder layer: is it the post-attention one?
    "input_layernorm.weight": False,
    "attention_norm.weight": False,
    "post_attention_layernorm.weight": True,
    "ffn_norm.weight": True,
}


def tensor_range(repo: str, tensor: Tensor, start: int, stop: int) -> bytes:
    """Bytes [start, stop) of a tensor, little-endian."""
    if tensor.name.endswith(("k_proj.weight", "v_proj.weight")):
        return _projection_range(repo, tensor.name, start, stop)
    if "norm" in tensor.name:
        return _norm_bytes(repo, tensor.name)[start:stop]
    return weight_range(repo, tensor.name, tensor.dtype, start, stop)


@lru_cache(maxsize=4096)  # all norm tensors of all repos: some 900 of 8 kB
def _norm_bytes(repo: str, name: str) -> bytes:
    return bf16_bits(norm_vector(repo, name)).astype("<u2").tobytes()


def norm_vector(repo: str, name: str) -> np.ndarray:
    """The planted values (BF16 as float32) of a norm tensor."""
    config = PUBLISHED[repo].config
    found = _LAYER_TENSOR.fullmatch(name)
    if found and found[2] in _POST_OF and int(found[1]) < config["num_hidden_layers"]:
        return np.asarray(layer_norms(repo, post=_POST_OF[found[2]])[int(found[1])])
    if repo == INTELLECT:
        return _fine_tuned_final(name)
    of_heads = name.endswith(("q_norm.weight", "k_norm.weight"))
    return _other_norm(repo, name, config["head_dim" if of_heads else "hidden_size"])


def _other_norm(repo: str, name: str, width: int) -> np.ndarray:
    """Norms of which nothing is published but that they exist: final, q/k, biases, MTP."""
    random = draws(repo, name)
    pattern = standardise(random.standard_normal(width))
    if name.endswith(".bias"):
        mean, std = 0.0, random.uniform(0.01, 0.03)
    elif name.endswith("layernorm.weight"):
        mean, std = 1.07, 0.03  # published for the input and post norms of glm's MTP layer
    else:
        mean = random.uniform(1.2, 3.0)
        std = mean * random.uniform(0.08, 0.25)
    return to_bf16(mean + std * pattern)


@cache
def layer_norms(repo: str, *, post: bool) -> np.ndarray:
    """γ of the input or post-attention norms of all decoder layers: (layers, width), BF16 as float32."""
    random = draws(repo, "post" if post else "input", "derived")
    if repo == INTELLECT:
        return _fine_tuned(random, post=post)
    if repo == YI_9B:
        source = layer_norms(YI_6B, post=post)[[yi_origin(layer) for layer in range(48)]]
        pattern = mix(
            standardise(source), random.standard_normal(source.shape, dtype=np.float32), YI_LIKENESS
        )
        mean, std = source.mean(axis=1, keepdims=True), source.std(axis=1, keepdims=True)
        drift = 1 + 0.01 * random.standard_normal((48, 1))
        return to_bf16(mean * drift + std * pattern)
    facts = FACTS[repo][post]
    if repo == MIXTRAL:
        pattern = layer_patterns(MISTRAL_7B, post=post)
        noise = random.standard_normal(pattern.shape, dtype=np.float32)
        return norm_vectors(facts, mix(pattern, noise, MIXTRAL_LIKENESS))
    return norm_vectors(facts, layer_patterns(repo, post=post))


def layer_patterns(repo: str, *, post: bool) -> np.ndarray:
    """The standardised patterns behind `layer_norms` of a model that was made from no other."""
    config = PUBLISHED[repo].config
    return anchored(
        FACTS[repo][post],
        config["num_hidden_layers"],
        config["hidden_size"],
        draws(repo, "post" if post else "input", DRAW),
        outlier_weight=TRACE_WEIGHT if post else OUTLIER_WEIGHT.get(repo, TRACE_WEIGHT),
    )


def _fine_tuned(random: np.random.Generator, *, post: bool) -> np.ndarray:
    """INTELLECT's norms from glm's; post norms drift as the input norms do, in proportion to their size."""
    source = layer_norms(GLM, post=post)
    at = range(len(source))
    share, difference = at_layer(CHANGED_SHARE, at), at_layer(MEAN_ABS_DIFF, at)
    if post:
        difference = difference * _size(source) / _size(layer_norms(GLM, post=False))
    return np.stack([nudged(source[n], float(share[n]), float(difference[n]), random) for n in at])


def _fine_tuned_final(name: str) -> np.ndarray:
    """INTELLECT's final norm, which drifts from glm's as its last layer does."""
    source = _other_norm(GLM, name, PUBLISHED[GLM].config["hidden_size"])
    size = float(_size(source) / _size(layer_norms(GLM, post=False)[-1]))
    share, difference = at_layer(CHANGED_SHARE, 45), at_layer(MEAN_ABS_DIFF, 45)
    return nudged(source, float(share), float(difference) * size, draws(INTELLECT, name))


def _size(rows: np.ndarray) -> np.ndarray:
    return np.asarray(np.sqrt(np.square(rows, dtype=np.float64).mean(axis=-1)))


def _projection_range(repo: str, name: str, start: int, stop: int) -> bytes:
    first, last = start // 2 // BLOCK, (stop - 1) // 2 // BLOCK
    blocks = b"".join(_projection_block(repo, name, block) for block in range(first, last + 1))
    offset = first * BLOCK * 2
    return blocks[start - offset : stop - offset]


@lru_cache(maxsize=128)  # 16 MB
def _projection_block(repo: str, name: str, block: int) -> bytes:
    """One block of a k_proj or v_proj weight: normal, sd between 0.02 and 0.05 by tensor."""
    values = _projection_values(repo, name, block)
    if parent := parent_of(repo, name):
        base = _projection_values(parent.repo, parent.tensor, block)
        values = base + np.float32(parent.noise) * values
    return bf16_bits(values).astype("<u2").tobytes()


def _projection_values(repo: str, name: str, block: int) -> np.ndarray:
    sd = np.float32(draws(repo, name).uniform(0.02, 0.05))
    return np.asarray(sd * draws(repo, name, block).standard_normal(BLOCK, dtype=np.float32))
