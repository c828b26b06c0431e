"""A compacted lake answers as before: to every reader, and when a model is read again."""

from __future__ import annotations

import shutil
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
from warehouse.catalog.catalog import ensure_catalog, fingerprint_of, open_catalog
from warehouse.catalog.places import catalog_file
from warehouse.errors import LakeError
from warehouse.integrity.check import check_lake
from warehouse.storage.commit import new_commit, write_lock
from warehouse.storage.compaction import compact_if_many, take_out
from warehouse.tables import PER_MODEL


@pytest.mark.slow
def test_every_row_of_every_table_is_the_same_before_and_after(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", tiny_models())
    before, names, fingerprint = contents(lake), lake.model_names(), fingerprint_of(lake)
    assert gather(lake) == 9
    assert contents(lake) == before
    assert (lake.model_names(), fingerprint_of(lake)) == (names, fingerprint)
    assert (lake.single_models(), lake.bundles()) == ([], ["00001"])
    assert sorted(
        path.relative_to(lake.folder).as_posix() for path in lake.folder.rglob("*.parquet")
    ) == sorted(f"{table}/00001.parquet" for table in PER_MODEL)
    assert gather(lake) == 0


@pytest.mark.slow
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


@pytest.mark.slow
def test_other_tools_read_single_models_and_bundles_alike(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    apart = pq.read_table(lake.path / "norms").sort_by([(name, "ascending") for name in ORDER["norms"]])
    gather(lake)
    add_model(lake, "late", random_model(9))
    folder = lake.path / "norms"
    assert len(pq.read_table(folder)) == 7 * 9 * 64
    assert len(pandas.read_parquet(folder)) == 7 * 9 * 64
    assert len(polars.read_parquet(folder)) == 7 * 9 * 64
    with duckdb.connect() as connection:
        assert len(connection.sql(f"from '{folder}/*.parquet'").fetchall()) == 7 * 9 * 64
    again = pq.read_table(folder, filters=[("model", "!=", "late")])
    assert again.sort_by([(name, "ascending") for name in ORDER["norms"]]).equals(apart)


@pytest.mark.slow
def test_a_models_rows_are_contiguous_ordered_by_width_and_name(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    gather(lake, bundle_models=4)
    assert lake.bundles() == ["00001", "00002"]
    for bundle, names in (("00001", "abcd"), ("00002", "ef")):
        for table in ("norms", "vectors", "tensors"):
            found = pq.ParquetFile(lake.file(table, bundle)).read()["model"].to_pylist()
            assert "".join(dict.fromkeys(found)) == names
            assert found == sorted(found)


@pytest.mark.slow
def test_bundles_that_are_far_from_full_are_compacted_again_with_new_models(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    gather(lake, bundle_models=4)
    add_model(lake, "g", random_model(7))
    assert gather(lake, bundle_models=8) == 3
    assert lake.bundles() == ["00001", "00003"]
    assert list(lake.models_in("00003")) == ["e", "f", "g"]


@pytest.mark.slow
def test_a_new_model_or_bundle_changes_only_file_names_and_the_summary_in_the_catalog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = small_lake(tmp_path / "lake")
    ensure_catalog(lake)
    monkeypatch.setattr("warehouse.catalog.catalog.definitions", lambda: pytest.fail("rebuilt"))
    for change in (lambda: add_model(lake, "late", random_model(9)), lambda: gather(lake)):
        change()
        with open_catalog(lake) as connection:
            assert len(rows(connection, "from models")) == 7
            assert len(rows(connection, "from compare('a', 'late')")) == 9


@pytest.mark.slow
def test_a_model_that_is_ingested_again_leaves_its_bundle(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    gather(lake)
    with write_lock(lake), new_commit(lake) as commit:
        take_out(commit, ["c"])
        commit.publish()
    add_model(lake, "c", random_model(33))
    assert (lake.single_models(), lake.bundles()) == (["c"], ["00002"])
    assert lake.model_names() == list("abcdef")
    with open_catalog(lake) as connection:
        assert connection.sql("select count(*), count(distinct model) from vectors").fetchall() == [(54, 6)]
    assert check_lake(lake).damaged == {}


@pytest.mark.slow
def test_a_damaged_or_missing_bundle_is_named_in_one_line(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    gather(lake)
    whole = tmp_path / "whole"
    shutil.copytree(lake.folder, whole)
    file = lake.file("vectors", "00001")
    file.write_bytes(file.read_bytes()[:-100])
    assert "vectors/00001.parquet has" in check_lake(lake).damaged["bundle 00001"]
    file.unlink()
    assert check_lake(lake).damaged["bundle 00001"] == "vectors/00001.parquet is missing"
    catalog_file(lake).unlink(missing_ok=True)
    with pytest.raises(LakeError, match=r"cannot build the catalog .*vectors/00001\.parquet") as caught:
        open_catalog(lake)
    assert "\n" not in str(caught.value)
    shutil.copy(whole / "vectors/00001.parquet", file)
    lake.file("models", "00001").write_bytes(b"rubbish")
    with pytest.raises(LakeError, match=r"models/00001\.parquet is damaged .*ingest its models again"):
        lake.model_names()


@pytest.mark.slow
def test_many_single_models_are_compacted_few_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = small_lake(tmp_path / "lake")
    with write_lock(lake):
        assert compact_if_many(lake) == 0
        monkeypatch.setattr("warehouse.storage.compaction.MANY_SINGLES", 6)
        assert compact_if_many(lake) == 6


@pytest.mark.slow
@pytest.mark.parametrize(("arriving", "moved"), [("xy", 2), ("xyz", 9)])
def test_a_bundle_is_written_again_only_with_half_as_many_new_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arriving: str, moved: int
) -> None:
    lake = small_lake(tmp_path / "lake")
    monkeypatch.setattr("warehouse.storage.compaction.MANY_SINGLES", 2)
    assert gather(lake) == 6
    for name in arriving:
        add_model(lake, name, random_model(7))
    with write_lock(lake):
        assert compact_if_many(lake) == moved
    assert lake.model_names() == [*"abcdef", *arriving]


@pytest.mark.slow
def test_the_command_says_what_it_did(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_lake(data / "mine")
    assert ingest(["compact", "--lake", "mine"]) == 0
    assert capsys.readouterr().out == "lake mine: 6 models moved into bundles; 6 models in 7 files\n"
    assert ingest(["compact", "--lake", "mine"]) == 0
    assert "nothing to compact" in capsys.readouterr().out
