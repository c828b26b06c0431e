"""Few open files, little memory, Ctrl-C while modules load: the work is done, or one line says why not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.replica.running import serve_in_thread
from tests.ingest import tiny
from tests.ingest.running import tree
from warehouse.exhausted import TOO_LITTLE_MEMORY as LITTLE

PROJECT = Path(__file__).parents[2]
FEW_FILES = "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))"
# once modules are loaded, which is another matter
TOO_FEW_FILES = "import ingest.run; resource.setrlimit(resource.RLIMIT_NOFILE, ({0}, {0}))"
LITTLE_MEMORY = "resource.setrlimit(resource.RLIMIT_AS, (800_000_000, 800_000_000))"
TOO_LITTLE_MEMORY = "resource.setrlimit(resource.RLIMIT_AS, (350_000_000, 350_000_000))"


def run(limit: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command in a process with this limit: `preexec_fn` would fork, which JAX forbids."""
    script = f"import resource, runpy, sys; {limit}; runpy.run_module('ingest', run_name='__main__')"
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=PROJECT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def assert_one_line(ended: subprocess.CompletedProcess[str], expected: str) -> None:
    lines = [line for line in ended.stderr.splitlines() if not line.startswith("REPLICA: ")]
    assert (ended.returncode, len(lines)) == (1, 1), ended.stderr
    assert lines[0].startswith("error: ")
    assert expected in lines[0]


def test_few_open_files_are_enough_for_many_shards_of_a_hub(data: Path) -> None:
    """64 lanes to the hub and as many to its CDN were too many, for the client and for the replica."""
    repo = "lab/sharded"
    with serve_in_thread(tiny.repo(repo, tiny.files(tiny.norms(1, layers=100), shards=150))) as hub:
        ended = run(FEW_FILES, "hub", repo, "--quiet", HF_ENDPOINT=hub.endpoint)
    assert (ended.returncode, ended.stderr) == (0, "")
    ended = run(FEW_FILES, "replica", "qwen3_4b", "--quiet")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (0, 1)
    assert (data / "hub" / "norms" / "sharded.parquet").exists()


def test_few_open_files_are_enough_for_many_shards_of_a_folder(tmp_path: Path) -> None:
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1, layers=100), shards=150))
    ended = run(FEW_FILES, str(folder), "--quiet")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(("source", "files"), [("hub", 8), ("hub", 7), ("folder", 7)])
def test_too_few_open_files_are_said_in_one_line_with_what_to_do(
    tmp_path: Path, data: Path, source: str, files: int
) -> None:
    content = tiny.files(tiny.norms(1), shards=2)
    folder = tiny.folder(tmp_path / "m", content)
    with serve_in_thread(tiny.repo("lab/m", content)) as hub:
        arguments = ["hub", "lab/m"] if source == "hub" else [str(folder)]
        ended = run(TOO_FEW_FILES.format(files), *arguments, "--quiet", HF_ENDPOINT=hub.endpoint)
    assert_one_line(ended, "too many open files")
    assert not list(data.glob("*/models/*"))


def test_800_megabytes_of_addresses_end_in_one_line(tmp_path: Path) -> None:
    """Libraries abort the process where they cannot start a thread."""
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    ended = run(LITTLE_MEMORY, str(folder), "--quiet")
    assert ended.returncode in (0, 1)
    assert len(ended.stderr.splitlines()) == ended.returncode
    assert "Traceback" not in ended.stderr


def test_too_little_memory_is_said_in_one_line_with_what_to_do(tmp_path: Path, data: Path) -> None:
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    before = tree(data)
    assert_one_line(run(TOO_LITTLE_MEMORY, str(folder), "--quiet"), LITTLE)
    assert tree(data) == before


LOADING = [
    ("ingest", ["models", "nowhere"], "warehouse.interrupts"),
    ("ingest", ["models", "nowhere"], "ingest.crawl.command"),
    ("ingest", ["models", "nowhere"], "numpy"),
    ("ingest", ["models", "nowhere"], "pyarrow.lib"),
    ("ingest", ["serve", "--port", "0"], "asyncio.events"),
    ("ingest", ["crawl", "--most", "1"], "httpx"),
    ("analysis", ["sql", "select 1"], "analysis.claims.command"),
    ("analysis", ["sql", "select 1"], "duckdb"),
]


@pytest.mark.parametrize(("package", "arguments", "module"), LOADING)
def test_an_interrupt_while_modules_load_shows_no_traceback(
    package: str, arguments: list[str], module: str
) -> None:
    command = [sys.executable, "-X", "importtime", "-m", package, *arguments]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stderr is not None
        for line in child.stderr:
            if line.split(b"|")[-1].strip().decode() == module:
                child.send_signal(signal.SIGINT)
                break
        _, rest = child.communicate(timeout=30)
    said = rest.decode()
    assert "Traceback" not in said
    # before anything of ours is loaded, the signal itself ends the process
    is_told = said.splitlines()[-1:] == ["interrupted"]
    assert (child.returncode, is_told) in ((130, True), (-signal.SIGINT, False))
