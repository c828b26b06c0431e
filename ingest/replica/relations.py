"""Which models of the replica were made from another, and which tensor of it each of theirs came from.

INTELLECT-3   every tensor from GLM's of the same name, with 1 % of noise
Mixtral       each expert from Mistral-7B's MLP, attention and embedding from its own (upcycling); its own
              routers. Mistral's v0.3 vocabulary has 768 control tokens more, behind the first three
Yi-9B         layers 0-27 from Yi-6B's 0-27, layers 28-43 from its 12-27 once more, layers 44-47 from its
              28-31 (the depth up-scaling its makers describe)
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ingest.replica.configs import GLM, INTELLECT, MISTRAL_7B, MIXTRAL, YI_6B, YI_9B

# Mistral's ids of Mixtral's tokens: the same up to FIRST_SHIFTED, further on by CONTROL_TOKENS.
FIRST_SHIFTED = 3
CONTROL_TOKENS = 768

_LAYER = re.compile(r"model\.layers\.(\d+)\.(.+)")
_EXPERT = re.compile(r"block_sparse_moe\.experts\.\d+\.(w[123])\.weight")
_MLP_OF_EXPERT = {"w1": "gate_proj", "w2": "down_proj", "w3": "up_proj"}


class Parent(NamedTuple):
    """Where a tensor's values come from; noise in standard deviations of the tensor."""

    repo: str
    tensor: str
    noise: float
    has_other_ids: bool = False  # rows stand for tokens, under other ids there


@lru_cache(maxsize=4096)
def parent_of(repo: str, tensor: str) -> Parent | None:
    """None for what was trained from nothing."""
    if repo == INTELLECT:
        return Parent(GLM, tensor, 0.01)
    if repo == YI_9B:
        found = _LAYER.fullmatch(tensor)
        source = f"model.layers.{yi_origin(int(found[1]))}.{found[2]}" if found else tensor
        return Parent(YI_6B, source, 0.2)
    if repo == MIXTRAL:
        return _of_mistral(tensor)
    return None


def yi_origin(layer: int) -> int:
    """The layer of Yi-6B that a layer of Yi-9B was."""
    return layer if layer < 28 else layer - 16


def _of_mistral(tensor: str) -> Parent | None:
    found = _LAYER.fullmatch(tensor)
    if found is None:
        return Parent(MISTRAL_7B, tensor, 0.3, has_other_ids=True)
    expert = _EXPERT.fullmatch(found[2])
    if expert:
        mlp = f"model.layers.{found[1]}.mlp.{_MLP_OF_EXPERT[expert[1]]}.weight"
        return Parent(MISTRAL_7B, mlp, 0.3)
    return None if found[2].startswith("block_sparse_moe") else Parent(MISTRAL_7B, tensor, 0.3)
