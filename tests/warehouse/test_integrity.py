"""Damage is found and reported: a lake shows only what was written."""

from __future__ import annotations

import os
import random
import shutil
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.__main__ import main
from tests.sql.conftest import rows
from tests.sql.gathering import gather
from tests.sql.lakes import add_model, random_model, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.places import catalog_file
from warehouse.errors import LakeError
from warehouse.integrity.check import check_lake
from warehouse.lake import Lake
from warehouse.rows import StoredFile
from warehouse.storage.digests import is_sealed, stored_file
from warehouse.storage.parquet import table_writer, write_model, write_table
from warehouse.tables import PER_MODEL, TABLES

CHECKED = ("models", "norms", "tensors", "vectors")


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["model=evil", "layer=9/dim=3", "ln_type=x/data", "run=7"])
def test_folders_above_a_lake_are_no_columns_of_its_tables(tmp_path: Path, folder: str) -> None:
    models = {"a": random_model(1), "b": random_model(2)}
    matrices = {"a": {(0, "k_proj"): random_model(3)[0, "input_layernorm"]}}
    here, there = (
        write_lake(tmp_path / above / "lake", models, projections=matrices) for above in ("plain", folder)
    )
    queries = [f"from {table} order by all" for table in (*CHECKED[1:], "projections", "vector_stats")]
    queries += [
        "from compare('a', 'b') order by all",
        "from vectors where model = 'a' order by all",
        "select model, repo from models order by all",
    ]
    with open_catalog(here) as one, open_catalog(there) as other:
        for query in queries:
            assert rows(other, query) == rows(one, query), query


@pytest.mark.slow
def test_an_open_catalog_shows_the_models_of_its_time_and_each_in_all_tables(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    with open_catalog(lake) as connection:
        add_model(lake, "b", random_model(2))
        for table in CHECKED:
            assert connection.sql(f"select distinct model from {table}").fetchall() == [("a",)]
    with open_catalog(lake) as connection:
        for table in CHECKED:
            assert sorted(connection.sql(f"select distinct model from {table}").fetchall()) == [
                ("a",),
                ("b",),
            ]


@pytest.mark.slow
@pytest.mark.parametrize("half", ["norms", "tensors", "vectors"])
def test_files_of_a_model_without_its_row_do_not_count(tmp_path: Path, half: str) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    shutil.copy(lake.file(half, "a"), lake.file(half, "b"))
    catalog_file(lake).unlink()
    assert lake.model_names() == ["a"]
    with open_catalog(lake) as connection:
        assert connection.sql(f"select distinct model from {half}").fetchall() == [("a",)]
        with pytest.raises(duckdb.Error, match="no model 'b'"):
            connection.sql("from compare('a', 'b')").fetchall()


@pytest.mark.slow
def test_a_deleted_file_is_an_error_that_names_it_not_fewer_rows(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1), "b": random_model(2)})
    with open_catalog(lake) as connection:
        lake.file("norms", "b").unlink()
        with pytest.raises(duckdb.Error, match=r"norms/b\.parquet"):
            connection.sql("select count(*) from norms").fetchall()


@pytest.mark.slow
def test_an_undamaged_lake_is_checked_vector_by_vector(tiny: Lake) -> None:
    checked = check_lake(tiny)
    assert checked.damaged == {}
    assert checked.models == 9
    assert checked.vectors == sum(len(tiny.tensors(model)) for model in tiny.model_names())


@pytest.mark.slow
@pytest.mark.parametrize("table", CHECKED)
def test_any_flipped_bit_is_found(tmp_path: Path, table: str) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1, layers=1)})
    path = lake.file(table, "a")
    whole = path.read_bytes()
    draw = random.Random(table)
    for _ in range(12):
        damaged = bytearray(whole)
        damaged[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(damaged)
        assert list(check_lake(lake).damaged) == ["a"]
    path.write_bytes(whole)
    assert check_lake(lake).damaged == {}


@pytest.mark.slow
def test_what_was_rewritten_with_a_new_digest_still_misses_the_bytes_it_was_read_from(tmp_path: Path) -> None:
    """A lake that was changed and given new digests: vectors do not match norms."""
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    forged = write_lake(tmp_path / "forged", {"a": random_model(2)})
    for table in sorted({*PER_MODEL} - {"tensors"}):
        shutil.copy(forged.file(table, "a"), lake.file(table, "a"))
    assert "tensors" in check_lake(lake).damaged["a"]


@pytest.mark.slow
def test_rows_of_another_model_are_damage_whatever_the_digests_say(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1), "b": random_model(2)})
    both = pa.concat_tables(pq.read_table(lake.file("norms", model)) for model in "ab")
    with table_writer(lake.file("norms", "a"), TABLES["norms"], {}) as writer:
        writer.write_table(both)
    row = lake.model("a")
    files = [stored_file(one["file"], lake.folder / one["file"]) for one in row.files or ()]
    write_model(lake.file("models", "a"), replace(row, files=files), {})
    assert "rows of a model that is not there" in check_lake(lake).damaged["a"]


@pytest.mark.slow
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
    assert output[0].startswith("b: norms/b.parquet ")
    assert len(output) == 2


@pytest.mark.slow
@pytest.mark.parametrize("command", ["claims", "report"])
def test_nothing_is_judged_on_a_damaged_lake(
    data: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    lake = write_lake(data / "lake", {"a": random_model(1)})
    path = lake.file("vectors", "a")
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert main([command, "--lake", "lake"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert "nothing is judged on it: a: vectors/a.parquet is not what was written" in line


@pytest.mark.slow
def test_no_flipped_bit_in_the_models_of_a_bundle_changes_rows_unnoticed(tmp_path: Path) -> None:
    """Every bit by the functions that a check uses, and a sample of bits by the check itself."""
    lake = write_lake(tmp_path / "lake", {"a": random_model(1, layers=1), "b": random_model(2, layers=1)})
    gather(lake)
    path = lake.file("models", "00001")
    whole = path.read_bytes()
    assert is_sealed(whole)
    flipped = bytearray(whole)
    for bit in range(8 * len(whole)):
        flipped[bit // 8] ^= 1 << bit % 8
        assert not is_sealed(bytes(flipped)), bit
        flipped[bit // 8] ^= 1 << bit % 8
    for bit in random.Random(6).sample(range(8 * len(whole)), 25):
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        assert "bundle 00001" in check_lake(lake).damaged, bit
        flipped[bit // 8] ^= 1 << bit % 8
    path.write_bytes(whole)
    assert check_lake(lake).damaged == {}


@pytest.mark.slow
def test_a_model_file_that_lacks_a_column_is_damaged(tmp_path: Path) -> None:
    """Also if it was sealed without it, because every published lake has all columns."""
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    path = lake.file("models", "a")
    write_table(path, pq.ParquetFile(path).read().drop_columns("source"), {})
    assert "models/a.parquet" in check_lake(lake).damaged["a"]
    with pytest.raises(LakeError, match="no column source"):
        lake.model("a")


@pytest.mark.slow
def test_a_list_of_files_cannot_send_the_check_elsewhere(tmp_path: Path) -> None:
    """Only the model's own files are read: a pipe, for example, would never end."""
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    os.mkfifo(tmp_path / "pipe")
    row = lake.model("a")
    for path in ("../pipe", str(tmp_path / "pipe"), "/dev/zero"):
        elsewhere: StoredFile = {"file": path, "bytes": 0, "sha256": "0" * 64}
        write_model(lake.file("models", "a"), replace(row, files=[*(row.files or []), elsewhere]), {})
        assert "does not name the other files of its model" in check_lake(lake).damaged["a"]
    write_model(lake.file("models", "a"), replace(row, files=[]), {})
    assert "does not name the other files of its model" in check_lake(lake).damaged["a"]


@pytest.mark.slow
def test_a_damaged_table_of_the_whole_lake_is_found_wherever_the_bit_is(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    path = lake.folder / "toy_losses" / "toy_losses.parquet"
    path.parent.mkdir()
    write_table(path, TABLES["toy_losses"].schema.empty_table(), {"tool_version": "0"})
    whole = path.read_bytes()
    assert check_lake(lake).damaged == {}
    for bit in random.Random(7).sample(range(8 * len(whole)), 12):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        assert list(check_lake(lake).damaged) == ["toy_losses/toy_losses.parquet"], bit
