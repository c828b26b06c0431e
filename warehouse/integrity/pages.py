"""Opens a Parquet file that may be hostile and checks how much memory its readers would allocate.

DuckDB and Arrow allocate whatever a footer or a page header asks for: a file of 7 kB can ask for gigabytes.
`shape_of` walks through the footer and all page headers, within limits, and refuses a file whose numbers
fit neither each other nor its size. Both can open what it accepts. It decompresses only dictionaries of
texts, for the lengths of the texts. Field numbers are those of parquet.thrift.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa

from warehouse.integrity.footers import BYTE_ARRAY, CODECS, Chunk, Element, Shape, read_footer
from warehouse.integrity.thrift import I32, STRUCT, Malformed, number_at, skipped

LONGEST_TEXT = 1 << 14

# A page has thousands of values, and a chunk at least one page with values and one with a dictionary.
FEW_PAGES, VALUES_A_PAGE = 4, 256

LARGEST_DICTIONARY = 1 << 24  # ours end at a megabyte

# What a page takes besides its values: levels of less than a byte a value, blocks that are not full.
SLACK_BYTES = 4096
PAGE_HEADER_BYTES, LONGEST_PAGE_HEADER = 256, 4 * LONGEST_TEXT

# Bytes that a value of each physical type takes, but for texts.
WIDTHS = {0: 1, 1: 4, 2: 8, 3: 12, 4: 4, 5: 8}

# Of a page, by its kind, the field with the number of its values.
DICTIONARY_PAGE = 2
HEADERS = {0: 5, DICTIONARY_PAGE: 7, 3: 8}

ReadAt: TypeAlias = Callable[[int, int], bytes]
"""So many bytes from a place in a file, or fewer at its end."""


def check_pages(read: ReadAt, chunk: Chunk) -> None:
    """Refuse pages with another number of values than the chunk says, or that unpack to too many bytes."""
    at, left = chunk.begin, chunk.values
    pages = 0
    while at < chunk.end:
        page = _page_header(read, at)
        pages += 1
        begin, at = at + page.header_bytes, at + page.header_bytes + page.stored_bytes
        width = WIDTHS.get(chunk.column.type, LONGEST_TEXT)
        is_possible = (
            0 <= page.values <= chunk.values
            and 0 <= page.bytes <= (width + 1) * page.values + SLACK_BYTES
            and 0 <= page.stored_bytes <= page.bytes + SLACK_BYTES
            and at <= chunk.end
            and pages <= FEW_PAGES + chunk.values // VALUES_A_PAGE
            and (page.kind != DICTIONARY_PAGE or (pages == 1 and page.bytes <= LARGEST_DICTIONARY))
        )
        if not is_possible:
            raise Malformed(
                f"its column {chunk.column.path} has a page of {page.values:,} values in {page.bytes:,} bytes"
            )
        if page.kind != DICTIONARY_PAGE:
            left -= page.values
        elif chunk.column.type == BYTE_ARRAY:
            _check_texts(read(begin, page.stored_bytes), chunk, page)
    if left:
        raise Malformed(f"its column {chunk.column.path} has {left:,} values less than it says")


@dataclass
class Page:
    """A page by its header."""

    kind: int
    bytes: int
    stored_bytes: int
    values: int
    header_bytes: int


def _page_header(read: ReadAt, at: int) -> Page:
    for length in (PAGE_HEADER_BYTES, LONGEST_PAGE_HEADER):
        header = read(at, length)
        try:
            return _read_page(header)
        except IndexError:  # a long text among its statistics
            if len(header) < length:
                raise
    raise Malformed(f"it has a page header of more than {LONGEST_PAGE_HEADER:,} bytes")


def _read_page(header: bytes) -> Page:
    """Faster than with a Reader. Most metadata of a lake is here: three pages per layer."""
    found: dict[int, int] = {}
    values = -1
    at = number = 0
    while head := header[at]:
        at += 1
        number += head >> 4
        kind = head & 15
        if head < 16:
            raise Malformed("it has page headers with fields out of order")
        if kind == I32:
            found[number], at = number_at(header, at)
        else:
            # the first field is how many values there are
            if kind == STRUCT and number == HEADERS.get(found.get(1, -1)) and header[at] == 1 << 4 | I32:
                values, _ = number_at(header, at + 1)
            at = skipped(header, at, kind)
    if at >= len(header):
        raise IndexError
    return Page(found.get(1, -1), found.get(2, -1), found.get(3, -1), values, at + 1)


def _check_texts(stored: bytes, chunk: Chunk, page: Page) -> None:
    """Refuse long texts: a row takes one bit, so a text of a dictionary can be repeated a million times."""
    name = CODECS[chunk.codec]
    try:
        texts = pa.decompress(stored, page.bytes, name, asbytes=True) if name else stored
    except (OSError, ValueError, pa.ArrowException) as error:
        raise Malformed(f"its column {chunk.column.path} cannot be decompressed") from error
    at = 0
    for _ in range(page.values):
        length = int.from_bytes(texts[at : at + 4], "little")
        if length > LONGEST_TEXT:
            raise Malformed(f"its column {chunk.column.path} has a text of {length:,} bytes")
        at += 4 + length
    if at > len(texts):
        raise Malformed(f"its column {chunk.column.path} has a dictionary that ends too early")


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
    """Only a regular file: a pipe would block, and a link may point anywhere."""
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
