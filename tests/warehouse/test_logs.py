"""Output into a file or a pipe: lines of text without bars, colours or cursor movements."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from analysis.__main__ import main as analysis
from ingest.__main__ import main as ingest
from ingest.replica.repos import HubRepo
from tests.hub import serve_in_thread
from tests.ingest import tiny
from warehouse.console.progress import Progress

PROJECT = Path(__file__).parents[2]
REPOS = ["lab/one", "lab/two"]
BARS = "━╸╺█▉▊▋"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that asks for colours and bars in every known way."""
    for name in ("FORCE_COLOR", "TTY_INTERACTIVE", "TTY_COMPATIBLE", "CLICOLOR_FORCE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("CI", raising=False)


def assert_plain(said: str) -> None:
    assert said.endswith("\n")
    assert not set(said) & {"\x1b", "\r", "\b", *BARS}, said


@pytest.mark.slow
def test_ingest_crawl_compact_check_and_lineage_write_plain_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture
) -> None:
    repos: dict[str, HubRepo] = {}
    for seed, name in enumerate(REPOS):
        repos |= tiny.repo(name, tiny.files(tiny.norms(seed)))
    (tmp_path / "list.txt").write_text("\n".join(REPOS))
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        for arguments in (["hub", *REPOS], ["crawl", str(tmp_path / "list.txt"), "--lake", "crawled"]):
            assert ingest(arguments) == 0
            output = capfd.readouterr()
            assert_plain(output.err)
            assert_plain(output.out)
    assert ingest(["compact", "--lake", "hub"]) == 0
    assert_plain(capfd.readouterr().out)
    for asked in (["check"], ["lineage", "one", "two"], ["nearest", "one"]):
        assert analysis([*asked, *([] if asked == ["check"] else ["--lake", "hub"])]) == 0
        output = capfd.readouterr()
        assert_plain(output.out)
        assert_plain(output.err or "\n")


def test_progress_without_a_terminal_prints_lines_and_no_bars(capfd: Capture) -> None:
    """`report`, `crawl`, `ingest` and `compare` all use it."""
    with Progress() as progress:
        for done in range(5):
            progress.step("model", done, 4)
        progress.say("said")
        progress.finished("model", "done")
    assert capfd.readouterr().err == "said\nmodel: done\n"


def on_a_terminal(command: Sequence[str]) -> str:
    """What a command shows on stderr when that is a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=theirs) as child:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65_536):
                shown += piece
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
    assert child.returncode == 0
    return shown.decode()


@pytest.mark.slow
def test_on_a_terminal_there_are_bars(tmp_path: Path) -> None:
    """Otherwise the tests above would pass without any bars to suppress."""
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    shown = on_a_terminal([sys.executable, "-m", "ingest", str(folder)])
    assert set(shown) & set(BARS)
    assert "\x1b[" in shown
