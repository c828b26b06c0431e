"""Recognises synthetic and toy weights by their marks, however they reach us.

Every file of the replica and of a model trained here carries a tag: safetensors in `__metadata__`,
config.json under MARKER, the model card among its tags, GGUF in `general.tags` (where llama.cpp puts the
card's). The tag decides a model's source. If every tag was removed, the replica is still recognised by its
final norms and by the commits of its repos.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha1, sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # these import numpy and Arrow, and the replica hub starts before those are loaded
    from warehouse.rows import Floats, Source, Vector

# Tags of the replica hub's repos and of models trained here, in the API, model cards and files.
REPLICA_TAG = "normhouse-replica"
TOY_TAG = "normhouse-toy"
TAGS: dict[str, Source] = {REPLICA_TAG: "replica", TOY_TAG: "toy"}
# The key of the tag in config.json and in the metadata of safetensors.
MARKER = "normhouse_marker"

# Raise it whenever a file of the replica's repos changes; commits depend on it.
REPLICA_FILES_VERSION = 2

# First 16 digits of the sha256 of the replica's final norms (BF16, little-endian); tests compute them again.
REPLICA_FINAL_NORMS = frozenset(
    {
        "fec2efaf9bd2031b",
        "b30e6494c9479064",
        "aa85626162ad8f05",
        "ca06e1e053b349b6",
        "e01de34df6ca63bc",
        "eccd2a9a71a70e9e",
        "f6c0554674b2b355",
        "1594fa9f7523d852",
        "15eb9c7fd78fea24",
        "eca5d4677d314175",
        "13ed88508576b9d9",
        "730cb04257881cdf",
    }
)


def replica_commit(repo: str) -> str:
    """The commit of a repo at the replica hub, which no released repo has."""
    return sha1(f"{REPLICA_FILES_VERSION}/{repo}".encode(), usedforsecurity=False).hexdigest()


def marked_json(raw: bytes) -> Source | None:
    """The mark in a safetensors header or config.json, found in the bytes because parsing is slow."""
    return next((source for tag, source in TAGS.items() if f'"{tag}"'.encode() in raw), None)


def marked_gguf(header: bytes) -> Source | None:
    """The mark in any text of a GGUF header; a text follows its length there."""
    for tag, source in TAGS.items():
        if len(tag).to_bytes(8, "little") + tag.encode() in header:
            return source
    return None


def marked_card(card: bytes) -> Source | None:
    """The mark among the tags at the top of a README.md; the text below is ignored."""
    top = re.match(rb"---\r?\n(.*?)\n---", card, re.DOTALL)
    named = top[1].decode(errors="replace") if top else ""
    return next((source for tag, source in TAGS.items() if re.search(rf"\b{tag}\b", named)), None)


def marked_norms(vectors: Iterable[Vector]) -> Source | None:
    """`replica` if a final norm equals one of the replica's, in whatever format it is stored."""
    digests = {_bf16_digest(vector.values) for vector in vectors if vector.row.ln_type == "final_norm"}
    return "replica" if digests & REPLICA_FINAL_NORMS else None


def _bf16_digest(values: Floats) -> str:
    import numpy as np

    bits = (np.ascontiguousarray(values).view(np.uint32) >> 16).astype("<u2")
    return sha256(bits.tobytes()).hexdigest()[:16]
