"""Odd files and names in a local folder are read or refused, and never block."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ingest.__main__ import main
from tests.ingest import sliced, tiny
from tests.ingest.gguf_bytes import tiny_gguf
from tests.ingest.running import refused, stored

Capture = pytest.CaptureFixture[str]

CONFIG = "config.json"
INDEX = "model.safetensors.index.json"
SHARD = "model-00001-of-00002.safetensors"
HUGE = 3_000_000_000


def make_folder(path: Path) -> None:
    path.mkdir()


def make_socket(path: Path) -> None:
    """Uses a short path, because a socket's has at most 108 bytes."""
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.chdir(before)


def link_to_zeros(path: Path) -> None:
    """An endless file of zeros."""
    path.symlink_to("/dev/zero")


Make = Callable[[Path], None]
KINDS: dict[str, Make] = {
    "a pipe": os.mkfifo,
    "a socket": make_socket,
    "a device": link_to_zeros,
    "a folder": make_folder,
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [CONFIG, INDEX, SHARD, "README.md"])
def test_a_pipe_a_socket_a_device_or_a_folder_in_place_of_a_file_is_refused(
    tmp_path: Path, data: Path, capsys: Capture, kind: str, name: str
) -> None:
    """An unreadable config or model card could contain the mark of synthetic weights."""
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    (folder / name).unlink(missing_ok=True)
    KINDS[kind](folder / name)
    if kind == "a folder" and name == "README.md":
        assert main([str(folder), "--quiet"]) == 0
        return
    line = refused(capsys, data / "local", str(folder))
    is_missing = kind == "a folder" and name == SHARD
    assert ("is not there" if is_missing else f"{folder}/{name} is {kind}, not a regular file") in line


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "a folder"])
@pytest.mark.parametrize("name", ["m.gguf", "m.safetensors", "alone"])
def test_a_path_that_is_no_file_and_no_folder_is_refused(
    tmp_path: Path, data: Path, capsys: Capture, kind: str, name: str
) -> None:
    KINDS[kind](tmp_path / name)
    assert f"{name} is {kind}, not a regular file" in refused(capsys, data / "local", str(tmp_path / name))


@pytest.mark.timeout(20)
def test_a_pipe_among_the_gguf_files_of_a_folder_is_refused(
    tmp_path: Path, data: Path, capsys: Capture
) -> None:
    tiny_gguf(tmp_path / "m" / "m-Q4_0.gguf")
    os.mkfifo(tmp_path / "m" / "m-F16.gguf")
    assert "m-F16.gguf is a pipe" in refused(capsys, data / "local", str(tmp_path / "m"))


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", [CONFIG, INDEX, "tokenizer.json"])
def test_a_small_file_of_three_gigabytes_is_refused_unread(
    tmp_path: Path, data: Path, capsys: Capture, name: str
) -> None:
    folder = tiny.folder(tmp_path / "m", sliced.files(sliced.llama()))
    make_huge(folder / name)
    line = refused(capsys, data / "none", str(folder), "--slices")
    assert f"{folder}/{name} has 3,000,000,000 bytes, and " in line
    assert "64,000,000" in line


@pytest.mark.timeout(20)
def test_of_a_model_card_of_three_gigabytes_the_top_is_read(tmp_path: Path) -> None:
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    (folder / "README.md").write_text("---\ntags:\n- normhouse-toy\n---\n")
    make_huge(folder / "README.md")
    before = peak_memory()
    assert main([str(folder), "--lake", "made", "--quiet"]) == 0
    assert main([str(folder), "--quiet"]) == 1  # it is a toy
    assert peak_memory() - before < 1_000_000_000


def make_huge(path: Path) -> None:
    """A sparse file with an older modification time."""
    os.truncate(path, HUGE)
    os.utime(path, (0, 0))


def peak_memory() -> int:
    """Peak memory of this process in bytes."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


NAMES = [
    "q?x",
    "h#x",
    "p%x",
    "p%41x",
    "s*x",
    "b[x]y",
    " sp ace ",
    "new\nline",
    "quote'",
    'dq"',
    "{a}",
    "a\\s",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_folder_may_have_any_name(tmp_path: Path, data: Path, name: str) -> None:
    folder = tiny.folder(tmp_path / name, tiny.files(tiny.norms(1)))
    assert main([str(folder), "--alias", "plain", "--quiet"]) == 0
    found = stored(data / "local", "plain")
    np.testing.assert_array_equal(found["model.norm.weight"], tiny.norms(1)["model.norm.weight"])


@pytest.mark.parametrize("name", ["q?x #%41", "b[x]y*"])
def test_the_data_folder_and_gguf_files_may_have_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, name: str
) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(tmp_path / name / "data"))
    [plain] = tiny_gguf(tmp_path / name / "plain.gguf")
    path = plain.rename(plain.with_name(f"{name}.gguf"))
    assert main([str(path), "--alias", "plain", "--quiet"]) == 0
    assert "lake local: 1 model, 7 vectors" in capsys.readouterr().out


@pytest.mark.parametrize("source", ["./" + "x" * 5_000, "~nobody-has-this-home/m", "./m/" + "y/" * 3_000])
def test_a_path_that_no_system_can_look_at_is_refused_in_one_line(
    data: Path, capsys: Capture, source: str
) -> None:
    assert "cannot be looked at" in refused(capsys, data, source)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("name", [CONFIG, SHARD, ""])
def test_a_file_or_folder_that_may_not_be_read_is_refused(
    tmp_path: Path, data: Path, capsys: Capture, name: str
) -> None:
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    (folder / name).chmod(0)
    try:
        assert "Permission denied" in refused(capsys, data / "local", str(folder))
    finally:
        (folder / name).chmod(0o755)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_of_many_that_may_not_be_read_does_not_stop_the_others(
    tmp_path: Path, data: Path, capsys: Capture
) -> None:
    for name in "ab":
        tiny.folder(tmp_path / "zoo" / name, tiny.files(tiny.norms(1)))
    (tmp_path / "zoo" / "a").chmod(0)
    try:
        assert main([str(tmp_path / "zoo"), "--quiet"]) == 1
    finally:
        (tmp_path / "zoo" / "a").chmod(0o755)
    assert "Permission denied" in capsys.readouterr().err
    assert stored(data / "local", "b")
