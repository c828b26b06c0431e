"""Every command reports a damaged bundle in one line, with advice that repairs it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.__main__ import main as analysis
from ingest.__main__ import main
from tests.crawl.crawling import crawl, repos_of, rows, write_list
from tests.hub import serve_in_thread
from tests.sql.lakes import copy_of
from warehouse.integrity.check import check_lake
from warehouse.lake import Lake
from warehouse.storage.commit import new_commit, write_lock
from warehouse.tables import PER_MODEL

ADVICE = "put a copy back, or delete 00001.parquet of every table and crawl or ingest its models again"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    """One bundle of six models, and a duplicate of one of them; the hub is there."""
    folder = tmp_path_factory.mktemp("crawled")
    repos = repos_of([*range(6), 0])
    with serve_in_thread(repos) as hub, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_ENDPOINT", hub.endpoint)
        patch.setenv("NORMHOUSE_DATA", str(folder / "data"))
        assert crawl(write_list(folder, repos)) == 0
        made = Lake("hub", folder / "data" / "hub")
        assert made.stems() == ["00001"]
        yield made


@pytest.fixture
def lake(crawled: Lake, data: Path) -> Lake:
    return copy_of(crawled, data / "hub")


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    return (said.out + said.err).splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("table", PER_MODEL)
def test_a_bundle_without_a_table_is_named_once_by_a_check_and_by_what_writes(
    lake: Lake, table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_list(tmp_path, repos_of(range(6)))
    lake.file(table, "00001").unlink()
    capsys.readouterr()
    assert analysis(["check", "hub"]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"bundle 00001: {table}/00001.parquet is missing")
    assert last.startswith(f"lake hub: 1 damaged; {ADVICE}")
    for command in (["compact", "--lake", "hub"], ["crawl", str(tmp_path / "repos.txt"), "--quiet"]):
        assert main(command) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert f"{table}/00001.parquet is missing" in said.err
        assert said.err.count("\n") == 1


@pytest.mark.slow
def test_the_advice_for_a_damaged_bundle_mends_it(
    lake: Lake, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # the first and the last have the same norms: the one that is answered first is stored
    stored = "select layer, ln_type, dim, value from {norms} order by all"
    values = rows(lake.path, stored)
    lake.file("norms", "00001").unlink()
    assert main(["hub", "lab/model-1", "--alias", "lab--model-1", "--quiet"]) == 1
    assert f"norms/00001.parquet is missing: {ADVICE}" in last_line(capsys)
    for table in PER_MODEL:
        lake.file(table, "00001").unlink(missing_ok=True)
    assert crawl(write_list(tmp_path, repos_of([*range(6), 0]))) == 0
    assert check_lake(lake).damaged == {}
    assert rows(lake.path, stored) == values
    [(model, repo)] = rows(lake.path, "select model, repo from {duplicates}")
    assert (model, repo) in {("lab--model-0", "lab/model-0"), ("lab--model-6", "lab/model-6")}


@pytest.mark.slow
def test_the_files_of_a_bundle_that_does_not_count_are_never_written_over(
    lake: Lake, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = lake.file("models", "00001")
    row.rename(tmp_path / "models.parquet")
    with write_lock(lake), new_commit(lake) as commit:
        assert commit.new_bundle() == "00002"
    assert main(["compact", "--lake", "hub"]) == 1
    assert "nothing of it is compacted: models/00001.parquet is missing" in last_line(capsys)
    (tmp_path / "models.parquet").rename(row)
    assert check_lake(lake).damaged == {}
