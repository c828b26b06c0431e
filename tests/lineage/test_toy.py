"""The init experiment in miniature: it learns, it repeats, and its files are GPT-2's."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from ingest.pipeline import ingest_folder
from ingest.zoo import toy
from ingest.zoo.folders import WEIGHTS, save_model
from ingest.zoo.toy import (
    DROPOUT,
    RECRUITS,
    STEPS,
    Shape,
    config,
    draw_masks,
    named_tensors,
    store_losses,
    train,
    training_step,
)
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import lake_at

TINY = Shape(width=128, layers=2)


def test_each_value_is_dropped_one_time_in_ten() -> None:
    masks = draw_masks(TINY, 4, np.random.default_rng(0))
    assert set(masks) == {"embeddings", "attention", "residual"}
    for mask in masks.values():
        assert abs((~mask).mean() - DROPOUT) < 0.01
        first, second = mask.reshape(-1, *mask.shape[-2:])[:2]
        assert (first != second).any()


@pytest.mark.slow
def test_a_model_learns_repeats_exactly_and_reaches_the_lake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = training_step(TINY)
    params, losses = train(RECRUITS[0], TINY, step, print)
    assert len(losses) == STEPS
    monkeypatch.setattr(toy, "STEPS", 20)
    _, again = train(RECRUITS[0], TINY, step, print)
    assert again == losses[:20]
    assert 5.2 < losses[0] < 6  # a guess among 256 tokens costs ln 256 = 5.5
    assert losses[-1] < 0.1  # from where sql/views/toy_losses.sql says that a model has learned

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
    rows = pq.ParquetFile(lake.path / "toy_losses" / "toy_losses.parquet").read().to_pylist()
    assert [(row["first_loss"], row["last_loss"]) for row in rows] == [(losses[0], losses[-1])]


@pytest.mark.slow
def test_finished_models_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(toy.SIZES, "small", Shape(width=32, layers=1))
    monkeypatch.setattr(toy, "STEPS", 2)
    first = toy.run_toy("small", tmp_path, "toys")
    kept = [recruit.alias for recruit in RECRUITS[1:]]
    written = {alias: (tmp_path / alias / WEIGHTS).stat().st_ino for alias in kept}
    shutil.rmtree(tmp_path / RECRUITS[0].alias)
    assert toy.run_toy("small", tmp_path, "toys") == first
    assert {alias: (tmp_path / alias / WEIGHTS).stat().st_ino for alias in kept} == written
    assert (tmp_path / RECRUITS[0].alias / WEIGHTS).exists()


@pytest.mark.exhaustive
def test_all_four_models_of_the_small_size_learn(tmp_path: Path) -> None:
    toy.run_toy("small", tmp_path, "toys")
    with open_catalog(lake_at("toys")) as connection:
        found = connection.sql("select model, has_learned from toy_losses order by model").fetchall()
    assert found == [(recruit.alias, True) for recruit in RECRUITS]
