"""What a lake shows is what was written: from its own folders, each model whole, and damage never silent."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import duckdb
import pytest

from analysis.__main__ import main
from tests.sql.conftest import rows
from tests.sql.lakes import add_model, random_model, write_lake
from warehouse.catalog import open_catalog
from warehouse.check import check_lake
from warehouse.damage import damage_of
from warehouse.lake import Lake

TABLES = ("models", "norms", "tensors", "vectors")


@pytest.mark.parametrize("folder", ["model=evil", "layer=9/dim=3", "ln_type=x/data", "run=7"])
def test_folders_above_a_lake_are_no_columns_of_its_tables(tmp_path: Path, folder: str) -> None:
    models = {"a": random_model(1), "b": random_model(2)}
    matrices = {"a": {(0, "k_proj"): random_model(3)[0, "input_layernorm"]}}
    here, there = (
        write_lake(tmp_path / above / "lake", models, projections=matrices) for above in ("plain", folder)
    )
    queries = [f"from {table} order by all" for table in (*TABLES[1:], "projections", "vector_stats")]
    queries += [
        "from compare('a', 'b') order by all",
        "from vectors_of('a') order by all",
        "select model, repo from models order by all",
    ]
    with open_catalog(here) as one, open_catalog(there) as other:
        for query in queries:
            assert rows(other, query) == rows(one, query), query


def test_an_open_catalog_shows_the_models_of_its_time_and_each_in_all_tables(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    with open_catalog(lake) as connection:
        add_model(lake, "b", random_model(2))
        for table in TABLES:
            assert connection.sql(f"select distinct model from {table}").fetchall() == [("a",)]
    with open_catalog(lake) as connection:
        for table in TABLES:
            assert sorted(connection.sql(f"select distinct model from {table}").fetchall()) == [
                ("a",),
                ("b",),
            ]


@pytest.mark.parametrize("half", ["norms", "tensors", "vectors"])
def test_files_of_a_model_without_its_row_do_not_count(tmp_path: Path, half: str) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    shutil.copytree(lake.path / half / "a", lake.path / half / "b")
    assert lake.model_names() == ["a"]
    with open_catalog(lake) as connection:
        assert connection.sql(f"select distinct model from {half}").fetchall() == [("a",)]
        with pytest.raises(duckdb.Error, match="no model 'b'"):
            connection.sql("from compare('a', 'b')")


def test_a_deleted_file_is_an_error_that_names_it_not_fewer_rows(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1), "b": random_model(2)})
    with open_catalog(lake) as connection:
        lake.file("norms", "b").unlink()
        with pytest.raises(duckdb.Error, match=r"b/norms\.parquet"):
            connection.sql("select count(*) from norms").fetchall()


def test_an_undamaged_lake_is_checked_vector_by_vector(tiny: Lake) -> None:
    checked = check_lake(tiny)
    assert checked.damaged == {}
    assert checked.models == 9
    assert checked.vectors == sum(len(tiny.tensors(model)) for model in tiny.model_names())


@pytest.mark.parametrize("table", TABLES)
def test_any_flipped_bit_is_found(tmp_path: Path, table: str) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1, layers=1)})
    path = lake.file(table, "a")
    whole, row = path.read_bytes(), lake.model("a")
    draw = random.Random(table)
    for _ in range(12):
        damaged = bytearray(whole)
        damaged[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(damaged)
        # The row of `models` has no digest elsewhere: what says nothing about the row may differ in its file.
        if table != "models" or damage_of(lake, "a"):
            assert list(check_lake(lake).damaged) == ["a"]
        else:
            assert lake.model("a") == row
    path.write_bytes(whole)
    assert check_lake(lake).damaged == {}


def test_what_was_rewritten_with_a_new_digest_still_misses_the_bytes_it_was_read_from(tmp_path: Path) -> None:
    """A lake that was changed and signed anew: the vectors are not those of the model's own files."""
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    forged = write_lake(tmp_path / "forged", {"a": random_model(2)})
    for table in ("norms", "vectors", "models"):
        shutil.copy(forged.file(table, "a"), lake.file(table, "a"))
    assert "tensors" in check_lake(lake).damaged["a"]


@pytest.mark.parametrize("how", ["cut", "gone", "flipped"])
def test_the_command_names_what_is_damaged_and_ends_in_1(
    data: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    lake = write_lake(data / "lake", {"a": random_model(1), "b": random_model(2)})
    assert main(["check", "lake"]) == 0
    assert "2 models, 18 vectors, all as they were written" in capsys.readouterr().out
    path = lake.file("norms", "b")
    whole = path.read_bytes()
    if how == "gone":
        path.unlink()
    else:
        path.write_bytes(whole[:-9] if how == "cut" else whole[:500] + bytes([whole[500] ^ 1]) + whole[501:])
    assert main(["check", "lake"]) == 1
    output = capsys.readouterr().out.splitlines()
    assert output[0].startswith("b: norms/b/norms.parquet ")
    assert len(output) == 2


@pytest.mark.parametrize("command", ["claims", "report"])
def test_nothing_is_judged_on_a_damaged_lake(
    data: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    lake = write_lake(data / "lake", {"a": random_model(1)})
    path = lake.file("vectors", "a")
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert main([command, "--lake", "lake"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert "nothing is judged on it: a: vectors/a/vectors.parquet is not what was written" in line
