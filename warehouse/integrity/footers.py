"""Reads the footer of a Parquet file: its schema, and where each column's values are said to be.

Numbers of fields are those of parquet.thrift.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from warehouse.integrity.thrift import BINARY, I32, I64, LIST, STRUCT, Malformed, Reader

BEGIN = 4  # after the magic number
END = 8  # after the footer: its length, and the magic number again
MOST_COLUMNS = 200

# A chunk with more values must take a hundredth of a byte for each; honest weights take at least a half. The
# floor is for constants, which compress to next to nothing.
MOST_VALUES, VALUES_A_BYTE = 1 << 25, 100

BYTE_ARRAY = 6
CODECS = {0: None, 6: "zstd"}
REPEATED = 2

# Fields of a chunk's metadata that count: type, codec, values, bytes, and where its pages begin.
NUMBERS = {(1, I32), (4, I32), (5, I64), (7, I64), (9, I64), (11, I64)}

Element: TypeAlias = tuple[Any, ...]
"""One node of a schema: name, type, length, repetition, number of children, and what its values stand for."""


@dataclass
class Shape:
    """What a file holds, by its footer and its page headers."""

    bytes: int
    rows: int = 0
    schema: list[Element] = field(default_factory=list)
    values: dict[str, int] = field(default_factory=dict)
    """How many values each column has; of a list, those of all rows."""


@dataclass(frozen=True)
class Column:
    """A leaf of the schema."""

    path: str
    type: int
    is_repeated: bool


@dataclass
class Chunk:
    """The values of a column in a row group."""

    column: Column
    codec: int
    values: int
    begin: int
    bytes: int

    @property
    def end(self) -> int:
        return self.begin + self.bytes


def read_footer(footer: bytes, size: int) -> tuple[Shape, list[Chunk]]:
    shape = Shape(size)
    columns: list[Column] = []
    chunks: list[Chunk] = []
    reader = Reader(footer)
    seen = set()
    rows = 0
    for number, kind in reader.fields():
        seen.add(number)
        if (number, kind) == (2, LIST):
            shape.schema = [_element(reader) for _ in reader.list_of(STRUCT, MOST_COLUMNS)]
            columns = _columns(shape.schema)
            shape.values = dict.fromkeys((column.path for column in columns), 0)
        elif (number, kind) == (3, I64):
            shape.rows = reader.number()
        elif (number, kind) == (4, LIST):
            for _ in reader.list_of(STRUCT, len(footer)):
                rows += _read_group(reader, columns, chunks)
        else:
            reader.skip(kind)
    if not {2, 3, 4} <= seen or {8, 9} & seen:
        raise Malformed("its footer is not whole, or encrypted")
    if rows != shape.rows:
        raise Malformed("its row groups do not have as many rows as it says")
    end = BEGIN
    for chunk in chunks:
        is_placed = end <= chunk.begin < chunk.end <= size - len(footer) - END
        if not is_placed and (chunk.values or chunk.bytes):
            raise Malformed(f"its column {chunk.column.path} is not where it says")
        end = chunk.end if is_placed else end
        shape.values[chunk.column.path] += chunk.values
    return shape, chunks


def _element(reader: Reader) -> Element:
    found: dict[int, object] = {}
    for number, kind in reader.fields():
        if kind == I32 and number in (1, 2, 3, 5, 6):
            found[number] = reader.number()
        elif number == 4 and kind == BINARY:
            found[number] = reader.text().decode(errors="replace")
        elif number == 10 and kind == STRUCT:
            found[number] = reader.raw(kind)
        else:  # what only decimals have, and a number that readers ignore
            reader.skip(kind)
    return tuple(found.get(number) for number in (4, 1, 2, 3, 5, 6, 10))


def _columns(schema: Sequence[Element]) -> list[Column]:
    """The leaves, in order; paths do without the root."""
    columns: list[Column] = []
    left = iter(schema)

    def descend(path: tuple[str, ...], is_repeated: bool) -> None:
        name, kind, _, repetition, children, *_ = next(left)
        path = (*path, str(name))
        is_repeated = is_repeated or repetition == REPEATED
        if isinstance(children, int) and children > 0:
            for _ in range(children):
                descend(path, is_repeated)
        else:
            columns.append(Column(".".join(path[1:]), int(str(kind)), is_repeated))

    try:
        descend((), False)
    except (StopIteration, RuntimeError, ValueError) as error:
        raise Malformed("its schema is not whole") from error
    return columns


def _read_group(reader: Reader, columns: Sequence[Column], chunks: list[Chunk]) -> int:
    """Adds the chunks of a row group; how many rows it has."""
    rows = -1
    found: list[Chunk] = []
    for number, kind in reader.fields():
        if (number, kind) == (1, LIST) and not found:
            count = reader.list_of(STRUCT, len(columns))
            found = [_read_chunk(reader, column) for _, column in zip(count, columns, strict=False)]
        elif (number, kind) == (3, I64):
            rows = reader.number()
        else:
            reader.skip(kind)
    if rows < 0 or len(found) < len(columns):
        raise Malformed("its row groups do not have all columns")
    for chunk in found:
        is_possible = chunk.values >= rows if chunk.column.is_repeated else chunk.values == rows
        if not is_possible or chunk.values > max(MOST_VALUES, VALUES_A_BYTE * chunk.bytes):
            raise Malformed(
                f"its column {chunk.column.path} has {chunk.values:,} values in {rows:,} rows "
                f"and {chunk.bytes:,} bytes"
            )
    chunks += found
    return rows


def _read_chunk(reader: Reader, column: Column) -> Chunk:
    found: dict[int, int] = {}
    path = ""
    for number, kind in reader.fields():
        if number in (1, 8, 9):
            raise Malformed(f"its column {column.path} is encrypted, or in another file")
        if (number, kind) != (3, STRUCT):
            reader.skip(kind)
            continue
        for inner, inner_kind in reader.fields():
            if (inner, inner_kind) in NUMBERS:
                found[inner] = reader.number()
            elif (inner, inner_kind) == (3, LIST):
                parts = [reader.text() for _ in reader.list_of(BINARY, MOST_COLUMNS)]
                path = b".".join(parts).decode(errors="replace")
            else:
                reader.skip(inner_kind)
    begin = found.get(11, found.get(9, 0))
    if path != column.path or found.get(1) != column.type or found.get(4) not in CODECS:
        raise Malformed(f"its column {column.path} is not what its schema says")
    if not {5, 7, 9} <= found.keys() or (found[5] and begin > found[9]):
        raise Malformed(f"its column {column.path} is not where it says")
    return Chunk(column, found[4], found[5], begin, found[7])
