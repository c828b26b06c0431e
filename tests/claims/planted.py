"""A small lake of twelve planted models, for tests that hold a claim's query against numpy.

The models have the aliases, layer counts and kinds of norms of the real ones and are 64 wide (the two Qwen 3
are not, as in life). Means and spreads are plausible and irregular, so that a wrong layer, norm, model or
divisor shows. All values are BF16 numbers, and intellect is glm with fewer and smaller changes the deeper the
layer. They are as if from the hub, so that verdicts about weights are given.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

import numpy as np

from tests.sql.lakes import replace_row
from warehouse.features.build import build_features, write_features, write_matrix_features
from warehouse.features.vectors import unpacked_norms
from warehouse.lake import Lake
from warehouse.paths import relative_file
from warehouse.rows import NO_LAYER, DeclaredBase, Floats, ModelRow, TensorRow, Vector
from warehouse.storage.commit import Commit, new_commit, write_lock
from warehouse.storage.parquet import projections_writer, write_model, write_norms, write_tensors

INPUT, POST = "input_layernorm", "post_attention_layernorm"
PROJECTED_LAYERS = (10, 20, 30)
PROJECTION_SHAPE = (4, 16)

# Layers of which the file has norms, and the width. glm's last is its MTP layer.
LAYERS = {
    "solar": 48,
    "glm": 47,
    "intellect": 46,
    "phi": 32,
    "mixtral": 32,
    "mistral_7b": 32,
    "yi_6b": 32,
    "yi_9b": 48,
    "internlm2_7b": 32,
    "qwen15_7b": 32,
    "qwen3_4b": 36,
    "qwen3_14b": 40,
}
WIDTHS = {"qwen3_4b": 40, "qwen3_14b": 80}
WIDTH = 64
MTP_LAYERS = {"glm": 1}

# Mean of γ at the first and the last layer, and the spread as a share of the mean, for input and post norms.
# Post norms are eight times too high where their length is claimed: 64 values are then as long as 4096.
SHAPES = {
    "solar": ((0.02, 0.45, 0.20), (1.2, 8.4, 0.15)),
    "glm": ((0.01, 1.30, 0.15), (0.3, 19.0, 0.10)),
    "phi": ((0.01, 1.05, 0.22), (0.4, 6.8, 0.12)),
    "mixtral": ((0.05, 2.30, 0.35), (0.30, 2.60, 0.12)),
}
OTHER_SHAPE = ((0.05, 1.40, 0.25), (0.20, 1.80, 0.15))
PARAMETERS = {"solar": 102.6e9, "glm": 110.5e9, "intellect": 106.9e9, "phi": 41.9e9}

Key = tuple[str, str, int]
"""model, ln_type, layer"""


@cache
def planted() -> Mapping[Key, Floats]:
    """Every norm vector and projection of the lake; matrices are flat, row by row."""
    found: dict[Key, Floats] = {}
    for number, model in enumerate(LAYERS):
        draw = np.random.default_rng(number)
        if model == "intellect":
            found |= _derived(draw, found)
            continue
        for ln_type, (first, last, share) in zip((INPUT, POST), SHAPES.get(model, OTHER_SHAPE), strict=True):
            pattern = draw.normal(0, 1, _width(model))
            for layer in range(LAYERS[model]):
                mean = first + (last - first) * np.sqrt(layer / LAYERS[model]) * draw.uniform(0.85, 1.1)
                # layer 0 is mostly pattern, as in the real models
                spread = first * 2.5 if layer == 0 else mean * share * draw.uniform(0.6, 1.2)
                own = 0.8 * pattern + 0.6 * draw.normal(0, 1, _width(model))
                found[model, ln_type, layer] = _bf16(mean + spread * own)
        found[model, "final_norm", NO_LAYER] = _bf16(draw.normal(2.5, 0.4, _width(model)))
        if model == "glm":
            for ln_type in ("enorm", "hnorm", "shared_head_norm"):
                found[model, ln_type, LAYERS[model] - 1] = _bf16(draw.normal(1.2, 0.3, _width(model)))
        if model == "phi":
            for layer in range(LAYERS[model]):
                for ln_type in (INPUT, POST):
                    found[model, f"{ln_type}_bias", layer] = _bf16(draw.normal(0, 0.05, _width(model)))
        if model.startswith("qwen3"):
            for layer in range(LAYERS[model]):
                for ln_type in ("q_norm", "k_norm"):
                    found[model, ln_type, layer] = _bf16(draw.normal(1.5, 0.5, 16))
        if model in ("solar", "glm", "phi"):
            for layer in PROJECTED_LAYERS:
                for ln_type in ("k_proj", "v_proj"):
                    found[model, ln_type, layer] = _bf16(draw.normal(0, 0.03, np.prod(PROJECTION_SHAPE)))
    return found


def vector(model: str, ln_type: str, layer: int) -> np.ndarray:
    """The planted values in double precision, as numpy is to compute with them."""
    return planted()[model, ln_type, layer].astype(np.float64)


def planted_lake(folder: Path) -> Lake:
    """Writes the lake into `folder`, as an ingest from the hub would have left it."""
    lake = Lake("local", folder)
    vectors: dict[str, list[Vector]] = {model: [] for model in LAYERS}
    for (model, ln_type, layer), values in planted().items():
        vectors[model].append(Vector(_tensor_row(ln_type, layer, values), values))
    norms = {
        model: [one for one in found if not one.row.ln_type.endswith("_proj")]
        for model, found in vectors.items()
    }
    rows = {model: _model_row(model) for model in LAYERS}
    packed = build_features(
        [one for model in LAYERS for one in unpacked_norms(model, norms[model])], [*rows.values()]
    )
    with write_lock(lake), new_commit(lake) as commit:
        for model, row in rows.items():
            provenance = {"repo": f"planted/{model}", "commit": _commit(model)}
            write_norms(_file(commit, "norms", model), model, norms[model], provenance)
            write_features(packed, model, partial(_file, commit, model=model), provenance)
            tensors = [one.row for one in norms[model]]
            write_tensors(_file(commit, "tensors", model), model, tensors, provenance)
            write_model(_file(commit, "models", model), row, provenance)
            matrices = sorted(
                (one for one in vectors[model] if one.row.ln_type.endswith("_proj")),
                key=lambda one: (one.row.ln_type, one.row.layer),
            )
            if matrices:
                with projections_writer(_file(commit, "projections", model), model, provenance) as writer:
                    for one in matrices:
                        writer.write(one.row.layer, one.row.ln_type, 0, one.values)
                target = _file(commit, "projection_vectors", model)
                write_matrix_features(_file(commit, "projections", model), target, provenance)
        commit.publish()
    return lake


def declare_bases(lake: Lake) -> None:
    """GLM and INTELLECT name a base that the lake lacks; Phi names GLM, of which its norms show no sign."""
    declared = (("glm", "lab/absent"), ("intellect", "lab/absent"), ("phi", lake.model("glm").repo))
    replace_row(lake, *(_declaring(lake.model(model), base) for model, base in declared))


def _declaring(model: ModelRow, base: str) -> ModelRow:
    declared: DeclaredBase = {"base": base, "relation": "finetune", "read_from": "README.md"}
    return replace(model, declared_bases=[declared])


def _derived(draw: np.random.Generator, found: Mapping[Key, Floats]) -> dict[Key, Floats]:
    """intellect: glm's decoder layers, of which fewer and fewer values moved by ever less."""
    derived: dict[Key, Floats] = {}
    for (model, ln_type, layer), values in found.items():
        if model == "glm" and ln_type in (INPUT, POST) and layer < LAYERS["intellect"]:
            moved = draw.random(len(values)) < 0.97 * 0.85**layer
            moved[layer] = True  # no layer is left alone: the highest cosine is one layer's
            step = draw.choice([-1, 1], len(values)) * draw.uniform(0.01, 0.03, len(values)) * values
            derived["intellect", ln_type, layer] = _bf16(np.where(moved, values + step, values))
    derived["intellect", "final_norm", NO_LAYER] = found["glm", "final_norm", NO_LAYER]
    return derived


def _bf16(values: np.ndarray) -> Floats:
    """Cut to what BF16 holds."""
    return (values.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)


def _width(model: str) -> int:
    return WIDTHS.get(model, WIDTH)


def _commit(model: str) -> str:
    return hashlib.sha1(model.encode()).hexdigest()


HEADER_BYTES = 40_000
VOCABULARY = {"solar": 196_608, "glm": 151_552}


def _file(commit: Commit, table: str, model: str) -> Path:
    return commit.file(relative_file(table, model))


def _tensor_row(ln_type: str, layer: int, values: Floats) -> TensorRow:
    stored = (values.view(np.uint32) >> np.uint32(16)).astype(np.uint16).tobytes()
    name = ln_type.removesuffix("_bias")
    part = "bias" if ln_type.endswith("_bias") else "weight"
    return TensorRow(
        layer=layer,
        ln_type=ln_type,
        tensor=f"model.norm.{part}" if layer == NO_LAYER else f"model.layers.{layer}.{name}.{part}",
        shard="model-00001-of-00001.safetensors",
        dtype="BF16",
        is_rounded=False,
        values=len(values),
        byte_begin=0,
        byte_end=len(stored),
        sha256=hashlib.sha256(stored).hexdigest(),
        header_bytes=HEADER_BYTES,
    )


def _model_row(model: str) -> ModelRow:
    mtp_layers = MTP_LAYERS.get(model, 0)
    return ModelRow(
        model=model,
        repo=f"planted/{model}",
        commit=_commit(model),
        source="hub",
        endpoint=None,
        licence=None,
        architecture="PhiMoEForCausalLM" if model == "phi" else "PlantedForCausalLM",
        hidden_size=_width(model),
        layers=LAYERS[model] - mtp_layers,
        mtp_layers=mtp_layers,
        dtype="BF16",
        file_bytes=int(2 * PARAMETERS.get(model, 7e9)),
        ingested_at=datetime(2026, 1, 2, tzinfo=UTC),
        tool_version="planted",
        vocab_size=VOCABULARY.get(model),
        registry_repo=f"planted/{model}",
    )
