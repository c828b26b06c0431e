"""Commits are atomic: at a crash, on a full disk, without hard links, beside another writer."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.__main__ import main as analysis
from tests.sql.gathering import contents, gather, small_lake
from tests.sql.lakes import add_model, as_sent, random_model, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.places import catalog_file
from warehouse.errors import LakeBusy, LakeError
from warehouse.integrity.check import check_lake
from warehouse.lake import PUBLISHED, Lake, existing_lake, lake_at
from warehouse.storage import commit as commit_module
from warehouse.storage.commit import Commit, new_commit, write_lock
from warehouse.storage.compaction import take_out

PROJECT = Path(__file__).parents[2]

# Python tells an audit hook of every file that is about to be made, moved, linked, removed or opened.
AT_EVERY_STEP = """
import errno, json, os, signal, sys
from pathlib import Path
from tests.ingest.running import tree
from warehouse.errors import LakeError
from warehouse.lake import Lake
from warehouse.storage.commit import Commit, new_commit, write_lock

STEPS = {"os.mkdir", "os.rename", "os.remove", "os.link", "os.symlink", "os.rmdir", "open"}
data, how, step = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
steps_left = None

def hook(event, arguments):
    global steps_left
    if steps_left is None or event not in STEPS or str(data) not in str(arguments[0]):
        return
    steps_left -= 1
    if steps_left < 0 and how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if steps_left < 0 and event not in ("os.remove", "os.rmdir"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

def change(lake, text, removed=()):
    with write_lock(lake), new_commit(lake) as commit:
        for name in ("a", text):
            for table in ("norms", "tensors", "models"):
                commit.file(f"{table}/{name}.parquet").write_text(text)
        for name in removed:
            commit.remove(name)
        commit.publish()

sys.addaudithook(hook)
lake = Lake("lake", data / f"{how}_{step}" / "lake")
change(lake, "old")
steps_left = step
try:
    change(lake, "new", ["norms/old.parquet"])
    print("done")
except LakeError as error:
    print(error)
"""


def run_step(data: Path, how: str, step: int) -> tuple[Lake, str]:
    """A lake after a commit that was killed or found a full disk at a step, and the message."""
    child = subprocess.run(
        [sys.executable, "-c", AT_EVERY_STEP, str(data), how, str(step)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode in (0, -9), child.stderr
    return Lake("lake", data / f"{how}_{step}" / "lake"), child.stdout.strip()


OLD = {f"{table}/{name}.parquet": "old" for table in ("norms", "tensors", "models") for name in ("a", "old")}
NEW = {
    **{f"{table}/{name}.parquet": "new" for table in ("norms", "tensors", "models") for name in ("a", "new")},
    **{f"{table}/old.parquet": "old" for table in ("tensors", "models")},
}


def texts(lake: Lake) -> dict[str, str]:
    folder = lake.folder
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.glob("*/*.parquet")}


@pytest.mark.exhaustive
@pytest.mark.parametrize("how", ["killed", "full"])
def test_stopped_at_any_step_a_commit_leaves_the_old_or_the_new_lake(tmp_path: Path, how: str) -> None:
    seen = []
    for step in range(200):
        lake, said = run_step(tmp_path, how, step)
        found = texts(lake)
        assert found in (OLD, NEW), step
        seen.append(found == NEW)
        if how == "full" and said != "done":
            assert "\n" not in said
            assert "no space" in said.lower(), (step, said)
            assert found == OLD or not said.endswith("run the same command again"), (step, said)
        # the next writer removes what was left, and its commit is complete
        with write_lock(lake), new_commit(lake) as commit:
            commit.file("norms/later.parquet").write_text("later")
            commit.publish()
        assert texts(lake) == {**found, "norms/later.parquet": "later"}
        numbers = sorted(int(path.name) for path in lake.store.iterdir() if path.is_dir())
        assert numbers == list(range(1, numbers[-1] + 1))
        if said == "done":
            break
    assert said == "done"
    assert seen.count(False) > 20


@pytest.mark.slow
@pytest.mark.parametrize("how", ["killed", "full"])
def test_stopped_at_a_step_a_commit_leaves_the_old_lake(tmp_path: Path, how: str) -> None:
    lake, _ = run_step(tmp_path, how, 25)
    assert texts(lake) == OLD


def test_two_writers_at_once_the_second_is_refused_and_a_patient_one_waits(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    with write_lock(lake):
        with pytest.raises(LakeBusy, match="is being written by another command"), write_lock(lake):
            pass
        with pytest.raises(LakeBusy), write_lock(lake, wait=0.05):
            pass
    with write_lock(lake, wait=5):
        pass


@pytest.mark.slow
@pytest.mark.parametrize("number", [errno.EPERM, errno.EMLINK])
def test_without_hard_links_files_are_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    lake = small_lake(tmp_path / "lake")
    before = contents(lake)

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.link", refuse)
    add_model(lake, "late", random_model(9))
    assert lake.file("norms", "a").stat().st_nlink == 1
    assert gather(lake) == 7
    monkeypatch.undo()
    with open_catalog(lake) as connection:
        rows = connection.sql("select count(*) from norms where model <> 'late'").fetchall()
    assert rows == [(6 * 9 * 64,)]
    assert check_lake(lake).damaged == {}
    assert before.keys() == contents(lake).keys()


def test_unchanged_files_are_links_and_a_removed_one_stays_in_the_old_snapshot(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    old = lake.folder
    add_model(lake, "late", random_model(9))
    assert lake.file("norms", "a").samefile(old / "norms" / "a.parquet")
    gather(lake)
    assert lake.stems() == ["00001"]
    assert len(list((old / "norms").iterdir())) == 6


def test_without_symbolic_links_a_lake_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr("os.symlink", refuse)
    with pytest.raises(LakeError, match="cannot make a symbolic link") as refused:
        write_lake(tmp_path / "lake", {"a": random_model(1)})
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "lake").exists()


@pytest.mark.slow
def test_a_superseded_snapshot_goes_ten_minutes_after_its_successor_came(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    first = lake.folder
    add_model(lake, "b", random_model(2))
    second = lake.folder
    add_model(lake, "c", random_model(3))
    assert first.is_dir()
    assert second.is_dir()
    long_ago = time.time() - commit_module.SECONDS_KEPT - 1
    os.utime(second, (long_ago, long_ago))
    add_model(lake, "d", random_model(4))
    assert not first.exists()
    assert not first.with_suffix(".json").exists()
    assert second.is_dir(), "its successor is young"
    assert lake.model_names() == list("abcd")


@pytest.mark.slow
def test_the_number_of_a_bundle_is_never_used_again(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    gather(lake)
    with write_lock(lake), new_commit(lake) as commit:
        take_out(commit, list("abcdef"))
        commit.publish()
    assert lake.stems() == []
    add_model(lake, "x", random_model(1))
    add_model(lake, "y", random_model(2))
    for folder in lake.store.glob("0*/"):
        if folder != lake.folder:
            shutil.rmtree(folder)
    gather(lake)
    assert lake.bundles() == ["00002"]


def test_what_a_crash_left_is_removed_by_the_next_writer(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    for number in (2, 3):
        left = lake.store / f"{number:08}" / "norms" / "half.parquet"
        left.parent.mkdir(parents=True)
        left.write_text("half")
    (tmp_path / ".~lake").symlink_to("nowhere")
    add_model(lake, "b", random_model(2))
    assert sorted(path.name for path in lake.store.iterdir() if path.is_dir()) == ["00000001", "00000002"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lake", "lake"]
    assert lake.model_names() == ["a", "b"]


def half_written(commit: Commit) -> None:
    with commit.all_or_nothing():
        commit.file("norms/bad.parquet").write_text("bad")
        commit.remove("norms/a.parquet")
        raise RuntimeError


def test_a_model_that_fails_is_not_in_the_commit_of_the_others(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    with write_lock(lake), new_commit(lake) as commit:
        with commit.all_or_nothing():
            commit.file("norms/good.parquet").write_text("good")
        with pytest.raises(RuntimeError):
            half_written(commit)
        commit.publish()
    assert lake.stems("norms") == ["a", "good"]


def test_the_catalog_is_there_for_any_duckdb_as_soon_as_a_lake_is(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    assert (lake.path / "warehouse.duckdb").is_file()
    assert catalog_file(lake) == lake.folder / "warehouse.duckdb"


@pytest.mark.parametrize("use", [existing_lake, lambda name: write_lock(lake_at(name)).__enter__()])
def test_the_layout_of_earlier_versions_is_refused_in_one_line(
    data: Path, tmp_path: Path, use: Callable[[str], object]
) -> None:
    old = data / "old" / "models" / "a" / "models.parquet"
    old.parent.mkdir(parents=True)
    old.write_text("old")
    with pytest.raises(LakeError, match="remove the folder and ingest its models again") as refused:
        use("old")
    assert "\n" not in str(refused.value)
    shutil.copytree(data / "old", tmp_path / "elsewhere")
    with pytest.raises(LakeError, match="layout of an earlier development version"):
        existing_lake(f"{tmp_path}/elsewhere")


def test_a_plain_folder_among_our_lakes_is_read_and_never_written(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = small_lake(data / "mine")
    as_sent(lake, data / "copy")
    before = sorted((data / "copy").rglob("*"))
    assert analysis(["sql", "select count(*) from models", "csv", "--lake", "copy"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "6"
    with pytest.raises(LakeError, match="is only read"), write_lock(lake_at("copy")):
        pass
    assert sorted((data / "copy").rglob("*")) == before
    assert not catalog_file(existing_lake("copy")).is_relative_to(data / "copy")


def test_a_lake_may_be_named_by_its_link_or_by_one_of_its_snapshots(data: Path) -> None:
    lake = small_lake(data / "mine")
    old = lake.folder
    add_model(lake, "late", random_model(9))
    assert existing_lake(f"{data}/mine") == lake_at("mine")
    with open_catalog(existing_lake(f"{old}/")) as connection:
        assert connection.sql("select count(*) from models").fetchall() == [(6,)]


def test_a_link_whose_snapshot_is_gone_is_not_taken_for_an_empty_lake(data: Path) -> None:
    lake = small_lake(data / "mine")
    shutil.rmtree(lake.folder)
    with pytest.raises(LakeError, match="which is gone"), write_lock(lake):
        pass
    with pytest.raises(LakeError, match="no lake 'mine'"):
        existing_lake("mine")


def test_a_published_folder_is_flat_and_read_as_any_other(data: Path, tmp_path: Path) -> None:
    small_lake(data / "mine")
    assert analysis(["publish", "mine", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "norms" / "a.parquet").is_file()
    assert (tmp_path / "out" / PUBLISHED).is_file()
    with open_catalog(existing_lake(f"{tmp_path}/out")) as connection:
        assert connection.sql("select count(*), count(distinct model) from norms").fetchall() == [(3456, 6)]


def test_the_record_of_a_catalog_is_outside_of_its_snapshot(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    record = lake.folder.with_suffix(".json")
    assert json.loads(record.read_text())["sha256"]
    assert not record.is_relative_to(lake.folder)
