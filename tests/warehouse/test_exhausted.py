"""A machine without memory, disk space or open files: one line that says what to do."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import duckdb
import pytest

from analysis.__main__ import main
from analysis.rendering import worker_processes
from tests.limited import files, megabytes, run_code, run_limited
from tests.sql.lakes import random_model, write_lake
from warehouse.catalog.connections import connect
from warehouse.console.exhausted import exhausted
from warehouse.console.output import exclusive_output
from warehouse.errors import LakeError, UsageError
from warehouse.lake import Lake, remember_current

PROJECT = Path(__file__).parents[2]
FULL = Path("/dev/full")
DRAW = """
from analysis.rendering import Renderer
try:
    with Renderer() as renderer:
        print(renderer.inline({"data": {"values": []}, "mark": "point"}).result())
except Exception as error:
    print(error)
"""
READ = """
import resource, sys
from pathlib import Path
from warehouse.storage.parquet import read_parquet

path, files = Path(sys.argv[1]), []
read_parquet(path)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
try:
    while True:
        files.append(open("/dev/null"))
except OSError:
    pass
try:
    read_parquet(path)
except Exception as error:
    print(type(error).__name__)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a lake of more files than some systems allow to be open."""
    data = tmp_path_factory.mktemp("exhausted") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(data))
        remember_current(write_lake(data / "many", {f"m{n}": random_model(n, 1, 32) for n in range(40)}))
    return data


@pytest.fixture(autouse=True)
def data_of_the_lake(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(folder))


@pytest.fixture
def lake(folder: Path) -> Lake:
    made = Lake("many", folder / "many")
    (made.path / "warehouse.duckdb").unlink(missing_ok=True)
    return made


def the_line(done: subprocess.CompletedProcess[str]) -> str:
    """The error of a failed command: one line, after the line about its lake."""
    assert done.returncode == 1
    *lake, error = done.stderr.splitlines()
    assert all(line.startswith("lake many: ") for line in lake)
    return error


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("sql", "from norms"), ("check",)])
@pytest.mark.usefixtures("lake")
def test_too_many_open_files(arguments: tuple[str, ...]) -> None:
    error = the_line(run_limited(files(40), "analysis", *arguments))
    assert error.startswith("error: too many open files (the limit is 40): allow more with `ulimit -n 4096`")


@pytest.mark.slow
@pytest.mark.usefixtures("lake")
def test_a_limit_of_open_files_that_may_be_raised_is_raised() -> None:
    done = run_limited(files(40, "resource.getrlimit(resource.RLIMIT_NOFILE)[1]"), "analysis", "check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("all as they were written\n")


def test_a_sound_file_is_not_called_damaged_when_it_cannot_be_opened(lake: Lake) -> None:
    command = [sys.executable, "-c", READ, str(lake.file("models", "m1"))]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout == "OSError\n"


def test_little_memory_is_said_before_anything_is_read() -> None:
    for arguments in (("check",), ("nearest", "m1"), ("compare", "m1", "m2")):
        error = the_line(run_limited(megabytes(800), "analysis", *arguments))
        assert error == (
            "error: a process may use 800 MB of address space here, and this needs 2,000 MB: "
            "allow more with `ulimit -v unlimited`"
        )


def test_too_little_memory_to_draw_is_said_before_the_engine_starts() -> None:
    done = run_code(f"{megabytes(8_000)}\n{DRAW}")
    assert done.stderr == ""
    assert "and this needs 80,000 MB" in done.stdout


def test_a_worker_that_the_system_ended_is_a_lack_of_memory() -> None:
    with worker_processes(1) as pool, pytest.raises(BrokenProcessPool) as ended:
        pool.submit(os._exit, 1).result()
    assert exhausted(ended.value).startswith("not enough memory: ")
    assert exhausted(MemoryError()).startswith("not enough memory: ")


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full on this system")
def test_a_full_disk_below_duckdb_is_no_damaged_lake() -> None:
    refused = LakeError("cannot build the catalog: `just check` names damaged files")
    with connect() as connection, pytest.raises(duckdb.IOException) as full:
        connection.execute(f"copy (from range(100000)) to '{FULL}' (format csv)")
    refused.__cause__ = full.value
    said = exhausted(refused)
    assert said.startswith("no space left on a disk (IO Error: ")
    assert "TMPDIR" in said


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full on this system")
def test_a_message_of_ours_about_a_full_disk_stays(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", "from norms", "csv", "--output", str(FULL)]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error == "error: cannot write /dev/full (No space left on device): choose another --output"


@pytest.mark.slow
def test_no_folder_for_temporary_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [str(tmp_path / "gone")])
    assert main(["compare", "m1", "m2"]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("error: no folder for temporary files can be written")
    assert error.endswith("set TMPDIR to one that can")


def test_a_folder_for_temporary_files_that_leads_elsewhere_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / f"normhouse-{os.getuid()}").symlink_to(elsewhere)
    with (
        pytest.raises(LakeError, match="is a link or belongs to another user"),
        exclusive_output(tmp_path / "out"),
    ):
        pass
    assert list(elsewhere.iterdir()) == []
    monkeypatch.setattr(tempfile, "tempdir", "/dev/null")
    with (
        pytest.raises(LakeError, match="set TMPDIR to a folder that you can write"),
        exclusive_output(tmp_path / "out"),
    ):
        pass


def test_other_errors_are_not_explained_away() -> None:
    assert exhausted(ValueError("Too many open files")) == ""
    assert exhausted(UsageError("no model 'No space left on device'")) == ""
    assert exhausted(KeyError("x")) == ""
