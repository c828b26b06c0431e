"""Compaction of a lake that must not or cannot be written: one line, and nothing changes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from analysis.__main__ import main as analysis
from ingest.__main__ import main as ingest
from tests.sql.gathering import small_lake
from tests.warehouse.test_compact_damaged import files_of


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Root ignores file permissions, but not a read-only mount."""
    folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    if os.geteuid() == 0:
        done = subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False)
        if done.returncode:
            pytest.skip("root that may not mount can write everywhere")
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
    else:
        for one in folders:
            one.chmod(0o500)
    try:
        yield
    finally:
        if os.geteuid() == 0:
            subprocess.run(["umount", folder], check=True)
        else:
            for one in folders:
                one.chmod(0o700)


def compact_fails(lake: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Its message, which must be one line."""
    capsys.readouterr()
    assert ingest(["compact", "--lake", lake]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


@pytest.mark.slow
def test_a_published_folder_stays_as_its_checksums_say(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small_lake(data / "mine")
    folder = tmp_path / "published" / "lake"
    assert analysis(["publish", "mine", str(folder)]) == 0
    assert "was written by `just publish`" in compact_fails(str(folder), capsys)
    subprocess.run(["sha256sum", "--check", "--strict", "checksums.sha256"], cwd=folder, check=True)
    assert [path.name for path in folder.parent.iterdir()] == ["lake"]


@pytest.mark.slow
def test_a_read_only_lake_is_refused_before_anything_is_staged_and_can_still_be_read(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = small_lake(data / "mine")
    before = files_of(lake)
    with read_only(lake.store):
        assert "cannot lock lake 'mine'" in compact_fails("mine", capsys)
        assert analysis(["sql", "select count(*) from models", "csv", "--lake", "mine"]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == "6"
        assert analysis(["publish", "mine", str(data.parent / "published")]) == 0
    assert files_of(lake) == before
