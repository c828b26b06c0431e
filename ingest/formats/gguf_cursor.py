"""Reads numbers and strings from the first bytes of a GGUF file, and skips values that we do not need.

If the bytes end before the header does, `Short` says how many more to read. The strings of a vocabulary can
only be skipped one by one, so their mean length so far predicts where they end.
"""

from __future__ import annotations

from struct import Struct
from typing import NoReturn

from ingest.formats.safetensors_header import shown
from warehouse.errors import FormatError

# The largest vocabularies make 10 to 20 MB; more is an attack or not a header.
MAX_HEADER_BYTES = 64_000_000
# Read beyond what is known to be missing, so that small values after it need no further request.
AHEAD_BYTES = 128_000
# No known file nests arrays. A few levels cost nothing; thousands would end in a RecursionError.
MAX_DEPTH = 4

U32, U64 = Struct("<I"), Struct("<Q")
# types of values by number: integers, floats and booleans; strings; arrays
_CODES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "B", 10: "Q", 11: "q", 12: "d"}
NUMBERS = {kind: Struct(f"<{code}") for kind, code in _CODES.items()}
BOOL, STRING, ARRAY = 7, 8, 9
# the smallest size of a value: of a string its length, of an array its type and length
LEAST_BYTES = {kind: number.size for kind, number in NUMBERS.items()} | {STRING: 8, ARRAY: 12}


class Short(Exception):
    """Not an error: the first `wanted` bytes of the file are needed."""

    def __init__(self, wanted: int) -> None:
        super().__init__()
        self.wanted = wanted


class Cursor:
    """A position in the first bytes of a file; every read advances it."""

    def __init__(self, front: bytes, file_size: int, where: str) -> None:
        self.front = front
        self.size = file_size
        self.where = where
        self.at = 0

    def check_room(self, count: int, least: int, what: str) -> None:
        """Refuses a count that cannot fit into the rest of the file."""
        if self.at + count * least > min(self.size, MAX_HEADER_BYTES):
            raise bad_gguf(self.where, f"it claims {count:,} {what}, too many for its {self.size:,} bytes")

    def take(self, length: int) -> int:
        """Advances by so many bytes and returns where they begin."""
        begin = self.at
        if begin + length > len(self.front):
            self._run_out(begin + length)
        self.at = begin + length
        return begin

    def bytes(self, length: int) -> bytes:
        begin = self.take(length)
        return self.front[begin : begin + length]

    def number(self, kind: Struct) -> int:
        number: int = kind.unpack_from(self.front, self.take(kind.size))[0]
        return number

    def text(self, least: int, most: int, what: str) -> str:
        """A string with a length between these limits."""
        length = self.number(U64)
        if not least <= length <= most:
            raise bad_gguf(self.where, f"{what} has {length:,} bytes, not {least} to {most:,}")
        raw = self.bytes(length)
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raise bad_gguf(self.where, f"{what} {shown(raw)} is not valid UTF-8") from None

    def skip(self, kind: int, what: str) -> None:
        """Any value but an array."""
        if kind == STRING:
            self._skip_strings(1)
        elif kind == BOOL:
            truth = self.number(NUMBERS[BOOL])
            if truth > 1:
                raise bad_gguf(self.where, f"{what} is {truth}, neither true nor false")
        else:
            self.take(LEAST_BYTES[kind])

    def skip_array(self, what: str, depth: int = 1) -> int:
        """How many values the array has."""
        kind, count = self.number(U32), self.number(U64)
        if kind not in LEAST_BYTES:
            raise bad_gguf(self.where, f"{what} is an array of the unknown type {kind}")
        self.check_room(count, LEAST_BYTES[kind], f"values of {what}")
        if kind == STRING:
            self._skip_strings(count)
        elif kind == ARRAY:
            if depth == MAX_DEPTH:
                raise bad_gguf(self.where, f"{what} has arrays in arrays, more than {MAX_DEPTH} deep")
            for _ in range(count):
                self.skip_array(what, depth + 1)
        else:
            self.take(count * LEAST_BYTES[kind])
        return count

    def _skip_strings(self, count: int) -> None:
        """In one loop, for speed: a vocabulary with its merges has 600,000 strings."""
        at, front, end, length_at = self.at, self.front, len(self.front) - U64.size, U64.unpack_from
        for done in range(count):
            if at > end:
                left = count - done
                mean = (at - self.at) // max(done, 1)
                self._run_out(at + left * U64.size, at + left * mean)
            at += U64.size + length_at(front, at)[0]
        self.take(at - self.at)

    def _run_out(self, least: int, expected: int = 0) -> NoReturn:
        """At least so many first bytes of the file are needed."""
        if least > self.size:
            raise bad_gguf(
                self.where, f"its header needs {least:,} bytes, but the file has only {self.size:,}"
            )
        if least > MAX_HEADER_BYTES:
            raise bad_gguf(self.where, f"its header is longer than {MAX_HEADER_BYTES:,} bytes")
        raise Short(min(max(least, expected) + AHEAD_BYTES, self.size, MAX_HEADER_BYTES))


def bad_gguf(where: str, what: str) -> FormatError:
    return FormatError(f"{where} is not a valid GGUF file: {what}; fetch it again or report it to its owner")
