"""`just check` compares slices with what was read, for single models and beside bundles."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

from ingest.__main__ import main
from tests.ingest import sliced, tiny
from tests.sql.lakes import copy_of
from warehouse.integrity.check import check_lake
from warehouse.integrity.inspection import refuse_malformed
from warehouse.lake import Lake, lake_at

MODELS = ("a", "b")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    above = tmp_path_factory.mktemp("models")
    for seed, name in enumerate(MODELS):
        tiny.folder(above / name, sliced.files(sliced.llama(seed)))
    return above


@pytest.fixture(scope="module")
def lakes(folders: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two lakes: single models with slices, and a bundle that got slices of one model afterwards."""
    data = tmp_path_factory.mktemp("sliced") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(data))
        assert main([str(folders), "--slices", "--quiet", "--lake", "alone"]) == 0
        assert main([str(folders / "a"), "--slices", "--quiet", "--lake", "gathered"]) == 0
        assert main([str(folders / "b"), "--quiet", "--lake", "gathered"]) == 0
        assert main(["compact", "--lake", "gathered"]) == 0
        assert main([str(folders / "b"), "--slices", "--quiet", "--lake", "gathered"]) == 0
    return data


@pytest.fixture(params=["alone", "gathered"])
def lake(lakes: Path, data: Path, request: pytest.FixtureRequest) -> Lake:
    """A copy of either."""
    return copy_of(Lake(request.param, lakes / request.param), data / request.param)


@pytest.mark.slow
def test_slices_of_gathered_models_stand_beside_their_part(lakes: Path) -> None:
    gathered = Lake("gathered", lakes / "gathered")
    assert gathered.stems() == ["00001"]
    for seed, model in enumerate(MODELS):
        gate = sliced.llama(seed)["model.layers.2.mlp.gate_proj.weight"]
        np.testing.assert_array_equal(sliced.rows_of(gathered.path, model, "gate", 2), gate)


@pytest.mark.slow
def test_what_was_read_is_verified_slice_by_slice(lake: Lake) -> None:
    checked = check_lake(lake)
    assert (checked.damaged, checked.slices, checked.unlike) == ({}, 10, 0)


def test_a_lake_with_slices_may_be_opened_by_others(lake: Lake) -> None:
    refuse_malformed(lake)


@pytest.mark.slow
def test_a_model_read_again_leaves_its_bundle_and_keeps_its_slices(lake: Lake, folders: Path) -> None:
    arguments = [str(folders / "a"), "--lake", lake.name, "--quiet", "--projections", "1"]
    lake.file("slices", "a").unlink()
    assert main(arguments) == 0
    assert main([str(folders / "a"), "--lake", lake.name, "--quiet", "--slices"]) == 0
    checked = check_lake(lake)
    assert (checked.damaged, checked.slices) == ({}, 10)


@pytest.mark.parametrize(
    ("table", "rows", "message"),
    [
        (
            "slice_rows",
            "select * replace ([w + 1 for w in weights]::float[] as weights) from old",
            "not what",
        ),
        ("slice_rows", "from old limit 5", "missing in slice_rows"),
        ("slices", "select * replace (repeat('0', 64) as sha256) from old", "are not what was read"),
    ],
)
def test_slices_that_were_changed_and_rewritten_are_named(
    lake: Lake, table: str, rows: str, message: str
) -> None:
    """All checksums of pages are right, only the values are wrong."""
    file = lake.file(table, "b")
    other = file.with_suffix(".other")
    with duckdb.connect() as connection:
        connection.execute(f"create table old as from '{file}'")
        connection.execute(f"copy ({rows}) to '{other}' (format parquet)")
    other.replace(file)
    [(model, wrong)] = check_lake(lake).damaged.items()
    assert model == "b"
    assert (message if lake.name == "gathered" else f"{table}/b.parquet") in wrong


def test_one_of_the_two_tables_alone_is_damage(lake: Lake) -> None:
    lake.file("slice_rows", "b").unlink()
    assert "slice_rows/b.parquet" in check_lake(lake).damaged["b"]


@pytest.mark.slow
def test_neurons_that_stand_in_columns_are_verified_as_they_stood(tmp_path: Path) -> None:
    """GPT-2's `up` is transposed: rows are not contiguous in the file, so the digest is of the matrix."""
    names = [f"h.{layer}.ln_{number}.weight" for layer in range(3) for number in (1, 2)]
    tensors = {name: np.ones(8, np.float32) for name in names}
    tensors |= {f"h.{layer}.mlp.c_fc.weight": sliced.matrix(layer, 8, 32) for layer in range(3)}
    config = {"architectures": ["GPT2LMHeadModel"], "n_embd": 8, "n_layer": 3}
    folder = tiny.folder(tmp_path / "turned", tiny.files(tensors, config=config))
    assert main([str(folder), "--slices", "--quiet"]) == 0
    checked = check_lake(lake_at("local"))
    assert (checked.damaged, checked.slices) == ({}, 2)


@pytest.mark.slow
def test_a_model_without_a_checksum_is_damaged_and_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    assert main([str(folder), "--quiet"]) == 0
    lake = lake_at("local")
    file = lake.file("models", "m")
    with duckdb.connect() as connection:
        connection.execute(f"create table old as from '{file}'")
        connection.execute(f"copy old to '{file}' (format parquet)")
    assert check_lake(lake).damaged == {"m": "models/m.parquet is not what was written"}
    capsys.readouterr()
    assert main([str(folder), "--quiet"]) == 0
    assert "1 written" in capsys.readouterr().out
    assert check_lake(lake).damaged == {}
