"""Stopped at any moment, a lake is never half of anything, and the next run ends where one run would have."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ingest.__main__ import main
from ingest.replica.faults import Fault
from ingest.replica.repos import HubRepo
from ingest.replica.running import RunningHub, serve_in_thread
from tests.ingest import tiny
from tests.ingest.running import tree
from warehouse.changes import recover_if_idle, staged_change, writing
from warehouse.digests import stored_file
from warehouse.errors import LakeError
from warehouse.lake import lake_at
from warehouse.recovery import JOURNAL

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
    deadline = time.monotonic() + 30
    while not list(lake.glob("models/*/*.parquet")):
        assert time.monotonic() < deadline
        time.sleep(0.002)


def assert_whole(lake: Path) -> None:
    """Every model that is there is there in all tables."""
    tables = {
        table: {path.parent.name for path in lake.glob(f"{table}/*/*.parquet")}
        for table in ("norms", "vectors", "tensors", "models")
    }
    assert all(models == tables["models"] for models in tables.values())


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_or_interrupted_and_run_again_the_lake_is_equal_to_the_byte(
    hub: RunningHub, data: Path, how: signal.Signals
) -> None:
    assert main(["hub", *MODELS, "--lake", "whole", "--quiet"]) == 0
    # without its last model it cannot have ended before
    hub.faults.append(Fault("slow", times=None, wait=60, path=MODELS[-1]))
    child = start("hub", *MODELS, "--lake", "cut")
    wait_for_first_model(data / "cut")
    child.send_signal(how)
    errors = child.communicate(timeout=30)[1]
    assert "Traceback" not in errors
    assert child.returncode == (130 if how == signal.SIGINT else -how)
    assert ("the same command goes on from there" in errors) == (how == signal.SIGINT)
    recover_if_idle(lake_at("cut"))
    assert_whole(data / "cut")
    hub.faults.clear()
    assert main(["hub", *MODELS, "--lake", "cut", "--quiet"]) == 0
    assert tree(data / "cut") == tree(data / "whole")


def published(data: Path, name: str, files: dict[str, str], *, moved: Sequence[str] = ()) -> Path:
    """A change of a lake that was published before a crash, some of its files moved; its folder."""
    folder = data / ".work" / name / "1"
    folder.mkdir(parents=True)
    entries = []
    for number, (relative, text) in enumerate(files.items()):
        staged = folder / str(number)
        staged.write_text(text)
        entries.append({**stored_file(relative, staged), "staged": staged.name})
        if relative in moved:
            (data / name / relative).parent.mkdir(parents=True, exist_ok=True)
            staged.rename(data / name / relative)
    (folder / JOURNAL).write_text(json.dumps({"files": entries, "removed": []}))
    return folder


def test_a_published_change_is_finished_after_a_crash_and_an_unpublished_one_forgotten(data: Path) -> None:
    lake = lake_at("l")
    with writing(lake), staged_change(lake) as change:
        change.file("norms/a").write_text("old")
        change.file("norms/b").write_text("old")
        change.publish()
    published(data, "l", {"norms/a": "new", "norms/b": "new"}, moved=["norms/b"])
    (data / ".work" / "l" / "2").mkdir()
    (data / ".work" / "l" / "2" / "0-a").write_text("half")
    recover_if_idle(lake)
    assert [(lake.path / "norms" / name).read_text() for name in "ab"] == ["new", "new"]
    assert not list((data / ".work" / "l").glob("[0-9]*"))


MODEL_FILES = {f"{table}/a/{table}.parquet": table for table in ("norms", "tensors", "models")}


def test_until_all_its_files_are_in_place_a_model_is_not_there(data: Path) -> None:
    """Also when it replaces another of its name: nobody sees old rows in one table, new ones in the next."""
    lake = lake_at("l")
    (data / "l" / "models" / "a").mkdir(parents=True)
    (data / "l" / "models" / "a" / "models.parquet").write_text("old")
    published(data, "l", MODEL_FILES, moved=["norms/a/norms.parquet"])
    tensors = data / "l" / "tensors"
    tensors.write_text("in the way")  # so that finishing stops in the middle
    with pytest.raises(LakeError, match=r"safe in .* but not yet in place") as refused:
        recover_if_idle(lake)
    assert "\n" not in str(refused.value)
    assert lake.model_names() == []
    tensors.unlink()
    recover_if_idle(lake)
    assert lake.model_names() == ["a"]
    assert {name: (data / "l" / name).read_text() for name in MODEL_FILES} == MODEL_FILES


def test_a_lost_file_of_a_change_is_said_and_its_model_taken_out_whole(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = lake_at("l")
    others = {name.replace("a", "b"): text for name, text in MODEL_FILES.items()}
    folder = published(data, "l", {**MODEL_FILES, **others}, moved=["norms/a/norms.parquet"])
    (folder / "1").unlink()
    recover_if_idle(lake)
    assert "tensors/a/tensors.parquet of an unfinished change is gone" in capsys.readouterr().err
    assert sorted(tree(data / "l")) == sorted(others)
    assert not folder.exists()


def test_an_unreadable_journal_is_said_and_dropped(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = published(data, "l", MODEL_FILES)
    (folder / JOURNAL).write_text("{")
    recover_if_idle(lake_at("l"))
    assert "cannot be read; that change is dropped" in capsys.readouterr().err
    assert lake_at("l").model_names() == []
    assert not folder.exists()


def test_a_lake_on_another_disk_is_written_there(hub: RunningHub, data: Path, elsewhere: Path) -> None:
    data.mkdir(parents=True)
    (data / "linked").symlink_to(elsewhere)
    assert main(["hub", MODELS[0], "--lake", "linked", "--quiet"]) == 0
    assert_whole(elsewhere)
    assert lake_at("linked").model_names() == ["model_0"]
    assert hub.log


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder on another file system, memory's."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


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
    assert len(list((data / "hub").glob("models/*/*.parquet"))) == len(MODELS)


def test_a_full_disk_is_said_in_one_line_and_leaves_the_lake_as_it_was(hub: RunningHub, data: Path) -> None:
    """The system refuses files over 4 kB, as a full disk would refuse them."""
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


# Python tells a hook of every file that is to be made, moved, removed or opened: the system may refuse each.
AT_EVERY_STEP = """
import errno, json, os, sys
from pathlib import Path
from tests.ingest.running import tree
from warehouse.changes import recover_if_idle, staged_change, writing
from warehouse.errors import LakeError
from warehouse.lake import lake_at

STEPS = {"os.mkdir", "os.rename", "os.remove", "open"}
FILES = ["norms/a/norms.parquet", "tensors/a/tensors.parquet", "new/a/new.parquet", "models/a/models.parquet"]
steps_left = None

def full(event, arguments):
    global steps_left
    if steps_left is None or event not in STEPS or data not in str(arguments[0]):
        return
    steps_left -= 1
    if steps_left < 0 and (event != "os.remove" or steps_left == -1):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

def change(lake, text, files):
    with writing(lake), staged_change(lake) as staged:
        for file in files:
            staged.file(file).write_text(text + file)
        if text == "new":
            staged.remove_after("gone/a/gone.parquet")
        staged.publish()

data = os.environ["NORMHOUSE_DATA"]
sys.addaudithook(full)
told = []
while not told or told[-1]["said"]:
    lake = lake_at(f"at_{len(told)}")
    change(lake, "old", [*FILES[:2], FILES[3], "gone/a/gone.parquet"])
    before = tree(lake.path)
    said = ""
    steps_left = len(told)
    try:
        change(lake, "new", FILES)
    except LakeError as error:
        said = str(error)
    finally:
        steps_left = None
    between = tree(lake.path)
    recover_if_idle(lake)
    after = {name: (lake.path / name).read_text()[:3] for name in tree(lake.path)}
    told.append({"said": said, "is_as_before": between == before, "after": after})
print(json.dumps(told))
"""


@pytest.mark.usefixtures("data")
def test_a_disk_that_is_full_from_any_step_on_is_said_truly_and_mended_by_the_next_command() -> None:
    child = subprocess.run(
        [sys.executable, "-c", AT_EVERY_STEP], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert child.returncode == 0, child.stderr
    told = json.loads(child.stdout)
    new = {f"{table}/a/{table}.parquet": "new" for table in ("norms", "tensors", "new", "models")}
    old = {name: "old" for name in (*new, "gone/a/gone.parquet") if "new/" not in name}
    for one in told:
        assert "\n" not in one["said"]
        if "as it was before" in one["said"]:
            assert one["is_as_before"]
            assert one["after"] == old
        else:
            assert not one["said"] or "the new files are safe in" in one["said"], one
            assert one["after"] == new
    for kind in ("as it was before", "safe in"):
        assert sum(kind in one["said"] for one in told) > 4
