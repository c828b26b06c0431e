"""`just spark matrix`: what it prints, and that every failure ends in one line."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from analysis.__main__ import main
from tests.lineage.planted import model, noisy
from tests.spark.same import OPTIONS, patient
from tests.sql.lakes import write_lake
from warehouse.lake import Lake
from warehouse.storage.drafts import draft_folder, own_temporary_folder

pytestmark = patient


@pytest.fixture
def family(data: Path) -> Lake:
    base = model(1)
    return write_lake(data / "family", {"base": base, "child": noisy(base, 2, 0.5), "stranger": model(3)})


def failed(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["spark", *arguments]) == 1
    said = capfd.readouterr()
    assert said.out == ""
    *lake, error = said.err.splitlines()
    assert all(line.startswith("lake ") for line in lake)
    assert error.startswith("error: ")
    return error


@pytest.mark.slow
def test_a_name_address_or_folder_that_is_not_there(
    family: Lake, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "no lake 'famly'" in failed(capfd, "matrix", "--lake", "famly", *OPTIONS)
    assert "no lake in" in failed(capfd, "matrix", "--lake", f"{tmp_path}/", *OPTIONS)
    assert "no lake at" in failed(capfd, "matrix", "--lake", tmp_path.as_uri(), *OPTIONS)
    assert "hadoop-aws" in failed(capfd, "matrix", "--lake", "s3a://bucket/lake", *OPTIONS)
    file = family.file("vectors", "child")
    file.write_bytes(file.read_bytes()[:-20])
    assert "Spark could not answer from" in failed(capfd, "matrix", "--lake", "family", *OPTIONS)


@pytest.mark.exhaustive
@pytest.mark.usefixtures("family")
def test_a_table_goes_to_stdout_and_parquet_to_a_folder(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The folder of checkpoints is empty afterwards; a wrong one is refused."""
    folder, out = tmp_path / "checkpoints", tmp_path / "matrix"
    lake = ("--lake", "family", *OPTIONS, "--conf")
    assert main(["spark", "matrix", *lake, f"spark.checkpoint.dir={folder}"]) == 0
    table = capfd.readouterr().out
    assert "share weight history" in table
    assert "has no direction" in table
    assert list(folder.iterdir()) == []
    assert main(["spark", "matrix", "--out", str(out), *lake, "spark.sql.shuffle.partitions=1"]) == 0
    assert f"written: {out}" in capfd.readouterr().err
    assert pq.read_table(out).num_rows == 3
    error = failed(capfd, "matrix", *lake, "spark.checkpoint.dir=xyz://bucket/x")
    assert "Spark did not start on local[2]" in error
    assert '"xyz"' in error


@pytest.mark.slow
@pytest.mark.usefixtures("family")
def test_no_java_or_an_old_one(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "Spark needs Java 17 or newer, and there is none in PATH" in failed(
        capfd, "matrix", "--lake", "family"
    )
    old = tmp_path / "bin" / "java"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_392\"' >&2\n")
    old.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert "is version 8" in failed(capfd, "matrix", "--lake", "family")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    assert "there is none in JAVA_HOME" in failed(capfd, "matrix", "--lake", "family")


@pytest.mark.slow
@pytest.mark.usefixtures("family")
def test_a_master_where_nobody_answers(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for scheme in ("spark://", "k8s://https://"):
        error = failed(capfd, "matrix", "--lake", "family", "--master", f"{scheme}127.0.0.1:{port}")
        assert f"no Spark master answers at {scheme}127.0.0.1:{port}" in error
    assert "Spark takes local[N]" in failed(capfd, "matrix", "--lake", "family", "--master", "sparks://h:1")


def test_options_that_are_wrong_or_exclude_each_other(capfd: pytest.CaptureFixture[str]) -> None:
    assert "--out and --json" in failed(capfd, "matrix", "--json", "--out", "x")
    with pytest.raises(SystemExit, match="2"):
        main(["spark", "matrix", "--conf", "memory"])
    assert "'memory' is not a setting such as spark.executor.memory=8g" in capfd.readouterr().err


KILLED = """
import sys
from analysis.spark.matrix import opened
from pyspark import SparkContext
with opened("family", "local[1]", {}) as on:
    SparkContext._gateway.proc.kill()
    on.views.rows("lineage_pairs").count()
"""


@pytest.mark.exhaustive
@pytest.mark.usefixtures("family")
def test_a_java_that_ends_too_early_is_one_line_and_its_files_are_removed_by_the_next_command() -> None:
    run = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, check=False)
    said = run.stderr.splitlines()[-1]
    assert re.search(r"Spark's Java ended too early \(killed by SIGKILL\).*more memory than \d+m", said)


STARTED = """
import time
from analysis.spark.session import temporary_folder
(temporary_folder() / "blockmgr-1").mkdir()
print(temporary_folder(), flush=True)
time.sleep(60)
"""


def test_temporary_files_of_a_killed_driver_are_removed_by_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    command = [sys.executable, "-c", STARTED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        left = Path(child.stdout.readline().strip())
        with draft_folder(own_temporary_folder()):
            assert (left / "blockmgr-1").is_dir()
        child.kill()
    assert left.is_relative_to(tmp_path)
    assert left.exists()
    with draft_folder(own_temporary_folder()):
        assert not left.exists()
