"""Parses the GGUF header: counts, key-values that describe the model, and the place of each tensor.

The header does not state its length, and most of it is the tokenizer's vocabulary. So `parse_gguf` takes the
first bytes of a file and returns the header, or how many bytes it needs. It is as strict as the safetensors
parser, for the same reason. Rules: docs/gguf.md of ggml; llama.cpp itself requires that a tensor begins where
the one before it ends, except for padding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from operator import attrgetter
from typing import NamedTuple

from ingest.formats.gguf_cursor import ARRAY, BOOL, NUMBERS, STRING, U32, U64, Cursor, Short, bad_gguf
from ingest.formats.safetensors_header import Tensor, shown
from warehouse.errors import FormatError


class GgmlType(NamedTuple):
    name: str
    # values of a block, and the bytes they take
    block: int
    bytes: int


TYPES = {
    0: GgmlType("F32", 1, 4),
    1: GgmlType("F16", 1, 2),
    2: GgmlType("Q4_0", 32, 18),
    3: GgmlType("Q4_1", 32, 20),
    6: GgmlType("Q5_0", 32, 22),
    7: GgmlType("Q5_1", 32, 24),
    8: GgmlType("Q8_0", 32, 34),
    9: GgmlType("Q8_1", 32, 40),
    10: GgmlType("Q2_K", 256, 84),
    11: GgmlType("Q3_K", 256, 110),
    12: GgmlType("Q4_K", 256, 144),
    13: GgmlType("Q5_K", 256, 176),
    14: GgmlType("Q6_K", 256, 210),
    15: GgmlType("Q8_K", 256, 292),
    16: GgmlType("IQ2_XXS", 256, 66),
    17: GgmlType("IQ2_XS", 256, 74),
    18: GgmlType("IQ3_XXS", 256, 98),
    19: GgmlType("IQ1_S", 256, 50),
    20: GgmlType("IQ4_NL", 32, 18),
    21: GgmlType("IQ3_S", 256, 110),
    22: GgmlType("IQ2_S", 256, 82),
    23: GgmlType("IQ4_XS", 256, 136),
    24: GgmlType("I8", 1, 1),
    25: GgmlType("I16", 1, 2),
    26: GgmlType("I32", 1, 4),
    27: GgmlType("I64", 1, 8),
    28: GgmlType("F64", 1, 8),
    29: GgmlType("IQ1_M", 256, 56),
    30: GgmlType("BF16", 1, 2),
    34: GgmlType("TQ1_0", 256, 54),
    35: GgmlType("TQ2_0", 256, 66),
    39: GgmlType("MXFP4", 32, 17),
    40: GgmlType("NVFP4", 64, 36),
    41: GgmlType("Q1_0", 128, 18),
}


MAGIC = b"GGUF"
VERSIONS = (2, 3)
DEFAULT_ALIGNMENT = 32

TOKENS = "tokenizer.ggml.tokens"
ALIGNMENT = "general.alignment"
KEPT = frozenset({ALIGNMENT, "split.no", "split.count", "split.tensors.count"}) | {
    f"general.{what}" for what in ("architecture", "type", "license")
}
KEPT_BASES = re.compile(r"general\.base_model\.(count|\d{1,2}\.(name|organization|repo_url))")
# after the name of the architecture
KEPT_SIZES = frozenset({"block_count", "embedding_length", "vocab_size", "nextn_predict_layers"})

# limits of the format
MAX_KEY_BYTES = 65_535
MAX_NAME_BYTES = 64
MAX_DIMS = 4
# the fewest: a key of one letter, its type, one byte; a name of one letter, no dimension, type and offset
LEAST_PAIR_BYTES = 8 + 1 + 4 + 1
LEAST_TENSOR_BYTES = 8 + 1 + 4 + 4 + 8

UNKNOWN_TYPE = "type "

Value = str | int
Info = tuple[str, tuple[int, ...], int, int]
"""Name, shape, type and offset of a tensor."""


@dataclass(frozen=True)
class GgufHeader:
    """The key-values that we need, the length of the vocabulary, and the tensors."""

    values: dict[str, Value]
    tensors: dict[str, Tensor]
    # where the tensors' bytes begin, after header and padding
    data_begin: int

    def text(self, key: str) -> str | None:
        value = self.values.get(key)
        return value if isinstance(value, str) else None

    def count(self, key: str) -> int | None:
        value = self.values.get(key)
        return value if isinstance(value, int) and value >= 0 else None


def parse_gguf(front: bytes, file_size: int, where: str) -> GgufHeader | int:
    """The header, or how many first bytes of the file are needed, always more than these."""
    try:
        return _header(Cursor(front, file_size, where))
    except Short as short:
        return short.wanted


def _header(cursor: Cursor) -> GgufHeader:
    _check_version(cursor)
    tensor_count, pair_count = cursor.number(U64), cursor.number(U64)
    cursor.check_room(pair_count, LEAST_PAIR_BYTES, "key-values")
    cursor.check_room(tensor_count, LEAST_TENSOR_BYTES, "tensors")
    values = _values(cursor, pair_count)
    alignment = values.get(ALIGNMENT, DEFAULT_ALIGNMENT)
    if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1):
        raise bad_gguf(cursor.where, f"its alignment is {shown(alignment)}, not a power of two")
    infos = [_info(cursor) for _ in range(tensor_count)]
    data_begin = _padded(cursor.at, alignment)
    tensors: dict[str, Tensor] = {}
    for info in infos:
        tensor = _tensor(info, data_begin, alignment, cursor.where)
        if tensors.setdefault(tensor.name, tensor) is not tensor:
            raise bad_gguf(cursor.where, f"tensor {shown(tensor.name)} occurs twice")
    _check_places(tensors.values(), data_begin, alignment, cursor)
    return GgufHeader(values, tensors, data_begin)


def _check_version(cursor: Cursor) -> None:
    magic = cursor.bytes(len(MAGIC))
    if magic != MAGIC:
        raise bad_gguf(cursor.where, f"it begins with {shown(magic)}, not with {MAGIC!r}")
    version = cursor.number(U32)
    if int.from_bytes(version.to_bytes(4, "little"), "big") in VERSIONS:
        raise FormatError(
            f"{cursor.where} is a big-endian GGUF file, which is not read: "
            f"turn it with gguf_convert_endian.py of llama.cpp"
        )
    if version not in VERSIONS:
        raise FormatError(
            f"{cursor.where} is GGUF version {version}, and only 2 and 3 are read: "
            f"convert the model again with a current llama.cpp"
        )


def _values(cursor: Cursor, count: int) -> dict[str, Value]:
    values: dict[str, Value] = {}
    keys: set[str] = set()
    for _ in range(count):
        key = cursor.text(1, MAX_KEY_BYTES, "a key")
        what = f"key {shown(key)}"
        if key in keys:
            raise bad_gguf(cursor.where, f"{what} occurs twice")
        keys.add(key)
        kind = cursor.number(U32)
        is_kept = key in KEPT or key.rpartition(".")[2] in KEPT_SIZES or KEPT_BASES.fullmatch(key) is not None
        if kind == ARRAY:
            length = cursor.skip_array(what)
            if key == TOKENS:
                values[key] = length
        elif kind == STRING and is_kept:
            values[key] = cursor.text(0, MAX_KEY_BYTES, what)
        elif kind in NUMBERS and kind != BOOL and is_kept:
            values[key] = cursor.number(NUMBERS[kind])
        elif kind in NUMBERS or kind == STRING:
            cursor.skip(kind, what)
        else:
            raise bad_gguf(cursor.where, f"{what} has the unknown type {kind}")
    return values


def _info(cursor: Cursor) -> Info:
    name = cursor.text(1, MAX_NAME_BYTES, "a tensor's name")
    dims = cursor.number(U32)
    if dims > MAX_DIMS:
        raise bad_gguf(cursor.where, f"tensor {shown(name)} has {dims} dimensions, more than {MAX_DIMS}")
    # the innermost dimension comes first here and last everywhere else
    shape = tuple(reversed([cursor.number(U64) for _ in range(dims)]))
    return name, shape, cursor.number(U32), cursor.number(U64)


def _tensor(info: Info, data_begin: int, alignment: int, where: str) -> Tensor:
    """A tensor; one of an unknown type is given no length."""
    name, shape, kind, offset = info
    begin = data_begin + offset
    if offset % alignment:
        raise bad_gguf(where, f"tensor {shown(name)} begins at {offset}, which is no multiple of {alignment}")
    if kind not in TYPES:
        return Tensor(name, f"{UNKNOWN_TYPE}{kind}", shape, begin, begin)
    dtype, block, size = TYPES[kind]
    if (shape[-1] if shape else 1) % block:
        raise bad_gguf(
            where,
            f"tensor {shown(name)} ({dtype}, shape {shown(shape)}) does not fill blocks of {block} values",
        )
    return Tensor(name, dtype, shape, begin, begin + prod(shape) // block * size)


def _check_places(tensors: Iterable[Tensor], data_begin: int, alignment: int, cursor: Cursor) -> None:
    """Checks that each tensor begins where the one before it ends, and that all are in the file.

    Bytes after the last one are allowed: writers pad the file, and llama.cpp ignores them.
    """
    reached, is_known = data_begin, True
    for tensor in sorted(tensors, key=attrgetter("begin", "end")):
        name = shown(tensor.name)
        if tensor.begin < reached or (is_known and tensor.begin > _padded(reached, alignment)):
            what = "overlaps the one" if tensor.begin < reached else "leaves a hole"
            raise bad_gguf(
                cursor.where, f"tensor {name} {what} before it (bytes {reached} to {tensor.begin})"
            )
        if tensor.end > cursor.size:
            raise bad_gguf(
                cursor.where, f"tensor {name} ends at byte {tensor.end}, but the file has only {cursor.size}"
            )
        reached, is_known = tensor.end, not tensor.dtype.startswith(UNKNOWN_TYPE)


def _padded(at: int, alignment: int) -> int:
    return -(-at // alignment) * alignment
