"""What is published of the twelve models besides their weights: config.json, shards, statistics of norms.

`configs.json` has the relevant keys of each config.json, `models.toml` the rest, with its sources.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Part of every seed: another version gives other values. Commits follow REPLICA_FILES_VERSION
# (origin_marks.py).
GENERATOR_VERSION = "1"
# Mistral's v0.3 vocabulary has this many control tokens more than Mixtral's.
CONTROL_TOKENS = 768
SERIES = ("changed_share", "mean_abs_diff")
LAST = -1  # an anchor: the model's last decoder layer
# Of the shared outlier dimensions, in all norms but those of which `models.toml` says otherwise.
TRACE_WEIGHT = 0.05

Config = dict[str, Any]  # JSON object
Series = tuple[Sequence[float], Sequence[float]]  # layers, value at each


@dataclass(frozen=True)
class NormFacts:
    """One norm (input or post-attention) of one model, over its decoder layers.

    `correlations` is the strict lower triangle of the Pearson matrix of γ at the anchor layers.
    """

    mean: Series
    std: Series
    anchors: Sequence[int]
    correlations: Sequence[Sequence[float]]


_ANCHORS = (10, 20, 30, 0, LAST)
# Free: without published figures, the layers of a model resemble each other as glm's do.
_FREE_INPUT = ((0.70,), (0.55, 0.70), (0.10, 0.08, 0.06), (0.40, 0.50, 0.75, 0.05))
_FREE_POST = ((0.80,), (0.60, 0.80), (0.40, 0.35, 0.30), (0.50, 0.65, 0.85, 0.25))


def norm_facts(
    at: Sequence[int],
    mean: Sequence[float],
    *,
    post: bool,
    std: Sequence[float] = (),
    variation: Sequence[float] = (),
    anchors: Sequence[int] = _ANCHORS,
    correlations: Sequence[Sequence[float]] = (),
) -> NormFacts:
    """Facts of one norm, as `models.toml` states them."""
    spread = std or [one * share for one, share in zip(mean, variation, strict=True)]
    rows = correlations or (_FREE_POST if post else _FREE_INPUT)[: len(anchors) - 1]
    return NormFacts((at, mean), (at, spread), anchors, rows)


@dataclass(frozen=True)
class Published:
    """Published facts of a repo. A derived model has no statistics of its own."""

    config: Config  # the relevant keys
    shards: int
    licence: str
    tokenizer: str  # family of tokenizers
    shard_bytes: int | None = None  # limit per shard, where it is not a usual one
    base: str | None = None  # the base model that the documents name
    outlier_weight: float = TRACE_WEIGHT
    norms: tuple[NormFacts, NormFacts] | None = None  # input, post
    # of a fine-tune's input norms: how many values changed, and by how much
    changed_share: Series = ((), ())
    mean_abs_diff: Series = ((), ())


def _published(config: Config, facts: dict[str, Any]) -> Published:
    if "input" in facts:
        facts["norms"] = tuple(
            norm_facts(**facts.pop(kind), post=kind == "post") for kind in ("input", "post")
        )
    series = {key: (facts[key]["at"], facts[key]["value"]) for key in SERIES if key in facts}
    return Published(config, **{**facts, **series})


def _read() -> dict[str, Published]:
    folder = Path(__file__).parent
    configs = json.loads((folder / "configs.json").read_text("utf-8"))
    models = tomllib.loads((folder / "models.toml").read_text("utf-8"))
    return {repo: _published(configs[repo], facts) for repo, facts in models.items()}


PUBLISHED = _read()

SOLAR = "upstage/Solar-Open-100B"
GLM = "zai-org/GLM-4.5-Air"
INTELLECT = "PrimeIntellect/INTELLECT-3"
PHI = "microsoft/Phi-3.5-MoE-instruct"
MIXTRAL = "mistralai/Mixtral-8x7B-Instruct-v0.1"
MISTRAL_7B = "mistralai/Mistral-7B-Instruct-v0.3"
YI_6B = "01-ai/Yi-1.5-6B-Chat"
YI_9B = "01-ai/Yi-1.5-9B-Chat"
INTERNLM2_7B = "internlm/internlm2-chat-7b"
QWEN15_7B = "Qwen/Qwen1.5-7B-Chat"
QWEN3_4B = "Qwen/Qwen3-4B"
QWEN3_14B = "Qwen/Qwen3-14B"
