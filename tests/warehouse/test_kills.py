"""Killed at any moment, ingest and compaction leave a whole lake, and the same command completes it."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ingest.__main__ import main as ingest
from tests.ingest import tiny
from tests.sql.gathering import contents
from tests.sql.lakes import copy_of, random_model, write_lake
from warehouse.integrity.check import check_lake
from warehouse.lake import Lake, lake_at
from warehouse.paths import current_number

PROJECT = Path(__file__).parents[2]
# A commit for every model, so that kills fall into many.
INGEST = """
import runpy, warehouse.storage.batches as batches
batches.FIRST_SECONDS, batches.SHARE_OF_THE_RUN = 0.01, 0
runpy.run_module("ingest", run_name="__main__")
"""

# The same, killed right before or after its first commit becomes visible.
KILLED = """
import os, runpy, signal, sys
import warehouse.storage.batches as batches, warehouse.storage.commit as commit
batches.FIRST_SECONDS, batches.SHARE_OF_THE_RUN = 0.01, 0
when, publish = sys.argv.pop(1), commit._point_to
def killed(*arguments):
    if when == "after":
        publish(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
commit._point_to = killed
runpy.run_module("ingest", run_name="__main__")
"""


def start(code: str, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def killed_after(child: subprocess.Popen[bytes], store: Path, before: int, seconds: float) -> bool:
    """Whether it was still running so long after the lake had more snapshots than `before`."""
    deadline = time.monotonic() + 60
    while child.poll() is None and len(list(store.glob("0*"))) <= before and time.monotonic() < deadline:
        time.sleep(0.001)
    try:
        child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        child.kill()
    return child.wait() == -9


def files(lake: Lake) -> dict[str, str]:
    folder = lake.folder
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.glob("*/*.parquet")
    }


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    return with_models(tmp_path / "models", range(8))


def with_models(folder: Path, numbers: range) -> Path:
    for number in numbers:
        tiny.folder(folder / f"m{number}", tiny.files(tiny.norms(number)))
    return folder


@pytest.mark.slow
@pytest.mark.usefixtures("data")
def test_ingest_killed_in_a_commit_keeps_what_was_there_and_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    lake, whole = lake_at("cut"), lake_at("whole")
    models = with_models(tmp_path / "models", range(2))
    assert ingest([str(models), "--lake", lake.name]) == 0
    before = current_number(lake.path)
    with_models(models, range(2, 4))
    assert before is not None
    assert start(KILLED, "before", str(models), "--lake", lake.name).wait() == -9
    assert current_number(lake.path) == before
    checked = check_lake(lake)
    assert checked.damaged == {}
    assert checked.models == len(lake.model_names()) == 2
    for made in (lake, whole):
        assert ingest([str(models), "--lake", made.name]) == 0
    assert files(lake) == files(whole)


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
def test_ingest_killed_at_random_and_run_again_is_equal_to_the_byte(models: Path, data: Path) -> None:
    kills = 40
    assert start(INGEST, str(models), "--lake", "whole").wait() == 0
    draw, fell = random.Random(kills), 0
    for number in range(kills):
        lake = lake_at(f"cut_{number}")
        child = start(INGEST, str(models), "--lake", lake.name)
        fell += killed_after(child, lake.store, draw.randrange(7), draw.uniform(0, 0.05))
        if lake.path.exists():
            checked = check_lake(lake)
            assert checked.damaged == {}
            assert checked.models == len(lake.model_names())
        assert start(INGEST, str(models), "--lake", lake.name).wait() == 0
        assert files(lake) == files(lake_at("whole"))
    print(f"{fell} of {kills} kills fell into a running ingest")
    assert fell
    assert data.is_dir()


def singles(folder: Path, count: int) -> Lake:
    return write_lake(folder / "whole", {f"m{number}": random_model(number) for number in range(count)})


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_compaction_killed_in_its_commit_loses_nothing(data: Path, when: str) -> None:
    lake = singles(data, 6)
    before = contents(lake)
    assert start(KILLED, when, "compact", "--lake", lake.name).wait() == -9
    assert (len(lake.bundles()), len(lake.single_models())) == ((1, 0) if when == "after" else (0, 6))
    assert contents(lake) == before
    assert check_lake(lake).damaged == {}
    assert ingest(["compact", "--lake", lake.name]) == 0
    assert len(lake.bundles()) == 1
    assert contents(lake) == before


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
def test_compaction_killed_at_random_loses_nothing(tmp_path: Path, data: Path) -> None:
    whole = singles(tmp_path, 30)
    kills, before = 20, contents(whole)
    draw, fell, compacted = random.Random(kills), 0, 0
    for number in range(kills):
        lake = copy_of(whole, data / f"lake_{number}")
        child = start(INGEST, "compact", "--lake", lake.name)
        fell += killed_after(child, lake.store, len(list(lake.store.glob("0*"))), draw.uniform(0, 0.4))
        compacted += bool(lake.bundles())
        assert not (lake.single_models() and lake.bundles())
        assert contents(lake) == before
        assert check_lake(lake).damaged == {}
        assert start(INGEST, "compact", "--lake", lake.name).wait() == 0
        assert lake.bundles()
        assert contents(lake) == before
    print(f"{fell} of {kills} kills fell into a running compaction, {compacted} after its commit")
    assert fell
