"""Takes the footer of a Parquet file apart and puts it together again, with anything in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from warehouse.integrity.thrift import BINARY, BYTE, FALSE, I16, I64, LIST, STRUCT, TRUE, Reader

Struct = dict[int, tuple[int, Any]]
"""Type and value by number of field; of a list, the type of its entries and the entries."""


def change_footer(file: Path, change: Callable[[Struct], None]) -> None:
    content = file.read_bytes()
    length = int.from_bytes(content[-8:-4], "little")
    reader = Reader(content[-8 - length : -8])
    footer = _value(reader, STRUCT)
    change(footer)
    written = _bytes(STRUCT, footer)
    file.write_bytes(content[: -8 - length] + written + len(written).to_bytes(4, "little") + b"PAR1")


def chunk(footer: Struct, column: str, group: int = 0) -> Struct:
    """The description of a column's chunk in a row group; its field 3 is the metadata."""
    for one in footer[4][1][1][group][1][1][1]:
        if b".".join(one[3][1][3][1][1]).decode() == column:
            found: Struct = one
            return found
    raise KeyError(column)


def _value(reader: Reader, kind: int) -> Any:  # noqa: ANN401  # whatever Thrift has
    if kind in (TRUE, FALSE):
        return kind == TRUE
    if I16 <= kind <= I64:
        return reader.number()
    if kind == BYTE:
        return reader.raw(kind)
    if kind == BINARY:
        return reader.text()
    if kind == STRUCT:
        return {number: (inner, _value(reader, inner)) for number, inner in reader.fields()}
    assert kind == LIST
    inner = reader.data[reader.at] & 15
    return inner, [_value(reader, inner) for _ in reader.list_of(inner, 1 << 30)]


def _bytes(kind: int, value: Any) -> bytes:  # noqa: ANN401
    if kind in (TRUE, FALSE):
        return b""
    if I16 <= kind <= I64:
        return _varint((value << 1) ^ (value >> 63))
    if kind == BYTE:
        return bytes(value)
    if kind == BINARY:
        return _varint(len(value)) + bytes(value)
    if kind == STRUCT:
        written, last = b"", 0
        for number, (inner, one) in value.items():
            written += bytes([(number - last) << 4 | inner]) + _bytes(inner, one)
            last = number
        return written + b"\0"
    assert kind == LIST
    inner, entries = value
    head = bytes([len(entries) << 4 | inner]) if len(entries) < 15 else bytes([0xF0 | inner])
    size = b"" if len(entries) < 15 else _varint(len(entries))
    return head + size + b"".join(_bytes(inner, one) for one in entries)


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    written = b""
    while value > 127:
        written += bytes([value & 127 | 128])
        value >>= 7
    return written + bytes([value])
