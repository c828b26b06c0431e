"""A crawl stores each repo once, notes it as a duplicate, or lists it as failed; a second run resumes."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from analysis.__main__ import main as analysis
from analysis.publish.tables import tables_of
from ingest.__main__ import main
from ingest.crawl.run import duration
from ingest.registry import registry
from ingest.replica.population import population
from ingest.replica.site import Quota
from tests.crawl.crawling import VANISHED, asked, crawl, failures, names, repos_of, rows, said, write_list
from tests.hub import Fault, serve_in_thread
from tests.ingest import tiny
from warehouse.catalog.catalog import open_catalog
from warehouse.features.build import ModelFeatures, build_features
from warehouse.features.vectors import Unpacked
from warehouse.integrity.check import check_lake
from warehouse.lake import lake_at
from warehouse.rows import ModelRow

PROJECT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def without_forcing_to_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skips fsync, which takes most of the time of storing a tiny model."""
    monkeypatch.setattr("os.fsync", lambda _file: None)


@pytest.mark.slow
def test_many_repos_become_models_duplicates_and_failures(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """More than are stored together; the last four have the norms of the first four."""
    repos = repos_of([*range(26), *range(4)])
    repos |= tiny.repo("lab/pickled", {"config.json": b"{}", "pytorch_model.bin": b"x"})
    repos |= tiny.repo("lab/gated", tiny.files(tiny.norms(0)), gated=True)
    wanted = write_list(tmp_path, [*repos, VANISHED, "LAB/model-7"])
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert crawl(wanted) == 1
        first, _ = said(capsys)
        asked_first = len(asked(hub))
        assert crawl(wanted) == 1
        assert len(asked(hub)) == asked_first, "nothing is asked twice"
        again, _ = said(capsys)
    assert rows(data / "hub", "select count(*), count(distinct model) from {models}") == [(26, 26)]
    assert rows(data / "hub", "select count(*) from {norms}") == [(26 * 3 * 8,)]
    assert rows(data / "hub", "select count(*), min(vocab_size) from {duplicates}")[0][0] == 4
    assert failures(data, "hub") == {
        "lab/gated": "gated or forbidden",
        "lab/pickled": "no readable model",
        VANISHED: "not on the hub, or private",
    }
    assert first[0] == "lake hub: 26 models, and 4 duplicates of them"
    assert "26 stored, 4 duplicates, 0 unchanged, 3 failed" in first[1]
    assert "0 stored, 0 duplicates, 0 unchanged, 0 failed; 0 requests" in again[1]
    assert first[2].startswith("not in the lake: 3 (1 ")
    assert first[2] == again[2]
    assert any(line.startswith(f"  {VANISHED}: no repo {VANISHED} at ") for line in again)


@pytest.mark.slow
def test_duplicates_name_the_model_with_their_norms_and_leave_the_others_alone(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve_in_thread(repos := repos_of([0, 1, 0, 2])) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        # one at a time, so that the first one is stored
        for repo in repos:
            assert crawl(write_list(tmp_path, [repo])) == 0
    with open_catalog(lake_at("hub")) as connection:
        found = connection.sql("select model, same_as, repo, vocab_size from duplicates").fetchall()
        near = connection.sql("select model from nearest('lab--model-0')").fetchall()
        same = connection.sql("from same_norms('lab--model-0')").fetchall()
        published = {table.name: table.rows for table in tables_of(connection, lake_at("hub"))}
    assert (published["models"], published["duplicates"]) == (3, 1)
    checked = check_lake(lake_at("hub"))
    assert (checked.models, checked.damaged) == (3, {})
    assert found == [("lab--model-2", "lab--model-0", "lab/model-2", 102)]
    assert same == [("lab--model-2", "lab/model-2", repos["lab/model-2"].commit, False)]
    assert {name for (name,) in near} == {"lab--model-1", "lab--model-3"}
    assert names(data / "hub") == {"lab--model-0", "lab--model-1", "lab--model-3"}
    capsys.readouterr()
    assert analysis(["nearest", "lab--model-0"]) == 0
    assert "Exactly the norms of lab--model-0, and not stored a second time: lab/model-2" in "\n".join(
        said(capsys)[0]
    )
    assert analysis(["nearest", "lab/model-2"]) == 1
    assert "ask for 'lab--model-0'" in said(capsys)[1][-1]


@pytest.mark.slow
def test_a_killed_crawl_goes_on_with_nothing_lost_or_doubled(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repos = repos_of([*range(30), *range(5)])
    wanted = write_list(tmp_path, repos)
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        # the crawl cannot end before its last model is there
        hub.faults.append(Fault("slow", times=None, wait=60, path="lab/model-29"))
        command = [sys.executable, "-m", "ingest", "crawl", str(wanted)]
        child = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 100
        while not list((data / "hub").glob("models/*.parquet")) and time.monotonic() < deadline:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=30)
        # and its last line was cut short
        state = data / ".crawl" / "hub" / "state.jsonl"
        state.parent.mkdir(parents=True, exist_ok=True)
        with state.open("a") as file:
            file.write('\n{"duplicate": {"model": "lab--mo')
        hub.faults.clear()
        before = names(data / "hub")
        assert 0 < len(before) < 30
        hub.server.log.clear()
        assert crawl(wanted) == 0
        read_again = {path for path in asked(hub) if path.endswith("/config.json")}
    assert rows(data / "hub", "select count(*), count(distinct norms_digest) from {models}") == [(30, 30)]
    assert rows(data / "hub", "select count(distinct repo) from {duplicates}") == [(5,)]
    assert not any(f"/{name.replace('--', '/')}/" in path for name in before for path in read_again)


@pytest.mark.slow
def test_a_quota_is_waited_for_and_never_exceeded(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quota = Quota(enforced=True, window=1, without_token={"api": 6, "resolvers": 20})
    with serve_in_thread(repos_of(range(8)), quota=quota) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert main(["crawl", str(write_list(tmp_path, repos_of(range(8))))]) == 0
        assert 429 not in {one.status for one in hub.log}
    assert len(names(data / "hub")) == 8
    assert "the hub's quota of api requests is used up: continuing in " in "\n".join(said(capsys)[1])


@pytest.mark.slow
def test_a_dry_run_says_what_the_crawl_then_costs_and_stores_nothing(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repos = repos_of(range(20))
    wanted = write_list(tmp_path, repos)
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert crawl(wanted, "--dry-run") == 0
        assert not data.exists()
        lines, _ = said(capsys)
        hub.server.log.clear()
        assert crawl(wanted) == 0
        made = len(hub.log)
    assert lines[0] == "20 repos to read into lake hub"
    assert lines[1].startswith(
        f"requests: {made}: 20 API (of 500 in 300 s), 60 resolver (of 3,000 in 300 s), "
    )
    assert lines[2].startswith("bytes: ")
    assert "hours" in lines[3]
    assert lines[-1].startswith("estimated from 10 of them")


@pytest.mark.slow
def test_a_hub_that_goes_away_ends_the_crawl_in_one_line_and_the_rest_is_read_later(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repos = repos_of(range(8))
    monkeypatch.setattr("ingest.crawl.crawler.MOST_FAILURES_IN_A_ROW", 3)
    monkeypatch.setenv("NORMHOUSE_FIRST_WAIT", "0.001")
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert crawl(write_list(tmp_path, list(repos)[:2])) == 0
        hub.faults.append(Fault("server_error", times=None))
        wanted = write_list(tmp_path, repos)
        assert crawl(wanted) == 1
        _, errors = said(capsys)
        assert errors[-1].startswith("error: the last 3 repos failed, lab/model-")
        assert "the same command resumes" in errors[-2]
        assert len(names(data / "hub")) == 2
        assert set(failures(data, "hub").values()) == {"could not be read this time"}
        hub.faults.clear()
        assert crawl(wanted) == 0
    assert len(names(data / "hub")) == 8
    assert failures(data, "hub") == {}


@pytest.mark.slow
def test_a_model_with_an_unexpected_error_fails_alone(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(vectors: Sequence[Unpacked], models: Sequence[ModelRow]) -> ModelFeatures:
        if any(row.model == "lab--model-3" for row in models):
            raise ZeroDivisionError("not expected")
        return build_features(vectors, models)

    repos = repos_of([*range(6), 0])
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setattr("ingest.shared_run.build_features", stumble)
        assert crawl(write_list(tmp_path, repos)) == 1
    assert failures(data, "hub") == {"lab/model-3": "could not be read this time"}
    assert rows(data / "hub", "select count(*), count(distinct norms_digest) from {models}") == [(5, 5)]
    assert rows(data / "hub", "select count(*) from {duplicates}") == [(1,)]


@pytest.mark.slow
def test_lines_tell_how_far_it_is_and_how_long_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repos = repos_of(range(3))
    monkeypatch.setattr("ingest.crawl.run.SECONDS_BETWEEN_LINES", 0)
    monkeypatch.setattr("ingest.crawl.crawler.TOGETHER", 1)
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert main(["crawl", str(write_list(tmp_path, repos))]) == 0
    lines = said(capsys)[1]
    assert lines[0].endswith(" without a token; lake hub: 0 are there, 3 to read")
    assert re.fullmatch(r"1 of 3: 1 stored, 0 duplicates, 0 failed; \d+ s left", lines[1])
    assert lines[-1].startswith("done in ")
    assert [duration(seconds) for seconds in (9, 600, 7_500, 400_000)] == [
        "9 s",
        "10 min",
        "2 h 5 min",
        "4 days 15 h",
    ]


@pytest.mark.slow
def test_a_changed_repo_is_read_again_on_request_only(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repos = repos_of([0, 1])
    wanted = write_list(tmp_path, repos)
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert crawl(wanted) == 0
        old = dict(rows(data / "hub", "select model, commit from {models}"))
        repos["lab/model-1"] = repos_of([0, 7])["lab/model-1"]
        assert crawl(wanted) == 0
        assert dict(rows(data / "hub", "select model, commit from {models}")) == old
        assert crawl(wanted, "--update") == 0
    new = dict(rows(data / "hub", "select model, commit from {models}"))
    assert new == {**old, "lab--model-1": repos["lab/model-1"].commit}


@pytest.mark.slow
def test_a_model_of_the_registry_has_its_alias_and_is_stored_even_if_another_has_its_norms(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    glm = registry()["glm"].repo
    repos = repos_of([0]) | tiny.repo(glm, tiny.files(tiny.norms(0, layers=1)))
    locked = data.parent / "commits.lock.json"
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert crawl(write_list(tmp_path, ["lab/model-0"])) == 0
        assert crawl(write_list(tmp_path, [glm]), "--dry-run") == 0
        assert not locked.exists()
        assert crawl(write_list(tmp_path, [glm])) == 0
    found = rows(data / "hub", "select model, registry_repo from {models} order by model")
    assert found == [("glm", glm), ("lab--model-0", None)]
    assert json.loads(locked.read_text()) == {f"{glm}@main": repos[glm].commit}


@pytest.mark.slow
def test_made_up_models_are_never_taken_for_released_ones(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repos = population(2)
    wanted = write_list(tmp_path, repos)
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert crawl(wanted) == 1
        assert "lake 'hub' is for released weights" in "\n".join(said(capsys)[0])
        assert not (data / "hub").exists()
        assert crawl(wanted, "--lake", "made") == 0
        assert crawl("--tag", "llama", "--lake", "listed") == 0
    for lake in ("made", "listed"):
        assert rows(data / lake, "select distinct source from {models}") == [("replica",)]
