"""`just spark`: what it prints, and that whatever goes wrong ends in one line."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from analysis.__main__ import main
from analysis.spark.ask import asked
from tests.lineage.planted import model, noisy
from tests.spark.starting import MASTER, OPTIONS, SETTINGS, patient
from tests.sql.lakes import write_lake
from warehouse.errors import SparkError
from warehouse.lake import Lake
from warehouse.storage.drafts import own_temporary_folder

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
@pytest.mark.usefixtures("family")
def test_answers_go_to_stdout_and_one_line_about_the_lake_to_stderr(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lake = ("--lake", "family", *OPTIONS)
    assert main(["spark", "matrix", "--json", *lake]) == 0
    said = capfd.readouterr()
    found = json.loads(said.out)
    assert said.err == "lake family: 3 models (local), on local[2]\n"
    assert (found["lake"], found["models"], found["caution"]) == ("family", 3, None)
    related = [
        (row["model_a"], row["model_b"]) for row in found["pairs"] if row["verdict"].startswith("share")
    ]
    assert related == [("base", "child")]
    assert main(["spark", "matrix", *lake]) == 0
    table = capfd.readouterr().out
    assert "share weight history" in table
    assert "has no direction" in table
    assert main(["spark", "matrix", "--out", str(tmp_path / "matrix"), *lake]) == 0
    assert pq.read_table(tmp_path / "matrix").num_rows == 3


@pytest.mark.slow
def test_a_name_address_or_folder_that_is_not_there(
    family: Lake, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "no lake 'famly'" in failed(capfd, "matrix", "--lake", "famly", *OPTIONS)
    assert "no lake in" in failed(capfd, "matrix", "--lake", f"{tmp_path}/", *OPTIONS)
    assert "no lake at" in failed(capfd, "matrix", "--lake", tmp_path.as_uri(), *OPTIONS)
    assert "hadoop-aws" in failed(capfd, "matrix", "--lake", "s3a://bucket/lake", *OPTIONS)
    assert "no file system for xyz" in failed(capfd, "matrix", "--lake", "xyz://bucket/lake", *OPTIONS)
    file = family.file("vectors", "child")
    file.write_bytes(file.read_bytes()[:-20])
    assert "Spark could not answer from" in failed(capfd, "matrix", "--lake", "family", *OPTIONS)


@pytest.mark.slow
@pytest.mark.usefixtures("family")
def test_scratch_is_used_and_left_empty_or_refused_in_one_line(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    draft_folder, file = tmp_path / "draft_folder", tmp_path / "file"
    lake = ("--lake", "family", *OPTIONS)
    assert main(["spark", "matrix", "--scratch", str(draft_folder), *lake]) == 0
    assert "share weight history" in capfd.readouterr().out
    assert list(draft_folder.iterdir()) == []
    file.touch()
    error = failed(capfd, "matrix", "--scratch", str(file), *lake)
    assert f"--scratch {file}: steps cannot be kept there" in error
    assert "all executors reach" in error
    assert "no file system for xyz" in failed(capfd, "matrix", "--scratch", "xyz://bucket/x", *lake)
    assert "--scratch: name a folder" in failed(capfd, "matrix", "--scratch", "", *lake)


@pytest.mark.slow
@pytest.mark.usefixtures("family")
def test_no_java_or_an_old_one(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "Spark needs Java 17 or newer, and none is in PATH" in failed(capfd, "matrix", "--lake", "family")
    old = tmp_path / "bin" / "java"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_392\"' >&2\n")
    old.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert "is version 8" in failed(capfd, "matrix", "--lake", "family")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    assert "none is in JAVA_HOME" in failed(capfd, "matrix", "--lake", "family")


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


def test_what_does_not_fit_together(capfd: pytest.CaptureFixture[str]) -> None:
    assert "--out and --json" in failed(capfd, "matrix", "--json", "--out", "x")
    assert "spark.NAME=VALUE" in failed(capfd, "matrix", "--conf", "memory")


@pytest.mark.slow
@pytest.mark.usefixtures("family")
def test_a_java_that_ends_on_the_way_is_one_line_and_the_next_question_has_another() -> None:
    from pyspark import SparkContext

    def ask(*, is_killed: bool) -> int:
        with asked("family", MASTER, SETTINGS) as on:
            system = SparkContext._jvm.java.lang.System  # type: ignore[union-attr]
            # what a killed one leaves there is swept by the next command
            assert Path(system.getProperty("java.io.tmpdir")).parent == own_temporary_folder()
            if is_killed:
                SparkContext._gateway.proc.kill()  # type: ignore[union-attr]
            return on.expansion.ask("lineage_pairs").count()

    with pytest.raises(SparkError, match=r"ended on the way \(killed by SIGKILL\).*more memory than 2g"):
        ask(is_killed=True)
    assert ask(is_killed=False) == 3
