"""Tiny models with matrices and a tokenizer, and what a lake has of their slices."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from ingest.formats.tokenizer import spellings
from tests.ingest import tiny
from warehouse.documents import anchors
from warehouse.rows import Floats

WIDTH, NEURONS, VOCABULARY = 8, 6, 900
TOKENS = {anchor: 3 * number % 899 for number, anchor in enumerate(anchors()[:700])}


def matrix(seed: int, *shape: int) -> Floats:
    return tiny.bf16(np.random.default_rng(seed).normal(0, 1, shape).astype(np.float32))


def llama(seed: int = 1, layers: int = 3) -> dict[str, Floats]:
    """Norms, embedding, and gate and up of every layer."""
    tensors = tiny.norms(seed, layers)
    tensors["model.embed_tokens.weight"] = matrix(seed, VOCABULARY, WIDTH)
    for layer in range(layers):
        for kind in ("gate_proj", "up_proj"):
            name = f"model.layers.{layer}.mlp.{kind}.weight"
            tensors[name] = matrix(len(tensors) + 100 * seed, NEURONS, WIDTH)
    return tensors


def tokenizer(ids: Mapping[str, int] = TOKENS, scheme: str = "byte-level") -> bytes:
    """A tokenizer.json of these anchors, with merges after the vocabulary, as in real files."""
    vocab = {spellings(anchor)[scheme]: number for anchor, number in ids.items()}  # type: ignore[index]
    model = {"type": "BPE", "vocab": vocab, "merges": [["a", "b"]] * 50}
    added = [{"id": 0, "content": '"vocab": {', "special": True}]
    return json.dumps({"version": "1.0", "added_tokens": added, "model": model}).encode()


def files(tensors: Mapping[str, Floats], **others: bytes) -> dict[str, bytes]:
    config = {**tiny.CONFIG, "num_hidden_layers": 3}
    return {**tiny.files(tensors, config=config), "tokenizer.json": tokenizer(), **others}


def rows_of(lake: Path, model: str, matrix: str, layer: int, expert: str | None = None) -> Floats:
    """The weights of one matrix, row by row."""
    found = duckdb.execute(
        f"""
        select weights from '{lake}/slice_rows/{model}.parquet'
        where matrix = ? and layer = ? and expert is not distinct from ? order by row
        """,
        [matrix, layer, expert],
    ).fetchall()
    return np.array([weights for (weights,) in found], np.float32)


def tokens_of(lake: Path, model: str) -> dict[str, Sequence[float]]:
    """Embedding rows by anchor."""
    found = duckdb.execute(
        f"select anchor, weights from '{lake}/slice_rows/{model}.parquet' where matrix = 'embedding'"
    ).fetchall()
    return dict(found)


def described(lake: Path, model: str) -> list[dict[str, Any]]:
    """The rows of `slices`."""
    found = duckdb.execute(f"from '{lake}/slices/{model}.parquet'")
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
