"""Lakes of tiny models with known geometry, written as ingest writes them."""

from __future__ import annotations

import hashlib
import pickle
import shutil
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from warehouse.features import vectors as vectors_module
from warehouse.features.build import ModelFeatures, build_features, write_features, write_matrix_features
from warehouse.features.vectors import unpacked_norms
from warehouse.lake import Lake
from warehouse.paths import relative_file
from warehouse.rows import ModelRow, Source, TensorRow, Vector
from warehouse.storage.commit import Commit, new_commit, write_lock
from warehouse.storage.parquet import projections_writer, write_model, write_norms, write_table, write_tensors

INPUT, POST, FINAL = "input_layernorm", "post_attention_layernorm", "final_norm"
WIDTH = 64

Values = npt.NDArray[np.float32]
Vectors = Mapping[tuple[int, str], Values]
"""(layer, ln_type) → values"""


def bf16(values: npt.ArrayLike) -> Values:
    """Truncated to BF16, as weights are stored."""
    bits = np.asarray(values, np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
    return bits.view(np.float32)


def random_model(seed: int, layers: int = 4, width: int = WIDTH) -> dict[tuple[int, str], Values]:
    """Both norms of every layer and a final norm; mean and spread differ by layer."""
    random = np.random.default_rng(seed)
    vectors = {
        (layer, ln_type): bf16(random.normal(0.3 + 0.2 * layer + 0.1 * (ln_type == POST), 0.15, width))
        for layer in range(layers)
        for ln_type in (INPUT, POST)
    }
    return {**vectors, (-1, FINAL): bf16(random.normal(1.5, 0.4, width))}


def tiny_models() -> dict[str, Vectors]:
    """A base, its copy, a noisy copy, an independent model, a constant one, and ones that do not fit."""
    base = random_model(1)
    random = np.random.default_rng(99)
    noisy = {key: bf16(values + random.normal(0, 0.02, WIDTH)) for key, values in base.items()}
    constant = {key: np.full(WIDTH, 0.1, np.float32) for key in base}
    broken = dict(random_model(3))
    broken[0, INPUT] = broken[0, INPUT].copy()
    broken[0, INPUT][:2] = [np.nan, np.inf]
    broken[1, INPUT] = broken[1, INPUT].copy()
    broken[1, INPUT][5] = -np.inf
    return {
        "base": base,
        "copy": dict(base),
        "noisy": noisy,
        "independent": random_model(2),
        "constant": constant,
        "zero": {(0, INPUT): np.zeros(WIDTH, np.float32)},
        "short": {key: values for key, values in random_model(4).items() if key[0] != 1},
        "wide": random_model(5, width=96),
        "broken": broken,
    }


def write_lake(
    path: Path,
    models: Mapping[str, Vectors],
    source: Source = "local",
    projections: Mapping[str, Vectors] | None = None,
) -> Lake:
    lake = Lake(path.name, path)
    with write_lock(lake), new_commit(lake) as commit:
        _add_models(commit, models, source)
        for model, matrices in (projections or {}).items():
            _add_projections(commit, model, matrices)
        commit.publish()
    return lake


def add_model(lake: Lake, model: str, vectors: Vectors, source: Source = "local") -> None:
    """Add a model, or replace a single model of that name."""
    add_models(lake, {model: vectors}, source)


def add_models(lake: Lake, models: Mapping[str, Vectors], source: Source = "local") -> None:
    with write_lock(lake), new_commit(lake) as commit:
        _add_models(commit, models, source)
        commit.publish()


def replace_row(lake: Lake, *rows: ModelRow) -> None:
    """Replace the rows of `models` of single models."""
    with write_lock(lake), new_commit(lake) as commit:
        for row in rows:
            write_model(_file(commit, row.model, "models"), row, {})
        commit.publish()


def write_whole(lake: Lake, table: str, rows: pa.Table) -> None:
    """Write a table that belongs to no single model."""
    with write_lock(lake), new_commit(lake) as commit:
        write_table(commit.file(relative_file(table, table)), rows, {})
        commit.publish()


def copy_of(lake: Lake, path: Path, without: str = "") -> Lake:
    """A copy that is a lake of our own."""
    copy = Lake(path.name, path)
    with write_lock(copy), new_commit(copy) as commit:
        for file in lake.folder.glob("*/*.parquet"):
            if file.parent.name != without:
                shutil.copy2(file, commit.file(file.relative_to(lake.folder).as_posix()))
        commit.publish()
    return copy


def as_sent(lake: Lake, path: Path) -> Lake:
    """A copy of the folder as somebody else may have it, which is only read."""
    shutil.copytree(lake.folder, path)
    return Lake(path.name, path, is_foreign=True)


def _add_models(commit: Commit, models: Mapping[str, Vectors], source: Source) -> None:
    """Features are built together, as ingest does for models that wait for each other."""
    norms = {model: _vectors(vectors) for model, vectors in models.items()}
    rows = {model: model_row(model, source) for model in models}
    packed = _features(pickle.dumps((models, source, vectors_module.MOST_RANKED)))
    for model, row in rows.items():
        place = partial(_file, commit, model)
        norms_digest = write_norms(place("norms"), model, norms[model], {"model": model})
        write_features(packed, model, place, {"model": model})
        digest = write_tensors(place("tensors"), model, [one.row for one in norms[model]], {})
        files = commit.written(model)
        whole = replace(row, norms_digest=norms_digest, tensors_digest=digest, files=files)
        write_model(place("models"), whole, {})


@lru_cache(maxsize=64)
def _features(pickled: bytes) -> ModelFeatures:
    """Many tests write the same models; building their features takes most of the time of a small lake."""
    models, source, _ = pickle.loads(pickled)
    unpacked = [one for model in models for one in unpacked_norms(model, _vectors(models[model]))]
    return build_features(unpacked, [model_row(model, source) for model in models])


def _vectors(vectors: Vectors) -> list[Vector]:
    return [Vector(tensor_row(layer, kind, values), values) for (layer, kind), values in vectors.items()]


def _file(commit: Commit, model: str, table: str) -> Path:
    return commit.file(relative_file(table, model))


def _add_projections(commit: Commit, model: str, matrices: Vectors) -> None:
    target = _file(commit, model, "projections")
    with projections_writer(target, model, {}) as writer:
        for (layer, kind), values in sorted(matrices.items(), key=lambda item: (item[0][1], item[0][0])):
            writer.write(layer, kind, 0, values)
    write_matrix_features(target, _file(commit, model, "projection_vectors"), {})


def tensor_row(layer: int, kind: str, values: Values) -> TensorRow:
    digest = hashlib.sha256(values.tobytes()).hexdigest()
    size = len(values)
    return TensorRow(
        layer, kind, f"{layer}.{kind}", "model.safetensors", "F32", False, size, 0, 4 * size, digest
    )


def model_row(model: str, source: Source) -> ModelRow:
    return ModelRow(
        model=model,
        repo=f"test/{model}",
        commit="0" * 40,
        source=source,
        endpoint=None,
        licence=None,
        architecture="LlamaForCausalLM",
        hidden_size=WIDTH,
        layers=4,
        mtp_layers=0,
        dtype="BF16",
        file_bytes=0,
        ingested_at=datetime(2026, 1, 1, tzinfo=UTC),
        tool_version="0",
        registry_repo=f"test/{model}" if source == "hub" else None,
    )
