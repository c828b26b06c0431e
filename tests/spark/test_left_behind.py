"""What a killed Spark leaves on the disk goes when the next one begins; what a living one uses stays."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from analysis.spark import driver
from warehouse.errors import SparkError

PROJECT = Path(__file__).parents[2]
KEEPING = """
import sys, time
from pathlib import Path
from analysis.spark.scratch import own_address
with own_address(sys.argv[1]) as address:
    folder = Path(address.removeprefix("file://"))
    (folder / "rdd-1").mkdir()
    print(folder, flush=True)
    time.sleep(60)
"""
STARTING = """
import os, re, time
from pathlib import Path
from analysis.spark.driver import with_own_temporary_folder
with with_own_temporary_folder():
    [folder] = re.findall(r'"-Djava.io.tmpdir=(.*)"', os.environ["SPARK_SUBMIT_OPTS"])
    (Path(folder) / "blockmgr-1").mkdir()
    print(folder, flush=True)
    time.sleep(60)
"""


@contextmanager
def running(script: str, *arguments: str, temporary: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that has a folder of its own, and the folder; killed at the end."""
    environment = {**os.environ, "TMPDIR": str(temporary)}
    command = [sys.executable, "-c", script, *arguments]
    with subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            yield child, Path(child.stdout.readline().strip())
        finally:
            child.kill()


def test_steps_in_a_scratch_folder(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    with running(KEEPING, str(scratch), temporary=tmp_path) as (_, killed):
        assert (killed / "rdd-1").is_dir()
    assert killed.exists()
    with running(KEEPING, str(scratch), temporary=tmp_path) as (_, living):
        assert not killed.exists()
        with running(KEEPING, str(scratch), temporary=tmp_path) as (_, beside):
            assert (living / "rdd-1").is_dir()
            assert {path.name for path in scratch.iterdir()} == {living.name, beside.name}


def test_temporary_files_of_the_driver(tmp_path: Path) -> None:
    """Blocks, libraries and jars: Java would leave them in /tmp."""
    place = tmp_path / "with a space"
    place.mkdir()
    with running(STARTING, temporary=place) as (_, killed):
        assert killed.is_relative_to(place)
        assert (killed / "blockmgr-1").is_dir()
    assert killed.exists()
    with running(STARTING, temporary=place) as (_, living):
        assert not killed.exists()
        with running(STARTING, temporary=place):
            assert (living / "blockmgr-1").is_dir()


def test_the_variable_of_the_user_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(driver.OPTIONS, "-Dx=y")
    with driver.with_own_temporary_folder():
        assert os.environ[driver.OPTIONS].startswith('-Dx=y "-Djava.io.tmpdir=')
    assert os.environ[driver.OPTIONS] == "-Dx=y"
    monkeypatch.delenv(driver.OPTIONS)
    with driver.with_own_temporary_folder():
        assert os.environ[driver.OPTIONS].startswith('"-Djava.io.tmpdir=')
    assert driver.OPTIONS not in os.environ


def test_a_scratch_folder_that_cannot_be(tmp_path: Path) -> None:
    from analysis.spark.scratch import own_address

    (tmp_path / "file").touch()
    with pytest.raises(SparkError, match="steps cannot be kept there"), own_address(str(tmp_path / "file")):
        pass
