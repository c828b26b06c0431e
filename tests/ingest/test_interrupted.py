"""Writes are atomic: after any interruption the lake is whole, and the next run completes it."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.__main__ import main
from ingest.replica.repos import HubRepo
from tests.hub import Fault, RunningHub, serve_in_thread
from tests.ingest import tiny
from tests.ingest.running import tree
from warehouse.lake import lake_at

MODELS = [f"lab/model-{number}" for number in range(6)]
PROJECT = Path(__file__).parents[2]
# In the child itself: `preexec_fn` would fork, which JAX forbids once another test has loaded it.
ON_A_FULL_DISK = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
runpy.run_module("ingest", run_name="__main__")
"""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningHub]:
    repos: dict[str, HubRepo] = {}
    for number, name in enumerate(MODELS):
        repos |= tiny.repo(name, tiny.files(tiny.norms(number, layers=8, width=512), shards=4))
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
        yield hub


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "ingest", *arguments]
    return subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_first_model(lake: Path) -> None:
    deadline = time.monotonic() + 90
    while not list(lake.glob("models/*.parquet")):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def assert_whole(lake: Path) -> None:
    """Every stored model is in all tables."""
    tables = {
        table: {path.name for path in lake.glob(f"{table}/*.parquet")}
        for table in ("norms", "vectors", "tensors", "models")
    }
    assert all(models == tables["models"] for models in tables.values())


@pytest.mark.slow
def test_killed_or_interrupted_and_run_again_the_lake_is_equal_to_the_byte(
    hub: RunningHub, data: Path
) -> None:
    assert main(["hub", *MODELS, "--lake", "whole", "--quiet"]) == 0
    for how in (signal.SIGKILL, signal.SIGINT):
        # the ingest cannot end before its last model is there
        hub.faults.append(Fault("slow", times=None, wait=60, path=MODELS[-1]))
        child = start("hub", *MODELS, "--lake", how.name)
        wait_for_first_model(data / how.name)
        child.send_signal(how)
        errors = child.communicate(timeout=60)[1]
        assert "Traceback" not in errors
        assert child.returncode == (130 if how == signal.SIGINT else -how)
        assert ("the same command resumes" in errors) == (how == signal.SIGINT)
        assert_whole(data / how.name)
        hub.faults.clear()
        assert main(["hub", *MODELS, "--lake", how.name, "--quiet"]) == 0
        assert tree(data / how.name) == tree(data / "whole")


@pytest.mark.slow
def test_a_lake_on_another_disk_is_written_there(hub: RunningHub, data: Path, elsewhere: Path) -> None:
    data.mkdir(parents=True)
    (data / ".linked").symlink_to(elsewhere)
    assert main(["hub", MODELS[0], "--lake", "linked", "--quiet"]) == 0
    assert_whole(data / "linked")
    assert (data / "linked").resolve().is_relative_to(elsewhere)
    assert lake_at("linked").model_names() == ["model_0"]
    assert hub.log


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder on another file system, in memory."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.mark.slow
def test_a_second_ingest_at_once_refuses_clearly_and_changes_nothing(
    hub: RunningHub, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.server.delay = 0.2
    child = start("hub", *MODELS)
    deadline = time.monotonic() + 30
    while not hub.log and time.monotonic() < deadline:
        time.sleep(0.01)
    assert main(["hub", MODELS[0], "--quiet"]) == 1
    assert "is being written by another command" in capsys.readouterr().err
    child.communicate(timeout=60)
    assert child.returncode == 0
    assert len(list((data / "hub").glob("models/*.parquet"))) == len(MODELS)


@pytest.mark.slow
def test_a_full_disk_is_said_in_one_line_and_leaves_the_lake_as_it_was(hub: RunningHub, data: Path) -> None:
    """Files over 4 kB fail, as on a full disk."""
    assert main(["hub", MODELS[0], "--quiet"]) == 0
    before = tree(data / "hub")
    child = subprocess.run(
        [sys.executable, "-c", ON_A_FULL_DISK, "hub", MODELS[1], "--quiet"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 1
    assert len(child.stderr.strip().splitlines()) == 1, child.stderr
    assert "no space to write lake 'hub'" in child.stderr
    assert tree(data / "hub") == before
    assert hub.log
