"""Values of every tensor about which nothing is published: embeddings, MLPs, experts, routers, biases.

Normal, of a spread of the tensor's own, and independent between tensors and models but for relatives
(relations.py). A value depends on (generator version, repo, tensor, index) alone: 64 bits of the tensor's
random stream make four values, and the stream can be entered anywhere, so a range costs what its bytes cost.
"""

from __future__ import annotations

from functools import cache, lru_cache
from hashlib import sha256

import numpy as np

from ingest.replica.configs import GENERATOR_VERSION, PUBLISHED
from ingest.replica.patterns import bf16_bits, draws, from_bf16_bits, standardise
from ingest.replica.relations import CONTROL_TOKENS, FIRST_SHIFTED, Parent, parent_of

# Standard deviations: trained matrices have some hundredths.
SPREADS = np.geomspace(0.01, 0.04, 16)
PER_DRAW = 4


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
    same = _bits(parent.repo, parent.tensor, first, min(last, edge)) if first < edge else _nothing()
    begin = max(first, edge) + shift
    moved = _bits(parent.repo, parent.tensor, begin, last + shift) if last > edge else _nothing()
    return np.concatenate([same, moved])


def _nothing() -> np.ndarray:
    return np.empty(0, dtype=np.uint16)


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
