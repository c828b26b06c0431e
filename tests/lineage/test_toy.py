"""The init experiment in miniature: it learns, it repeats, and its files are GPT-2's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from ingest.pipeline import ingest_folder
from ingest.zoo.folders import save_model
from ingest.zoo.gpt2 import DROPOUT, Shape, config, draw_masks, named_tensors
from ingest.zoo.toy import LOSSES_FILE, RECRUITS, STEPS, store_losses, train, training_step
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import lake_at

TINY = Shape(width=32, layers=2)


def test_each_value_is_dropped_one_time_in_ten() -> None:
    masks = draw_masks(TINY, 4, np.random.default_rng(0))
    assert set(masks) == {"embeddings", "attention", "residual"}
    for mask in masks.values():
        assert abs((~mask).mean() - DROPOUT) < 0.01
        first, second = mask.reshape(-1, *mask.shape[-2:])[:2]
        assert (first != second).any()


@pytest.mark.slow
def test_a_model_learns_repeats_exactly_and_reaches_the_lake(tmp_path: Path) -> None:
    step = training_step(TINY)
    params, losses = train(RECRUITS[0], TINY, 2, step, print)
    again, _ = train(RECRUITS[0], TINY, 2, step, print)
    assert all(np.array_equal(params[name], again[name]) for name in params)
    assert len(losses) == STEPS
    assert 5.2 < losses[0] < 6  # a guess among 256 tokens costs ln 256 = 5.5
    assert losses[-1] < losses[0] / 2

    save_model(tmp_path / "models" / "toy_ones_a", named_tensors(params), config(TINY), {})
    ingest_folder(tmp_path / "models", "zoo", toy=True)
    store_losses("zoo", "tiny", {"toy_ones_a": losses})
    lake = lake_at("zoo")
    with open_catalog(lake) as connection:
        norms = connection.sql(
            "select count(*), min(d), max(d) from vectors where model = 'toy_ones_a'"
        ).fetchall()
        found = connection.sql(
            "select mean, std from vectors where model = 'toy_ones_a' and layer = 0"
        ).fetchall()
    assert norms == [(2 * (2 * TINY.layers + 1), TINY.width, TINY.width)]
    assert any(mean > 0.9 and 0 < std < 0.1 for mean, std in found)
    rows = pq.ParquetFile(lake.path / LOSSES_FILE).read().to_pylist()
    assert [(row["first_loss"], row["last_loss"]) for row in rows] == [(losses[0], losses[-1])]
