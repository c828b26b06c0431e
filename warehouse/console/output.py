"""Prints results and remarks with control characters escaped: a lake's texts may come from anybody."""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from warehouse.errors import plain
from warehouse.storage.drafts import own_temporary_folder

# For an output without box-drawing characters.
BOXES = str.maketrans("─│┌┬┐├┼┤└┴┘", "-|+++++++++")


def show(*lines: str) -> None:
    """Print results on stdout, each text as one line: whatever is not printable is escaped, newlines too."""
    _write(sys.stdout, lines)


def remark(*lines: str) -> None:
    """Print on stderr what is not a result: which lake is read, cautions, errors. Escaped like results."""
    _write(sys.stderr, lines)


def cell(value: object, *, is_terminal: bool) -> object:
    """A value of CSV: exactly the data in a file or a pipe, escaped like results on a terminal."""
    return plain(value, len(value)) if is_terminal and isinstance(value, str) else value


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 model`, `1,209 models`; `plural` if it is not the noun with an s."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {plural or noun + 's'}"


def print_any_text() -> None:
    """Make stdout escape the characters that its encoding lacks, as stderr does, instead of failing."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _write(stream: TextIO, lines: tuple[str, ...]) -> None:
    text = "".join(f"{plain(line, len(line))}\n" for line in lines)
    if not _is_unicode(stream):
        text = text.translate(BOXES)
    stream.write(text)
    stream.flush()


def _is_unicode(stream: TextIO) -> bool:
    return (stream.encoding or "utf-8").lower().startswith("utf")


SECONDS_UNSAID = 0.5


@contextmanager
def exclusive_output(path: Path) -> Iterator[None]:
    """Only one process of this user writes a path at a time; another one waits, and says so."""
    from filelock import FileLock, Timeout

    # Not beside the path, where people could delete it.
    folder = own_temporary_folder()
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    lock = FileLock(folder / f"{name}.lock")
    try:
        lock.acquire(timeout=SECONDS_UNSAID)
    except Timeout:
        remark(f"another command is writing {path}: waiting for it")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
