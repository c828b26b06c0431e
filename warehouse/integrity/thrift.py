"""Reads Thrift's compact protocol, in which Parquet writes its footers and page headers, within limits.

We parse footers ourselves because Arrow is not safe on hostile ones: it allocates what lists claim to hold,
and an unknown codec or a wrong histogram aborts the process (tried with flipped bits, PyArrow 26). Maps and
sets, which Parquet does not use, are refused. A reader of a struct must take or skip each field before it
asks for the next one. Bytes that end too early raise IndexError; anything else that is wrong raises
Malformed.
"""

from __future__ import annotations

from collections.abc import Iterator

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, STRUCT = 1, 2, 3, 4, 5, 6, 7, 8, 9, 12

MOST_ENTRIES = 1_000
"""Of a list that is skipped."""


class Malformed(ValueError):
    """Why a file must not be opened."""


class Reader:
    """A place in some bytes; every method moves it past what it reads."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def fields(self) -> Iterator[tuple[int, int]]:
        """Number and type of each field of a struct, which must be in order: none may come twice."""
        number = 0
        data = self.data
        while head := data[self.at]:
            self.at += 1
            number += head >> 4
            if head < 16:
                raise Malformed("its metadata has fields out of order")
            yield number, head & 15
        self.at += 1

    def number(self) -> int:
        value, self.at = number_at(self.data, self.at)
        return value

    def text(self) -> bytes:
        length, at = _varint(self.data, self.at)
        self.at = at + length
        if self.at > len(self.data):
            raise IndexError
        return self.data[at : self.at]

    def list_of(self, kind: int, most: int) -> range:
        """For each entry of a list, whose entries must be of this type."""
        count, found, self.at = _list_head(self.data, self.at)
        if found != kind or count > most:
            raise Malformed(f"its metadata has a list of {count:,} entries")
        return range(count)

    def skip(self, kind: int) -> None:
        self.at = skipped(self.data, self.at, kind)
        if self.at > len(self.data):
            raise IndexError

    def raw(self, kind: int) -> bytes:
        """The bytes of a value, unread."""
        begin = self.at
        self.skip(kind)
        return self.data[begin : self.at]


def number_at(data: bytes, at: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = data[at]
    if value < 128:
        at += 1
    else:
        value, at = _varint(data, at)
    return (value >> 1) ^ -(value & 1), at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while (byte := data[at]) > 127:
        value |= (byte & 127) << shift
        shift += 7
        at += 1
        if shift > 63:
            raise Malformed("its metadata has a number of more than 64 bits")
    return value | byte << shift, at + 1


def _list_head(data: bytes, at: int) -> tuple[int, int, int]:
    """How many entries, their type, and where they begin."""
    head = data[at]
    count, at = (head >> 4, at + 1) if head < 0xF0 else _varint(data, at + 1)
    return count, head & 15, at


def skipped(data: bytes, at: int, kind: int) -> int:
    """Where a value of this type ends. Fast, because a footer has ten values for each that we want."""
    if kind == STRUCT:
        while head := data[at]:
            at += 1
            if head < 16:
                raise Malformed("its metadata has fields out of order")
            inner = head & 15
            if inner == BINARY and data[at] < 128:
                at += 1 + data[at]
            elif I16 <= inner <= I64:
                while data[at] > 127:
                    at += 1
                at += 1
            elif inner > FALSE:
                at = skipped(data, at, inner)
        return at + 1
    if I16 <= kind <= I64:
        return _varint(data, at)[1]
    if kind == BINARY:
        length, at = _varint(data, at)
        return at + length
    if kind == LIST:
        count, inner, at = _list_head(data, at)
        if count > MOST_ENTRIES:
            raise Malformed(f"its metadata has a list of {count:,} entries")
        if inner <= BYTE:
            return at + count
        for _ in range(count):
            at = skipped(data, at, inner)
        return at
    if kind in (TRUE, FALSE):
        return at
    if kind in (BYTE, DOUBLE):
        return at + (1 if kind == BYTE else 8)
    raise Malformed(f"its metadata has a value of type {kind}")
