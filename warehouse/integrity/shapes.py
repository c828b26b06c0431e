"""Opens a Parquet file from a stranger and reads what it would make its readers allocate.

DuckDB and Arrow allocate whatever a footer or a page header asks for: a file of 7 kB can ask for gigabytes.
`shape_of` walks through the footer and all page headers, within limits, and refuses a file whose numbers
fit neither each other nor its size. Both can open what it accepts. Nothing is decompressed but dictionaries
of texts, for the length of the texts.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from warehouse.storage.footers import Element, Shape, read_footer
from warehouse.storage.pages import ReadAt, check_pages
from warehouse.storage.thrift import Malformed

MAGIC = b"PAR1"
SMALL_FILE = 1 << 16
MOST_FOOTER_BYTES = 1 << 23


def shape_of(path: Path) -> Shape:
    """Raises Malformed, with the reason, if the file must not be opened."""
    with _opened(path) as file:
        size = os.fstat(file).st_size
        try:
            read = _read_at(file, size)
            shape, chunks = read_footer(_footer(read, size), size)
            for chunk in chunks:
                if chunk.bytes:
                    check_pages(read, chunk)
        except (IndexError, OSError, RecursionError) as error:
            raise Malformed("its metadata cannot be read") from error
    return shape


def schema_of(content: bytes) -> list[Element]:
    """The schema of a file that we wrote, to compare with."""
    length = int.from_bytes(content[-8:-4], "little")
    return read_footer(content[-8 - length : -8], len(content))[0].schema


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """A regular file: a pipe would wait for ever, and a link may lead anywhere."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise Malformed("it is not a regular file")
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Malformed(str(error.strerror)) from error
    try:
        yield file
    finally:
        os.close(file)


def _read_at(file: int, size: int) -> ReadAt:
    if size > SMALL_FILE:
        return lambda at, length: os.pread(file, length, at)
    content = os.pread(file, size, 0)
    return lambda at, length: content[at : at + length]


def _footer(read: ReadAt, size: int) -> bytes:
    end = read(max(size - 8, 0), 8)
    if size < 12 or end[4:] != MAGIC or read(0, 4) != MAGIC:
        raise Malformed("it is not a Parquet file")
    length = int.from_bytes(end[:4], "little")
    if length > min(MOST_FOOTER_BYTES, size - 12):
        raise Malformed(f"its footer has {length:,} bytes")
    return read(size - 8 - length, length)
