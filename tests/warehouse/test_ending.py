"""How commands end and keep out of each other's way: Ctrl-C, kills, two at once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ingest.running import tree
from tests.sql.lakes import random_model, write_lake
from warehouse.catalog.catalog import ensure_catalog, open_catalog
from warehouse.catalog.places import catalog_file
from warehouse.console.output import exclusive_output
from warehouse.errors import UsageError
from warehouse.lake import Lake, lake_at, remember_current, write_text_atomically
from warehouse.storage.drafts import draft_folder, sweep

PROJECT = Path(__file__).parents[2]
ENDLESS = "select sum(a.range * b.range) from range(10000000) a, range(10000000) b"
HOLDING = """
import sys, time
from pathlib import Path
from warehouse.storage.drafts import draft_folder
with draft_folder(Path(sys.argv[1])) as folder:
    (folder / "half").write_text("half")
    print(folder, flush=True)
    time.sleep(60)
"""
READING = """
import os, sys
from pathlib import Path
import pyarrow as pa
from warehouse.storage.parquet import read_sealed
pa.array([1])  # starts the thread of Arrow's allocator
before = set(os.listdir("/proc/self/task"))
assert read_sealed(Path(sys.argv[1])).num_rows
print(len(set(os.listdir("/proc/self/task")) - before))
"""


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def lake(data: Path) -> Lake:
    made = write_lake(data / "lake", {"a": random_model(1), "b": random_model(2)})
    ensure_catalog(made)
    remember_current(made)
    return made


def begin(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "analysis", *arguments]
    return subprocess.Popen(
        command,
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize("form", ["table", "csv"])
def test_a_query_stops_at_ctrl_c_in_one_line(lake: Lake, form: str) -> None:
    before = tree(lake.path)
    child = begin("sql", ENDLESS, form)
    assert child.stderr is not None
    assert child.stderr.readline() == "lake lake: 2 models (local)\n"
    time.sleep(0.2)  # into the query; stopping before it is easy
    os.killpg(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=20)
    assert (child.returncode, errors) == (130, "interrupted\n")
    assert tree(lake.path) == before


@pytest.mark.slow
def test_a_report_stops_at_ctrl_c_with_its_workers_and_drafts(lake: Lake, tmp_path: Path) -> None:
    child = begin("compare", "a", "b", "--out", str(tmp_path / "out"))
    wait_until(lambda: list(tmp_path.glob("out/.*.draft")))
    os.killpg(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=20)
    assert child.returncode == 130
    assert errors.splitlines()[-1] == "interrupted"
    assert "Traceback" not in errors
    assert not list(tmp_path.glob("out/.*.draft"))
    assert lake.model_names() == ["a", "b"]


def test_drafts_of_a_killed_process_are_swept_and_those_of_a_living_one_left(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path)], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    left = Path(child.stdout.readline().strip())
    sweep(tmp_path)
    assert (left / "half").exists()
    child.kill()
    child.communicate()
    with draft_folder(tmp_path) as own:
        assert not left.exists()
        assert own.exists()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_reading_a_small_table_starts_no_thread_that_could_abort_the_process_at_its_end(lake: Lake) -> None:
    """Arrow's threads may release a buffer of Python so late that the process aborts at its end."""
    file = str(lake.file("tensors", "a"))
    child = subprocess.run(
        [sys.executable, "-c", READING, file], cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout == "0\n"


@pytest.mark.slow
def test_two_that_write_one_path_take_turns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    order = []

    def second() -> None:
        with exclusive_output(tmp_path / "out"):
            order.append("second")

    other = threading.Thread(target=second)
    with exclusive_output(tmp_path / "out"):
        other.start()
        wait_until(lambda: "waiting for it" in capsys.readouterr().err)
        order.append("first")
    other.join()
    assert order == ["first", "second"]


@pytest.mark.slow
@pytest.mark.usefixtures("lake")
def test_a_second_comparison_into_one_folder_waits_for_the_first(tmp_path: Path) -> None:
    """It also stops at Ctrl-C. Tests of the report check what it draws when it does not."""
    out = tmp_path / "out"
    with exclusive_output(out / "compare-a-b"):
        child = begin("compare", "a", "b", "--out", str(out), "--quiet")
        errors = child.stderr
        assert errors is not None
        wait_until(lambda: "waiting for it" in errors.readline())
        assert not out.exists()
        os.killpg(child.pid, signal.SIGINT)
        _, said = child.communicate(timeout=20)
    assert (child.returncode, said) == (130, "interrupted\n")
    assert not out.exists()


def test_a_lake_may_not_have_the_name_of_the_file_that_names_the_current_one() -> None:
    with pytest.raises(UsageError, match="cannot be called 'current'"):
        lake_at("current")


@pytest.mark.slow
def test_a_moved_lake_that_cannot_be_written_is_read_by_a_catalog_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = write_lake(tmp_path / "here" / "lake", {"a": random_model(1), "b": random_model(2)})
    catalog_file(made).unlink()
    shutil.move(tmp_path / "here", tmp_path / "there")
    moved = Lake(made.name, tmp_path / "there" / "lake")
    catalog_file(moved).mkdir()  # not even root can replace a folder by a file
    for _ in range(2):
        with open_catalog(moved) as connection:
            assert len(connection.sql("from compare('a', 'b')").fetchall()) == 9
    built = ensure_catalog(moved)
    assert built.is_relative_to(tmp_path / "cache")
    assert ensure_catalog(moved).stat().st_ino == built.stat().st_ino


def test_text_is_written_whole_and_nothing_else_stays(tmp_path: Path) -> None:
    write_text_atomically(tmp_path / "current", "one\n")
    write_text_atomically(tmp_path / "current", "two\n")
    assert tree(tmp_path).keys() == {"current"}
