"""The one place that prints. Terminals obey control characters, and texts of a lake may come from anybody."""

from __future__ import annotations

import io
import sys
from typing import TextIO

from warehouse.errors import plain

# What tables are drawn with, for an output that has no such characters.
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
