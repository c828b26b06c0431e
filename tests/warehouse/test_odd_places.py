"""Lakes and results in folders whose names mean something to a shell, SQL, DuckDB or a URL."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from analysis.__main__ import main
from tests.sql.lakes import random_model, write_lake
from warehouse.errors import CannotWrite
from warehouse.lake import Lake, remember_current

ODD = ["a?b", "a?access_mode=READ_WRITE", "a\\b", "a*b[c]#d%20e f'g\"h=i"]
UNKNOWN = ["x' or '1'='1", "'); drop table x; --", "\udcff"]

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD)
def test_a_lake_in_an_odd_folder_is_asked_and_checked(tmp_path: Path, name: str, capfd: Capture) -> None:
    lake = write_lake(tmp_path / name / "lake", {"a": random_model(1), "b": random_model(2)})
    query = "select count(*) as n from norms"
    file = tmp_path / name / f"{name}.parquet"
    assert main(["sql", query, "parquet", "--output", str(file), "--lake", str(lake.path)]) == 0
    assert pq.ParquetFile(file).read().to_pylist() == [{"n": 2 * 9 * 64}]
    assert main(["check", str(lake.path)]) == 0
    assert main(["lineage", "a", "b", "--lake", str(lake.path)]) == 0
    assert capfd.readouterr().err.count("\n") == 3


def test_a_catalog_that_duckdb_cannot_write_is_kept_in_a_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture
) -> None:
    """Where it fits neither beside the lake nor in the cache."""
    lake = write_lake(tmp_path / "a?b" / "lake", {"a": random_model(1)})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c?d"))
    assert main(["sql", "select model from models", "csv", "--lake", str(lake.path)]) == 0
    assert capfd.readouterr().out == "model\na\n"


@pytest.fixture
def own(data: Path) -> Lake:
    lake = write_lake(data / "made", {"base": random_model(1), "noisy": random_model(2)})
    remember_current(lake)
    return lake


@pytest.mark.parametrize("asked", [["compare", "base"], ["lineage", "base"], ["nearest"]])
@pytest.mark.usefixtures("own")
def test_a_name_that_no_model_has_is_one_line_whatever_is_in_it(asked: list[str], capfd: Capture) -> None:
    for name in UNKNOWN:
        assert main([*asked, name]) == 1
        lake, error = capfd.readouterr().err.splitlines()
        assert lake == "lake made: 2 models (local)"
        assert error.startswith(f"error: no model {name!r} in lake 'made': ")


def test_what_duckdb_cannot_open_is_not_opened(tmp_path: Path) -> None:
    from warehouse.catalog.connections import connect

    for name in ("a?b", "a\\b"):
        with pytest.raises(CannotWrite, match="rename that folder"):
            connect(tmp_path / name / "x.duckdb")
