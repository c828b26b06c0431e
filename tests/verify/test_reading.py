"""`just verify` reads what the lake lacks from a hub or the disk, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.__main__ import main
from ingest.replica.population import Member, declared_base, member_of, population
from ingest.replica.repos import HubRepo
from ingest.replica.running import serve_in_process
from tests.hub import serve_in_thread
from tests.ingest import tiny
from tests.sql.lakes import random_model, write_lake
from warehouse.lake import remember_current

MEMBERS = 64


def honest_children() -> list[str]:
    """Repos whose card names the true base."""
    members = [member_of(number, MEMBERS) for number in range(MEMBERS)]
    return [
        member.name
        for member in members
        if member.base is not None and declared_base(member) == Member(member.base, None).name
    ]


def folder_of(repo: HubRepo, path: Path) -> Path:
    path.mkdir(parents=True)
    for name, file in repo.files.items():
        (path / name).write_bytes(file.read(0, file.size))
    return path


@pytest.mark.slow
def test_a_model_of_the_hub_and_its_base_are_read_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    child = honest_children()[0]
    base = population(MEMBERS)[child].base
    with serve_in_process(population=MEMBERS) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert main(["verify", child, "--lake", "hub"]) == 5
        assert f"{child}: cannot tell: it could not be stored (" in capsys.readouterr().out
        assert main(["verify", child, "--lake", "made"]) == 0
    assert f"{child}: consistent: its weights share history with {base}" in capsys.readouterr().out
    # nobody answers at that address any more: a second run asks nothing
    assert main(["verify", child, "--lake", "made"]) == 0
    assert main(["verify", child, "--lake", "made", "--base", "nobody/none"]) == 4
    out, err = capsys.readouterr()
    assert "--base nobody/none: cannot reach" in out
    assert "just ingest replica" not in out
    assert "cannot reach" not in err


@pytest.mark.slow
def test_a_folder_is_compared_with_its_declared_base_and_stored_nowhere(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(population(MEMBERS)[honest_children()[1]], tmp_path / "mine")
    with serve_in_process(population=MEMBERS) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert main(["verify", str(folder), "--lake", "made"]) == 0
    assert "mine: consistent: its weights share history with" in capsys.readouterr().out
    assert not list(data.glob("*/norms/mine.parquet"))
    assert {path.name for path in data.iterdir() if path.name[0] != "."} == {"current", "made"}


@pytest.mark.slow
def test_a_model_of_a_hub_goes_to_the_default_lake_if_that_takes_it(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = write_lake(data / "reference", {"known": random_model(1)}, "hub")
    remember_current(reference)
    repos = tiny.repo("lab/new", tiny.files(tiny.norms(1), shards=1))
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert main(["verify", "lab/new"]) == 5
    assert "lake reference: 2 models (hub)" in capsys.readouterr().err
    assert reference.has("new")


@pytest.mark.slow
def test_a_folder_with_two_models_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, repo in list(population(MEMBERS).items())[:2]:
        folder_of(repo, tmp_path / "both" / name.partition("/")[2])
    assert main(["verify", str(tmp_path / "both")]) == 1
    assert "both holds 2 models: name the folder or file of one" in capsys.readouterr().err
