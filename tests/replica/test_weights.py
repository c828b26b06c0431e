"""Tensors of the replica have their own values; those of derived models follow their parents."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ingest.replica.layout import tensors_of
from ingest.replica.published import (
    GLM,
    INTELLECT,
    INTERNLM2_7B,
    MISTRAL_7B,
    MIXTRAL,
    PHI,
    PUBLISHED,
    QWEN3_4B,
    SOLAR,
    YI_6B,
    YI_9B,
)
from tests.replica.reading import REPOS, header, index, pearson

ROWS = 16_384  # values compared


def values(repo: str, tensor: str, first: int = 0, count: int = ROWS) -> np.ndarray:
    """Some values of a tensor, read as a client reads them."""
    shard = index(repo)["weight_map"][tensor]
    begin, entries = header(repo, shard)
    entry = entries[tensor]
    start, stop = (begin + offset for offset in entry["data_offsets"])
    size = 2 if entry["dtype"] == "BF16" else 4
    at = start + first * size
    raw = REPOS[repo].files[shard].read(at, min(at + count * size, stop))
    if size == 4:
        return np.frombuffer(raw, "<f4").astype(float)
    return (np.frombuffer(raw, "<u2").astype(np.uint32) << 16).view(np.float32).astype(float)


@pytest.mark.parametrize("repo", PUBLISHED)
def test_no_tensor_of_a_layer_is_zero_constant_or_anothers(repo: str) -> None:
    names = [
        t.name for t in tensors_of(PUBLISHED[repo].config) if ".layers.5." in t.name or "layers" not in t.name
    ]
    seen = set()
    for name in names:
        some = values(repo, name, count=128)
        assert np.isfinite(some).all()
        assert some.std() > 0, name
        assert np.abs(some).max() < 10
        seen.add(some.tobytes())
    assert len(seen) == len(names)


def test_routers_and_embeddings_of_two_makers_have_nothing_in_common() -> None:
    for tensor in ("model.layers.10.mlp.gate.weight", "model.embed_tokens.weight", "lm_head.weight"):
        assert abs(pearson(values(SOLAR, tensor), values(GLM, tensor))) < 0.04
    bias = "model.layers.10.mlp.gate.e_score_correction_bias"
    assert not np.array_equal(values(SOLAR, bias), values(GLM, bias))


def test_values_are_normal_with_a_spread_of_trained_weights() -> None:
    for repo, tensor in ((PHI, "model.embed_tokens.weight"), (INTERNLM2_7B, "output.weight")):
        some = values(repo, tensor, count=400_000)
        assert 0.009 < some.std() < 0.042
        assert abs(some.mean()) < 3e-4
        assert np.mean(np.abs(some) > 2 * some.std()) == pytest.approx(0.0455, abs=0.003)


def test_any_range_of_a_tensor_is_the_same_bytes_as_the_whole() -> None:
    for repo, tensor in ((GLM, "model.layers.7.mlp.gate.weight"), (MIXTRAL, "model.embed_tokens.weight")):
        shard = index(repo)["weight_map"][tensor]
        begin, entries = header(repo, shard)
        at = begin + entries[tensor]["data_offsets"][0]
        file = REPOS[repo].files[shard]
        whole = file.read(at, at + 40_000)
        for start, stop in ((0, 1), (1, 2), (3, 17), (24_000, 25_000), (24_575, 24_577), (9, 40_000)):
            assert file.read(at + start, at + stop) == whole[start:stop]


GATE, UP = "mlp.gate_proj.weight", "mlp.up_proj.weight"
RELATED = [
    *(
        (INTELLECT, GLM, name, name)
        for name in ("model.embed_tokens.weight", "model.layers.0.mlp.up_proj.weight")
    ),
    *(
        (INTELLECT, GLM, f"model.layers.{n}.mlp.shared_experts.{part}_proj.weight", None)
        for n in (11, 30)
        for part in ("gate", "up")
    ),
    (YI_9B, YI_6B, f"model.layers.12.{GATE}", None),
    (YI_9B, YI_6B, f"model.layers.32.{UP}", f"model.layers.16.{UP}"),
    (YI_9B, YI_6B, "model.layers.32.self_attn.k_proj.weight", "model.layers.16.self_attn.k_proj.weight"),
    (YI_9B, YI_6B, "model.embed_tokens.weight", None),
    (MIXTRAL, MISTRAL_7B, "model.layers.8.block_sparse_moe.experts.5.w1.weight", f"model.layers.8.{GATE}"),
    (MIXTRAL, MISTRAL_7B, "model.layers.21.block_sparse_moe.experts.0.w3.weight", f"model.layers.21.{UP}"),
]


@pytest.mark.parametrize(("child", "parent", "tensor", "origin"), RELATED)
def test_children_have_their_parents_weights_and_a_little_noise(
    child: str, parent: str, tensor: str, origin: str | None
) -> None:
    mine, theirs = values(child, tensor), values(parent, origin or tensor)
    assert 0.9 < pearson(mine, theirs) < 0.999_99
    assert mine.std() == pytest.approx(theirs.std(), rel=0.1)


def test_mixtrals_embedding_is_mistrals_under_other_ids() -> None:
    name, width = "model.embed_tokens.weight", 4096
    for row, origin in ((0, 0), (2, 2), (3, 771), (259, 1027), (31_999, 32_767)):
        mine = values(MIXTRAL, name, row * width, width)
        assert pearson(mine, values(MISTRAL_7B, name, origin * width, width)) > 0.9
    assert abs(pearson(values(MIXTRAL, name, 5 * width), values(MISTRAL_7B, name, 5 * width))) < 0.04


def test_experts_and_unrelated_models_are_apart() -> None:
    name = f"model.layers.9.{GATE}"
    for one, other in combinations((MISTRAL_7B, YI_6B, QWEN3_4B), 2):
        assert abs(pearson(values(one, name), values(other, name))) < 0.04
    experts = [values(GLM, f"model.layers.9.mlp.experts.{n}.gate_proj.weight") for n in range(2)]
    assert abs(pearson(*experts)) < 0.04
