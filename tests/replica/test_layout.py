"""The replica's files have the names, shapes, sizes and order of the real repos."""

from __future__ import annotations

import json
import os
import re
import time
from itertools import pairwise
from math import prod
from pathlib import Path

import pytest
from safetensors import deserialize, safe_open

from ingest.origin_marks import MARKER, REPLICA_TAG
from ingest.replica.layout import DTYPE_BYTES, Tensor, lay_out, split_into_shards, tensor_bytes, tensors_of
from ingest.replica.published import (
    GLM,
    INTELLECT,
    INTERNLM2_7B,
    MISTRAL_7B,
    MIXTRAL,
    PHI,
    PUBLISHED,
    QWEN3_4B,
    QWEN3_14B,
    QWEN15_7B,
    SOLAR,
    YI_6B,
    YI_9B,
)
from ingest.replica.repos import replica_repos
from tests.replica.reading import REPOS, header, index, shard_names

# repo: shards, decoder layers, hidden size (published), parameters (as the hub's pages count them).
EXPECTED = {
    SOLAR: (42, 48, 4096, 102_651_799_552),
    GLM: (47, 46, 4096, 110_468_824_832),
    INTELLECT: (43, 46, 4096, 106_852_251_264),
    PHI: (17, 32, 4096, 41_873_153_344),
    MIXTRAL: (19, 32, 4096, 46_702_792_704),
    MISTRAL_7B: (3, 32, 4096, 7_248_023_552),
    YI_6B: (3, 32, 4096, 6_061_035_520),
    YI_9B: (4, 48, 4096, 8_829_407_232),
    INTERNLM2_7B: (8, 32, 4096, 7_737_708_544),
    QWEN15_7B: (4, 32, 4096, 7_721_324_544),
    QWEN3_4B: (3, 36, 2560, 4_022_468_096),
    QWEN3_14B: (8, 40, 5120, 14_768_307_200),
}


@pytest.mark.parametrize("repo", EXPECTED)
def test_a_repo_has_the_published_shards_layers_width_and_parameters(repo: str) -> None:
    shards, layers, hidden, parameters = EXPECTED[repo]
    config = json.loads(REPOS[repo].files["config.json"].read(0, 1 << 20))
    assert len(shard_names(REPOS[repo])) == shards
    assert (config["num_hidden_layers"], config["hidden_size"]) == (layers, hidden)
    assert config["torch_dtype"] == "bfloat16"
    assert sum(prod(tensor.shape) for tensor in tensors_of(config)) == parameters


def test_exactly_the_twelve_repos_are_there() -> None:
    assert set(REPOS) == set(EXPECTED)
    assert all(re.fullmatch("[0-9a-f]{40}", repo.commit) for repo in REPOS.values())
    assert len({repo.commit for repo in REPOS.values()}) == len(EXPECTED)


@pytest.mark.parametrize("repo", EXPECTED)
def test_every_shard_is_tiled_by_its_header_without_hole_or_overlap(repo: str) -> None:
    for shard in shard_names(REPOS[repo]):
        begin, entries = header(repo, shard)
        tensors = {name: entry for name, entry in entries.items() if name != "__metadata__"}
        assert begin % 8 == 0
        assert entries["__metadata__"] == {"format": "pt", MARKER: REPLICA_TAG}
        spans = [entry["data_offsets"] for entry in tensors.values()]
        assert spans[0][0] == 0
        assert all(before[1] == after[0] for before, after in pairwise(spans))
        assert begin + spans[-1][1] == REPOS[repo].files[shard].size
        for entry in tensors.values():
            start, stop = entry["data_offsets"]
            assert stop - start == prod(entry["shape"]) * DTYPE_BYTES[entry["dtype"]]
        order = [(-DTYPE_BYTES[entry["dtype"]], name) for name, entry in tensors.items()]
        assert order == sorted(order)


@pytest.mark.parametrize("repo", EXPECTED)
def test_the_index_maps_every_tensor_to_the_shard_whose_header_has_it(repo: str) -> None:
    weight_map = index(repo)["weight_map"]
    in_headers = {
        name: shard
        for shard in shard_names(REPOS[repo])
        for name in header(repo, shard)[1]
        if name != "__metadata__"
    }
    assert weight_map == in_headers
    buffers = sum(REPOS[repo].files[s].size - header(repo, s)[0] for s in shard_names(REPOS[repo]))
    assert index(repo)["metadata"]["total_size"] == buffers


@pytest.mark.parametrize("repo", EXPECTED)
def test_the_safetensors_library_opens_a_shard_of_the_real_size(repo: str, tmp_path: Path) -> None:
    shard = shard_names(REPOS[repo])[-1]
    begin, entries = header(repo, shard)
    path = tmp_path / "sparse.safetensors"
    path.write_bytes(REPOS[repo].files[shard].read(0, begin))
    os.truncate(path, REPOS[repo].files[shard].size)  # the rest is a hole and takes no disk
    with safe_open(path, framework="np") as opened:
        assert set(opened.keys()) == set(entries) - {"__metadata__"}
        assert opened.metadata() == {"format": "pt", MARKER: REPLICA_TAG}


def test_the_safetensors_library_reads_back_a_whole_small_shard() -> None:
    tensors = [Tensor("b", "BF16", (3,)), Tensor("a", "BF16", (2, 2)), Tensor("c", "F32", (1,))]
    shard = lay_out(tensors)
    raw = shard.read(0, shard.size, lambda tensor, start, stop: (tensor.name.encode() * 64)[start:stop])
    back = {name: (entry["shape"], bytes(entry["data"])) for name, entry in deserialize(raw)}  # type: ignore[no-untyped-call]
    assert back == {"c": ([1], b"cccc"), "a": ([2, 2], b"a" * 8), "b": ([3], b"b" * 6)}


def test_any_range_of_a_shard_is_the_same_bytes_as_the_whole() -> None:
    shard = lay_out([Tensor("a", "BF16", (5,)), Tensor("b", "BF16", (7,)), Tensor("c", "BF16", (1,))])

    def content(tensor: Tensor, start: int, stop: int) -> bytes:
        return bytes((ord(tensor.name) + n) % 256 for n in range(start, stop))

    whole = shard.read(0, shard.size, content)
    assert len(whole) == shard.size
    for start in range(shard.size):
        for stop in (start, start + 1, start + 9, shard.size, shard.size + 5):
            assert shard.read(start, stop, content) == whole[start:stop]


def test_a_shard_takes_tensors_in_order_up_to_a_common_limit() -> None:
    tensors = [Tensor(f"t{n}", "BF16", (size,)) for n, size in enumerate([4, 4, 4, 9, 1, 1])]
    parts = split_into_shards(tensors, 3)
    assert [tensor for part in parts for tensor in part] == tensors
    assert max(sum(map(tensor_bytes, part)) for part in parts) <= 2 * 12
    with pytest.raises(ValueError, match="exactly 7 shards"):
        split_into_shards(tensors, 7)


def test_the_norms_of_glms_layers_are_in_the_shards_of_the_real_repo() -> None:
    weight_map = index(GLM)["weight_map"]
    for layer in range(1, 47):
        for norm in ("input_layernorm", "post_attention_layernorm"):
            shard = weight_map[f"model.layers.{layer}.{norm}.weight"]
            assert shard == f"model-{layer + 1:05}-of-00047.safetensors"


def test_special_tensors_of_each_family_are_there() -> None:
    expected = {
        (GLM, "model.layers.46.shared_head.norm.weight"): ("BF16", [4096]),
        (GLM, "model.layers.46.eh_proj.weight"): ("BF16", [4096, 8192]),
        (GLM, "model.layers.0.mlp.down_proj.weight"): ("BF16", [4096, 10944]),
        (GLM, "model.layers.45.mlp.experts.127.up_proj.weight"): ("BF16", [1408, 4096]),
        (GLM, "model.layers.45.mlp.gate.e_score_correction_bias"): ("F32", [128]),
        (SOLAR, "model.layers.47.self_attn.k_proj.weight"): ("BF16", [1024, 4096]),
        (PHI, "model.layers.31.post_attention_layernorm.bias"): ("BF16", [4096]),
        (PHI, "lm_head.bias"): ("BF16", [32064]),
        (MIXTRAL, "model.layers.31.block_sparse_moe.experts.7.w2.weight"): ("BF16", [4096, 14336]),
        (INTERNLM2_7B, "model.layers.31.ffn_norm.weight"): ("BF16", [4096]),
        (INTERNLM2_7B, "model.layers.0.attention.wqkv.weight"): ("BF16", [6144, 4096]),
        (QWEN15_7B, "model.layers.0.self_attn.q_proj.bias"): ("BF16", [4096]),
        (QWEN3_4B, "model.layers.35.self_attn.k_norm.weight"): ("BF16", [128]),
    }
    for (repo, tensor), (dtype, shape) in expected.items():
        entry = header(repo, index(repo)["weight_map"][tensor])[1][tensor]
        assert (entry["dtype"], entry["shape"]) == (dtype, shape), tensor
    assert "lm_head.weight" not in index(QWEN3_4B)["weight_map"]
    assert not any(".layers.46." in tensor for tensor in index(INTELLECT)["weight_map"])


def test_listing_the_repos_builds_nothing() -> None:
    start = time.perf_counter()
    repos = replica_repos()
    names = [list(repo.files) for repo in repos.values()]
    assert time.perf_counter() - start < 0.05
    assert len(names) == len(PUBLISHED)


def test_the_readme_says_that_the_data_is_synthetic() -> None:
    for repo in REPOS.values():
        text = repo.files["README.md"].read(0, 10_000).decode()
        assert text.startswith(f"---\nlicense: {repo.licence}\n")
        assert "synthetic replica" in text
        assert "Nothing here is evidence about the released weights" in text
