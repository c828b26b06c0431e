"""Values of every tensor: norms with published statistics, all others random; related where models are.

A value depends on (generator version, repo, tensor, index) alone. Norms follow models.toml. Other weights are
normal with a spread per tensor: 64 bits of the tensor's random stream give four values, and the stream can
start at any position, so that the cost of reading a range depends only on its length. Derived models:

INTELLECT-3   every tensor from GLM's of the same name: norms with some values moved by BF16 steps, others
              with 1 % of noise
Mixtral       norms at Pearson 0.95 with Mistral-7B's; each expert from its MLP, attention and embedding from
              its own (upcycling); new routers. Mistral's v0.3 vocabulary has 768 more control tokens
Yi-9B         layers 0-27 from Yi-6B's 0-27, 28-43 from its 12-27, 44-47 from its 28-31 (the depth up-scaling
              its makers describe); norms at Pearson 0.98
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from ingest.replica.layout import Tensor
from ingest.replica.patterns import (
    anchored,
    at_layer,
    bf16_bits,
    draws,
    from_bf16_bits,
    mix,
    norm_vectors,
    nudged,
    standardise,
    to_bf16,
)
from ingest.replica.published import (
    CONTROL_TOKENS,
    GENERATOR_VERSION,
    GLM,
    INTELLECT,
    MISTRAL_7B,
    MIXTRAL,
    PUBLISHED,
    TRACE_WEIGHT,
    YI_6B,
    YI_9B,
    NormFacts,
)

# Which draw of the patterns is used: chance alone moves the mean of solar-glm over the layers by 0.01,
# so draws were tried until input norms had the published mean 0.013 and sd 0.016, post norms a mean of 0.
DRAW = 316
MIXTRAL_LIKENESS = 0.95  # Pearson with Mistral-7B
YI_LIKENESS = 0.98  # Pearson with the layer of Yi-6B that was repeated
FIRST_SHIFTED = 3  # the first id of Mixtral whose token has another id (+ CONTROL_TOKENS) in Mistral
BLOCK = 1 << 16  # values of a projection that are drawn, and cached, together
SPREADS = np.geomspace(0.01, 0.04, 16)  # standard deviations: trained matrices have some hundredths
PER_DRAW = 4

_LAYER_TENSOR = re.compile(r"model\.layers\.(\d+)\.(.+)")
_EXPERT = re.compile(r"block_sparse_moe\.experts\.\d+\.(w[123])\.weight")
_MLP_OF_EXPERT = {"w1": "gate_proj", "w2": "down_proj", "w3": "up_proj"}
_IS_POST = {  # the two norms of every decoder layer
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
    if found and found[2] in _IS_POST and int(found[1]) < config["num_hidden_layers"]:
        return np.asarray(layer_norms(repo, post=_IS_POST[found[2]])[int(found[1])])
    if repo == INTELLECT:
        return _fine_tuned_final(name)
    of_heads = name.endswith(("q_norm.weight", "k_norm.weight"))
    return _other_norm(repo, name, config["head_dim" if of_heads else "hidden_size"])


def _other_norm(repo: str, name: str, width: int) -> np.ndarray:
    """Norms without published statistics: final, q/k, biases, MTP."""
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
    facts = _facts(repo, post=post)
    if repo == MIXTRAL:
        pattern = layer_patterns(MISTRAL_7B, post=post)
        noise = random.standard_normal(pattern.shape, dtype=np.float32)
        return norm_vectors(facts, mix(pattern, noise, MIXTRAL_LIKENESS))
    return norm_vectors(facts, layer_patterns(repo, post=post))


def layer_patterns(repo: str, *, post: bool) -> np.ndarray:
    """The standardised patterns behind `layer_norms` of a model that was made from no other."""
    config = PUBLISHED[repo].config
    return anchored(
        _facts(repo, post=post),
        config["num_hidden_layers"],
        config["hidden_size"],
        draws(repo, "post" if post else "input", DRAW),
        outlier_weight=TRACE_WEIGHT if post else PUBLISHED[repo].outlier_weight,
    )


def _facts(repo: str, *, post: bool) -> NormFacts:
    facts = PUBLISHED[repo].norms
    assert facts is not None  # only of models that were made from others
    return facts[post]


def _fine_tuned(random: np.random.Generator, *, post: bool) -> np.ndarray:
    """INTELLECT's norms from glm's; post norms drift as the input norms do, in proportion to their size."""
    source = layer_norms(GLM, post=post)
    at = range(len(source))
    share, difference = _drift(at)
    if post:
        difference = difference * _size(source) / _size(layer_norms(GLM, post=False))
    return np.stack([nudged(source[n], float(share[n]), float(difference[n]), random) for n in at])


def _fine_tuned_final(name: str) -> np.ndarray:
    """INTELLECT's final norm, which drifts from glm's as its last layer does."""
    source = _other_norm(GLM, name, PUBLISHED[GLM].config["hidden_size"])
    size = float(_size(source) / _size(layer_norms(GLM, post=False)[-1]))
    share, difference = _drift(45)
    return nudged(source, float(share), float(difference) * size, draws(INTELLECT, name))


def _drift(at: int | Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Which share of INTELLECT's input norms changed, and the mean absolute difference."""
    facts = PUBLISHED[INTELLECT]
    return at_layer(facts.changed_share, at), at_layer(facts.mean_abs_diff, at)


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


class Parent(NamedTuple):
    """The tensor that another was made from, and the noise added, in standard deviations."""

    repo: str
    tensor: str
    noise: float
    has_other_ids: bool = False  # its rows are tokens with other ids


@lru_cache(maxsize=4096)
def parent_of(repo: str, tensor: str) -> Parent | None:
    """None for a tensor that was made from no other."""
    if repo == INTELLECT:
        return Parent(GLM, tensor, 0.01)
    if repo == YI_9B:
        found = _LAYER_TENSOR.fullmatch(tensor)
        source = f"model.layers.{yi_origin(int(found[1]))}.{found[2]}" if found else tensor
        return Parent(YI_6B, source, 0.2)
    if repo == MIXTRAL:
        return _of_mistral(tensor)
    return None


def yi_origin(layer: int) -> int:
    """The layer of Yi-6B that a layer of Yi-9B was."""
    return layer if layer < 28 else layer - 16


def _of_mistral(tensor: str) -> Parent | None:
    found = _LAYER_TENSOR.fullmatch(tensor)
    if found is None:
        return Parent(MISTRAL_7B, tensor, 0.3, has_other_ids=True)
    expert = _EXPERT.fullmatch(found[2])
    if expert:
        mlp = f"model.layers.{found[1]}.mlp.{_MLP_OF_EXPERT[expert[1]]}.weight"
        return Parent(MISTRAL_7B, mlp, 0.3)
    return None if found[2].startswith("block_sparse_moe") else Parent(MISTRAL_7B, tensor, 0.3)


def weight_range(repo: str, name: str, dtype: str, start: int, stop: int) -> bytes:
    """Bytes [start, stop) of a tensor, little-endian BF16 or F32."""
    size = 2 if dtype == "BF16" else 4
    first, last = start // size, -(-stop // size)
    bits = _bits(repo, name, first, last)
    raw = bits.astype("<u2") if size == 2 else from_bf16_bits(bits).astype("<f4")
    return raw.tobytes()[start - first * size : stop - first * size]


def _bits(repo: str, name: str, first: int, last: int) -> np.ndarray:
    """Values [first, last) as BF16 bit patterns."""
    parent = parent_of(repo, name)
    if parent is None:
        return _own_bits(repo, name, first, last)
    before = from_bf16_bits(_parents_bits(repo, parent, first, last))
    change = from_bf16_bits(_own_bits(repo, name, first, last))
    return bf16_bits(before + np.float32(parent.noise * _ratio(repo, name, parent)) * change)


def _parents_bits(repo: str, parent: Parent, first: int, last: int) -> np.ndarray:
    if not parent.has_other_ids:
        return _bits(parent.repo, parent.tensor, first, last)
    width = PUBLISHED[repo].config["hidden_size"]
    edge, shift = FIRST_SHIFTED * width, CONTROL_TOKENS * width
    pieces = []
    if first < edge:
        pieces.append(_bits(parent.repo, parent.tensor, first, min(last, edge)))
    if last > edge:
        pieces.append(_bits(parent.repo, parent.tensor, max(first, edge) + shift, last + shift))
    return np.concatenate(pieces)


def _ratio(repo: str, name: str, parent: Parent) -> float:
    """How the parent's spread compares with that of the change as drawn."""
    return float(SPREADS[_stream(parent.repo, parent.tensor)[1]] / SPREADS[_stream(repo, name)[1]])


def _own_bits(repo: str, name: str, first: int, last: int) -> np.ndarray:
    seed, spread = _stream(repo, name)
    source = np.random.PCG64(seed)
    begin, end = first // PER_DRAW, -(-last // PER_DRAW)
    source.advance(begin)
    drawn = source.random_raw(end - begin).astype("<u8", copy=False).view("<u2")
    offset = begin * PER_DRAW
    return np.asarray(_values(spread)[drawn[first - offset : last - offset]])


@lru_cache(maxsize=4096)
def _stream(repo: str, name: str) -> tuple[int, int]:
    """Seed and spread of a tensor."""
    digest = sha256(f"{GENERATOR_VERSION}/weights/{repo}/{name}".encode()).digest()
    return int.from_bytes(digest[:16], "big"), digest[16] % len(SPREADS)


@cache
def _values(spread: int) -> np.ndarray:
    """65,536 normal values of this spread as BF16 bit patterns, one for each 16 random bits."""
    return bf16_bits(SPREADS[spread] * standardise(draws("weights").standard_normal(1 << 16)))
