"""Gathered into parts, a lake answers as before: to every reader, and when a model comes anew."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow.parquet as pq
import pytest

from ingest.__main__ import main as ingest
from tests.sql.conftest import rows
from tests.sql.gathering import ORDER, contents, gather, small_lake
from tests.sql.lakes import add_model, random_model, tiny_models, write_lake
from warehouse.catalog import catalog_file, ensure_catalog, open_catalog
from warehouse.changes import staged_change, writing
from warehouse.check import check_lake
from warehouse.compact import compact_if_many, without_model
from warehouse.errors import LakeBusy, LakeError
from warehouse.parquet import write_model
from warehouse.parts import GATHERED


def test_every_row_of_every_table_is_the_same_before_and_after(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", tiny_models())
    before, names, fingerprint = contents(lake), lake.model_names(), lake.fingerprint()
    assert gather(lake) == 9
    assert contents(lake) == before
    assert (lake.model_names(), lake.fingerprint()) == (names, fingerprint)
    assert (lake.staged(), lake.parts()) == ([], ["00001"])
    assert sorted(path.relative_to(lake.path).as_posix() for path in lake.path.rglob("*.parquet")) == sorted(
        f"{table}/00001/{table}.parquet" for table in GATHERED
    )
    assert gather(lake) == 0


def test_questions_have_the_same_answers_before_and_after(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", tiny_models())
    questions = (
        "from compare('base', 'noisy')",
        "select model, round(z_eff, 9), verdict from nearest('base') order by model",
        "select model_a, model_b, layer, round(pearson, 12) from matched_layers order by all",
        "select fingerprint, models from lake",
    )
    with open_catalog(lake) as connection:
        before = [rows(connection, query) for query in questions]
    gather(lake)
    with open_catalog(lake) as connection:
        assert [rows(connection, query) for query in questions] == before
        with pytest.raises(duckdb.Error, match="no model 'nobody' in this lake"):
            connection.sql("from compare('base', 'nobody')").fetchall()


def test_other_tools_read_a_folder_of_models_and_parts_alike(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    apart = pq.read_table(lake.path / "norms").sort_by([(name, "ascending") for name in ORDER["norms"]])
    gather(lake)
    add_model(lake, "late", random_model(9))
    folder = lake.path / "norms"
    assert len(pq.read_table(folder)) == 7 * 9 * 64
    assert len(pandas.read_parquet(folder)) == 7 * 9 * 64
    assert len(polars.read_parquet(folder)) == 7 * 9 * 64
    with duckdb.connect() as connection:
        assert len(connection.sql(f"from '{folder}/**/*.parquet'").fetchall()) == 7 * 9 * 64
    again = pq.read_table(folder, filters=[("model", "!=", "late")])
    assert again.sort_by([(name, "ascending") for name in ORDER["norms"]]).equals(apart)


def test_a_models_rows_stand_together_ordered_by_width_and_name(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    gather(lake, part_models=4)
    assert lake.parts() == ["00001", "00002"]
    for part, names in (("00001", "abcd"), ("00002", "ef")):
        for table in ("norms", "vectors", "tensors"):
            found = pq.ParquetFile(lake.file(table, part)).read()["model"].to_pylist()
            assert "".join(dict.fromkeys(found)) == names
            assert found == sorted(found)


def test_parts_that_are_far_from_full_are_gathered_again_with_newcomers(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    gather(lake, part_models=4)
    add_model(lake, "g", random_model(7))
    assert gather(lake, part_models=8) == 3
    assert lake.parts() == ["00001", "00003"]
    assert list(lake.models_in("00003")) == ["e", "f", "g"]


def test_a_newcomer_or_a_part_changes_only_the_names_in_the_catalog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = small_lake(tmp_path / "lake")
    ensure_catalog(lake)
    monkeypatch.setattr("warehouse.catalog.definitions", lambda: pytest.fail("built anew"))
    for change in (lambda: add_model(lake, "late", random_model(9)), lambda: gather(lake)):
        change()
        with open_catalog(lake) as connection:
            assert len(rows(connection, "from models")) == 7
            assert len(rows(connection, "from compare('a', 'late')")) == 9


def test_a_model_that_comes_anew_leaves_its_part(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    gather(lake)
    with writing(lake):
        with staged_change(lake) as change:
            without_model(lake, change, "c")
            change.publish()
        add_model(lake, "c", random_model(33))
    assert (lake.staged(), lake.parts()) == (["c"], ["00002"])
    assert lake.model_names() == list("abcdef")
    with open_catalog(lake) as connection:
        assert connection.sql("select count(*), count(distinct model) from vectors").fetchall() == [(54, 6)]
    assert check_lake(lake).damaged == {}


def test_a_damaged_or_missing_part_is_named_in_one_line(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    gather(lake)
    whole = tmp_path / "whole"
    shutil.copytree(lake.path, whole)
    file = lake.file("vectors", "00001")
    file.write_bytes(file.read_bytes()[:-100])
    assert "vectors/00001/vectors.parquet has" in check_lake(lake).damaged["part 00001"]
    file.unlink()
    assert check_lake(lake).damaged["part 00001"] == "vectors/00001/vectors.parquet is missing"
    catalog_file(lake).unlink(missing_ok=True)
    with pytest.raises(LakeError, match=r"cannot build the catalog .*vectors\.parquet") as caught:
        open_catalog(lake)
    assert "\n" not in str(caught.value)
    shutil.copy(whole / "vectors/00001/vectors.parquet", file)
    lake.file("models", "00001").write_bytes(b"rubbish")
    with pytest.raises(LakeError, match=r"models/00001/models\.parquet is damaged .*ingest its models anew"):
        lake.model_names()


def test_many_models_by_themselves_are_gathered_few_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = small_lake(tmp_path / "lake")
    with writing(lake):
        assert compact_if_many(lake) == 0
        monkeypatch.setattr("warehouse.compact.FEW", 6)
        assert compact_if_many(lake) == 6


@pytest.mark.parametrize(("alone", "many", "moved"), [("xy", 9, 0), ("xyz", 9, 9), ("xy", 2, 8)])
def test_few_models_wait_until_they_are_half_of_what_would_be_written_anew_or_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: str, many: int, moved: int
) -> None:
    lake = small_lake(tmp_path / "lake")
    monkeypatch.setattr("warehouse.compact.FEW", 1)
    monkeypatch.setattr("warehouse.compact.MANY", many)
    assert gather(lake) == 6
    for name in alone:
        add_model(lake, name, random_model(7))
    with writing(lake):
        assert compact_if_many(lake) == moved


def test_a_model_that_an_earlier_version_wrote_is_known_as_such_in_a_part(tmp_path: Path) -> None:
    """By files that nobody counted; ingest reads it anew."""
    lake = write_lake(tmp_path / "lake", {"a": random_model(1), "b": random_model(2)})
    write_model(lake.file("models", "a"), replace(lake.model("a"), files=None), {})
    assert gather(lake) == 2
    assert [lake.model(name).files for name in "ab"] == [None, []]


def test_two_at_once_the_second_is_refused(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    with writing(lake), pytest.raises(LakeBusy, match="is being written"):
        gather(lake)
    assert gather(lake) == 6


def test_the_command_says_what_it_did(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_lake(data / "mine")
    assert ingest(["compact", "--lake", "mine"]) == 0
    assert capsys.readouterr().out == "lake mine: 6 models gathered; 6 models in 7 files\n"
    assert ingest(["compact", "--lake", "mine"]) == 0
    assert "nothing to gather" in capsys.readouterr().out
