"""`just ingest reference` crawls the base models that people start from."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ingest.__main__ import main
from ingest.cli import REFERENCE_MODELS, parse
from ingest.crawl.targets import targets_in
from ingest.registry import is_repo
from tests.crawl.crawling import failures, names
from tests.hub import serve_in_thread
from tests.ingest import tiny


def test_the_list_names_each_model_once_with_its_size() -> None:
    rows = list(csv.DictReader(REFERENCE_MODELS.read_text("utf-8").splitlines()))
    repos = [row["repo"] for row in rows]
    assert len({repo.lower() for repo in repos}) == len(repos) > 600
    assert all(is_repo(repo) for repo in repos)
    assert all(row["family"] and int(row["hidden_size"] or 128) > 100 for row in rows)
    assert [target.repo for target in targets_in(REFERENCE_MODELS)] == repos


def test_it_is_a_crawl_into_a_lake_of_its_own() -> None:
    options = parse(["reference", "--dry-run"])
    assert (options.list, options.lake, options.dry_run) == (REFERENCE_MODELS, "reference", True)


@pytest.mark.slow
def test_what_a_hub_does_not_have_is_listed(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shorter = tmp_path / "reference.csv"
    shorter.write_text("\n".join(REFERENCE_MODELS.read_text("utf-8").splitlines()[:20]))
    monkeypatch.setattr("ingest.cli.REFERENCE_MODELS", shorter)
    listed = targets_in(shorter)
    here = listed[0].repo
    with serve_in_thread(tiny.repo(here, tiny.files(tiny.norms(1)))) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert main(["reference", "--lake", "made", "--quiet"]) == 1
    assert len(names(data / "made")) == 1
    assert set(failures(data, "made").values()) == {"not on the hub, or private"}
    assert f"not in the lake: {len(listed) - 1} (" in capsys.readouterr().out
