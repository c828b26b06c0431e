"""Four tiny models whose norms are as training would leave them, and a lake of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from ingest.__main__ import main
from tests.claims.by_numpy import Doubles
from tests.ingest.headers import safetensors
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import existing_lake
from warehouse.rows import Floats
from warehouse.storage.commit import new_commit, write_lock
from warehouse.storage.parquet import write_table
from warehouse.tables import TABLES

WIDTH, LAYERS = 64, 12
NORMS = ("ln_1", "ln_2")

Models = dict[str, dict[str, Floats]]
Losses = Mapping[str, tuple[float, float]]  # first and last, by model


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


def lake_of(
    models: Models, folder: Path, patch: pytest.MonkeyPatch, losses: Losses
) -> duckdb.DuckDBPyConnection:
    """A lake of the models, ingested from folders like any other, and of these losses."""
    config = {"architectures": ["GPT2LMHeadModel"], "n_embd": WIDTH, "n_layer": LAYERS}
    for name, norms in models.items():
        (folder / "saved" / name).mkdir(parents=True)
        (folder / "saved" / name / "config.json").write_text(json.dumps(config))
        biases = {key.replace("weight", "bias"): np.zeros(WIDTH, np.float32) for key in norms}
        (folder / "saved" / name / "model.safetensors").write_bytes(safetensors(norms | biases, "F32"))
    patch.setenv("NORMHOUSE_DATA", str(folder / "data"))
    assert main([str(folder / "saved"), "--lake", "toy", "--quiet"]) == 0
    lake = existing_lake("toy")
    if losses:
        table = pa.Table.from_pylist(_rows(losses), TABLES["toy_losses"].schema)
        with write_lock(lake), new_commit(lake) as commit:
            write_table(commit.file("toy_losses/toy_losses.parquet"), table, {})
            commit.publish()
    return open_catalog(lake)


def _rows(losses: Losses) -> list[dict[str, object]]:
    return [
        {
            "model": model,
            "stream": n,
            "size": "published",
            "steps": 300,
            "first_loss": first,
            "last_loss": last,
        }
        for n, (model, (first, last)) in enumerate(losses.items())
    ]


@contextmanager
def with_losses(catalog: duckdb.DuckDBPyConnection, losses: Losses) -> Iterator[duckdb.DuckDBPyConnection]:
    """The same lake after a training that ended with other losses."""
    with catalog.cursor() as connection:
        connection.register("changed", pa.Table.from_pylist(_rows(losses), TABLES["toy_losses"].schema))
        connection.execute(
            "create temp table toy_losses as select *, last_loss < 0.1 as has_learned from changed"
        )
        yield connection
