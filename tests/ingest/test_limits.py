"""With few open files, little memory, or Ctrl-C during imports, ingest works or fails in one line."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hub import serve_in_thread
from tests.ingest import tiny
from tests.limited import PROJECT, files, megabytes, run_limited

FEW_FILES = files(64)
# applies the limit after the imports
LOADED = "import ingest.pipeline"


def run(limit: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return run_limited(limit, "ingest", *arguments, **variables)


def assert_one_line(ended: subprocess.CompletedProcess[str], expected: str) -> None:
    lines = [line for line in ended.stderr.splitlines() if not line.startswith("REPLICA: ")]
    assert (ended.returncode, len(lines)) == (1, 1), ended.stderr
    assert lines[0].startswith("error: ")
    assert expected in lines[0]


@pytest.mark.slow
def test_few_open_files_are_enough_for_many_shards_of_a_hub(data: Path) -> None:
    """64 connections to the hub and as many to its CDN were too many, for the client and for the replica."""
    repo = "lab/sharded"
    with serve_in_thread(tiny.repo(repo, tiny.files(tiny.norms(1, layers=40), shards=80))) as hub:
        ended = run(FEW_FILES, "hub", repo, "--quiet", HF_ENDPOINT=hub.endpoint)
    assert (ended.returncode, ended.stderr) == (0, "")
    ended = run(FEW_FILES, "replica", "qwen3_4b", "--quiet")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (0, 1)
    assert (data / "hub" / "norms" / "sharded.parquet").exists()


@pytest.mark.slow
def test_few_open_files_are_enough_for_many_shards_of_a_folder(tmp_path: Path) -> None:
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1, layers=40), shards=80))
    ended = run(FEW_FILES, str(folder), "--quiet")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(("source", "limit"), [("hub", 8), ("folder", 7)])
def test_too_few_open_files_are_said_in_one_line_with_what_to_do(
    tmp_path: Path, data: Path, source: str, limit: int
) -> None:
    content = tiny.files(tiny.norms(1), shards=2)
    folder = tiny.folder(tmp_path / "m", content)
    with serve_in_thread(tiny.repo("lab/m", content)) as hub:
        arguments = ["hub", "lab/m"] if source == "hub" else [str(folder)]
        ended = run(f"{LOADED}; {files(limit)}", *arguments, "--quiet", HF_ENDPOINT=hub.endpoint)
    assert_one_line(ended, "too many open files")
    assert not list(data.glob("*/models/*"))


@pytest.mark.slow
def test_too_little_memory_is_said_before_anything_is_read(tmp_path: Path, data: Path) -> None:
    """With less, libraries abort the process or report intact files as damaged."""
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    for limit in (350, 800):
        ended = run(megabytes(limit), str(folder), "--quiet")
        assert_one_line(ended, f"may use {limit} MB of address space here, and this needs 2,000 MB")
    assert not data.exists()
    assert run(megabytes(2_000), str(folder), "--quiet").returncode == 0


LOADING = [
    ("ingest", ["models", "nowhere"], "warehouse.console.interrupts"),
    ("ingest", ["models", "nowhere"], "argparse"),
    ("ingest", ["models", "nowhere"], "numpy"),
    ("ingest", ["models", "nowhere"], "pyarrow.lib"),
    ("ingest", ["serve", "--port", "0"], "asyncio.events"),
    ("ingest", ["crawl", "--most", "1"], "httpx"),
    ("analysis", ["sql", "select 1"], "argparse"),
    ("analysis", ["sql", "select 1"], "duckdb"),
]


# The decorator of `main` is called after all imports and before anything catches a KeyboardInterrupt.
BETWEEN = """
import os, runpy, signal, sys
import warehouse.console.command as module
decorate = module.command
def command(*args, **kwargs):
    if kwargs or args:  # of one command, while ingest's are being loaded
        return decorate(*args, **kwargs)
    os.kill(os.getpid(), signal.SIGINT)
    return lambda main: main
module.command = command
runpy.run_module(sys.argv[1], run_name="__main__")
"""


@pytest.mark.parametrize("package", ["ingest", "analysis"])
def test_an_interrupt_between_loading_and_the_handling_of_errors_shows_no_traceback(package: str) -> None:
    command = [sys.executable, "-c", BETWEEN, package]
    ended = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (130, "interrupted\n")


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
