"""Read the replica's files as a client would: header first, then the bytes of a tensor."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from ingest.replica.repos import HubRepo, replica_repos

REPOS = replica_repos()
HIGH_HALF = 16  # a BF16 value is the upper half of a float32


def shard_names(repo: HubRepo) -> list[str]:
    return [path for path in repo.files if path.endswith(".safetensors")]


@cache
def header(repo_id: str, shard: str) -> tuple[int, dict[str, Any]]:
    """Where the tensors begin in the file, and the header's entries."""
    file = REPOS[repo_id].files[shard]
    length = int.from_bytes(file.read(0, 8), "little")
    entries: dict[str, Any] = json.loads(file.read(8, 8 + length))
    return 8 + length, entries


@cache
def index(repo_id: str) -> dict[str, Any]:
    file = REPOS[repo_id].files["model.safetensors.index.json"]
    parsed: dict[str, Any] = json.loads(file.read(0, file.size))
    return parsed


@cache
def vector(repo_id: str, tensor: str) -> np.ndarray:
    """All values of a BF16 tensor, in float64."""
    shard = index(repo_id)["weight_map"][tensor]
    begin, entries = header(repo_id, shard)
    start, stop = entries[tensor]["data_offsets"]
    raw = REPOS[repo_id].files[shard].read(begin + start, begin + stop)
    bits = np.frombuffer(raw, dtype="<u2").astype(np.uint32) << HIGH_HALF
    return np.asarray(bits.view(np.float32).astype(np.float64))


@cache
def norms(repo_id: str, kind: str, layers: int) -> np.ndarray:
    """γ of one norm over the first decoder layers, (layers, width)."""
    return np.stack([vector(repo_id, f"model.layers.{n}.{kind}.weight") for n in range(layers)])


def pearson(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.corrcoef(a, b)[0, 1])


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
