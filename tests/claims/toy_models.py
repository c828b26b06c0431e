"""Four tiny models whose norms are as training would leave them, and a lake of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb
import numpy as np
import pytest

from ingest.__main__ import main
from tests.claims.by_numpy import Doubles
from tests.ingest.headers import safetensors
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import existing_lake
from warehouse.rows import Floats

WIDTH, LAYERS = 64, 12
NORMS = ("ln_1", "ln_2")

Models = dict[str, dict[str, Floats]]


def trained() -> Models:
    """Ones stay near 1, random norms near where they began; nothing else is common to two models."""
    draw = np.random.default_rng(7)
    begun = {name: {key: draw.normal(0, 1, WIDTH) for key in keys()} for name in ("rand_a", "rand_b")}
    models = {f"toy_{name}_init": norms for name, norms in begun.items()}
    for name, norms in begun.items():
        models[f"toy_{name}"] = {key: values + draw.normal(0, 0.1, WIDTH) for key, values in norms.items()}
    for name in ("toy_ones_a", "toy_ones_b"):
        models[name] = {key: draw.normal(1.02, 0.01, WIDTH) for key in keys()}
    return {
        name: {key: values.astype(np.float32) for key, values in norms.items()}
        for name, norms in models.items()
    }


def keys() -> list[str]:
    return [f"h.{layer}.{norm}.weight" for layer in range(LAYERS) for norm in NORMS]


def vector(models: Models, model: str, norm: str, layer: int) -> Doubles:
    return models[model][f"h.{layer}.{norm}.weight"].astype(np.float64)


def lake_of(models: Models, folder: Path, patch: pytest.MonkeyPatch) -> duckdb.DuckDBPyConnection:
    config = {"architectures": ["GPT2LMHeadModel"], "n_embd": WIDTH, "n_layer": LAYERS}
    for name, norms in models.items():
        (folder / "saved" / name).mkdir(parents=True)
        (folder / "saved" / name / "config.json").write_text(json.dumps(config))
        biases = {key.replace("weight", "bias"): np.zeros(WIDTH, np.float32) for key in norms}
        (folder / "saved" / name / "model.safetensors").write_bytes(safetensors(norms | biases, "F32"))
    patch.setenv("NORMHOUSE_DATA", str(folder / "data"))
    assert main([str(folder / "saved"), "--lake", "toy", "--quiet"]) == 0
    return open_catalog(existing_lake("toy"))


@contextmanager
def with_losses(
    catalog: duckdb.DuckDBPyConnection, losses: Mapping[str, tuple[float, float]]
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The same lake after a training that ended with these losses; two models shared a sequence."""
    with catalog.cursor() as connection:
        connection.execute(
            "create temp table toy_losses (model text, stream text, first_loss double, last_loss double)"
        )
        rows = [(name, str(n % 3), *both) for n, (name, both) in enumerate(losses.items())]
        connection.executemany("insert into toy_losses values (?, ?, ?, ?)", rows)
        yield connection
