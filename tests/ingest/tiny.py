"""Tiny models with known values, as repos for the replica server and as folders on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha1
from pathlib import Path
from typing import Any

import numpy as np

from ingest.replica.repos import HubRepo, file_of
from tests.ingest.headers import safetensors
from warehouse.rows import Floats

CONFIG = {"architectures": ["LlamaForCausalLM"], "hidden_size": 8, "num_hidden_layers": 3}


def bf16(values: Floats) -> Floats:
    """Values truncated to BF16, so that files and expectations agree exactly."""
    return (values.view(np.uint32) & 0xFFFF0000).view(np.float32)


def norms(seed: int, layers: int = 3, width: int = 8) -> dict[str, Floats]:
    """Norm tensors of a llama-like model by tensor name."""
    draw = np.random.default_rng(seed)
    names = [
        f"model.layers.{i}.{kind}.weight"
        for i in range(layers)
        for kind in ("input_layernorm", "post_attention_layernorm")
    ]
    return {
        name: bf16(draw.normal(1, 0.1, width).astype(np.float32)) for name in [*names, "model.norm.weight"]
    }


def files(
    tensors: Mapping[str, Floats], shards: int = 2, config: Mapping[str, Any] = CONFIG
) -> dict[str, bytes]:
    """Files of a sharded BF16 model, with these tensors in turn."""
    parts = [dict(list(tensors.items())[part::shards]) for part in range(shards)]
    names = [f"model-{part + 1:05}-of-{shards:05}.safetensors" for part in range(shards)]
    weight_map = {tensor: name for name, part in zip(names, parts, strict=True) for tensor in part}
    index = json.dumps({"metadata": {}, "weight_map": weight_map}).encode()
    content = {name: safetensors(part, "BF16") for name, part in zip(names, parts, strict=True)}
    return {"config.json": json.dumps(config).encode(), "model.safetensors.index.json": index, **content}


def repo(name: str, content: Mapping[str, bytes], **settings: Any) -> dict[str, HubRepo]:  # noqa: ANN401
    """One repo for `serve_in_thread`; safetensors and GGUF are LFS files, as on the hub."""
    commit = sha1(repr(sorted(content.items())).encode()).hexdigest()
    hub_files = {
        path: file_of(data, lfs=path.endswith((".safetensors", ".gguf"))) for path, data in content.items()
    }
    return {name: HubRepo(name, commit, hub_files, **settings)}


def folder(path: Path, content: Mapping[str, bytes]) -> Path:
    path.mkdir(parents=True)
    for name, data in content.items():
        (path / name).write_bytes(data)
    return path


def cached(cache: Path, name: str, commit: str, seed: int) -> Path:
    """A snapshot in the Hugging Face cache as the hub's own client leaves it; returns its folder."""
    home = cache / f"models--{name.replace('/', '--')}"
    (home / "refs").mkdir(parents=True)
    (home / "refs" / "main").write_text(commit)
    return folder(home / "snapshots" / commit, files(norms(seed)))
