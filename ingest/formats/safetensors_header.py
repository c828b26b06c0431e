"""Parses the safetensors header: eight bytes of length, then JSON with the place of each tensor.

It is strict on purpose: a header that leaves a hole, overlaps, repeats a key or does not fit its file is
refused, because its values become evidence. Rules: README "Format" of safetensors. We refuse what its library
refuses, and duplicate keys, which it accepts. All checks are linear in the length of the header.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from operator import attrgetter
from typing import Any, NamedTuple, NoReturn

from ingest.formats.dtypes import BITS
from warehouse.errors import FormatError

LENGTH_BYTES = 8
# The format's own cap; a larger length means an attack or another file type.
MAX_HEADER_BYTES = 100_000_000
ENTRY_KEYS = {"dtype", "shape", "data_offsets"}


class Tensor(NamedTuple):
    """One tensor of a shard; begin and end count from the start of the file, end exclusive."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


def header_end(front: bytes, file_size: int, where: str) -> int:
    """Where the header ends and the tensors' bytes begin, from the first eight bytes of the file."""
    if len(front) < LENGTH_BYTES:
        raise _bad(where, f"the file has {len(front)} bytes, too few for a header")
    length = int.from_bytes(front[:LENGTH_BYTES], "little")
    if length > MAX_HEADER_BYTES:
        raise _bad(
            where, f"its header claims {length:,} bytes, over the format's limit of {MAX_HEADER_BYTES:,}"
        )
    if LENGTH_BYTES + length > file_size:
        raise _bad(where, f"its header claims {length:,} bytes, but the file has only {file_size:,}")
    return LENGTH_BYTES + length


def parse_header(header: bytes, file_size: int, where: str) -> dict[str, Tensor]:
    """All tensors of a file, from the header's JSON without the eight length bytes."""
    entries = _json_object(header, where)
    _check_metadata(entries.pop("__metadata__", None), where)
    data_begin = LENGTH_BYTES + len(header)
    tensors = {name: _tensor(name, entry, data_begin, where) for name, entry in entries.items()}
    _check_tiling(tensors.values(), data_begin, file_size, where)
    return tensors


def _json_object(header: bytes, where: str) -> dict[str, Any]:
    try:
        text = header.decode("utf-8")
        entries = json.loads(text, parse_constant=_no_constant)
        # Each pair has one colon. With as many colons as pairs, no key occurs twice. Otherwise a key does, or
        # a string contains a colon, and only the slow parser can tell. The same holds for -0.
        if text.count(":") != _count_pairs(entries) or "-0" in text:
            entries = json.loads(
                text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_unsigned
            )
        if "\\u" in text:  # half a surrogate pair is not a character
            json.dumps(entries, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise _bad(where, "its header has text that is not valid Unicode") from None
    except (ValueError, RecursionError) as error:
        raise _bad(where, f"its header is not valid JSON ({error})") from None
    if not isinstance(entries, dict):
        raise _bad(where, "its header is not a JSON object")
    return entries


def _count_pairs(entries: object) -> int:
    if not isinstance(entries, dict):
        return 0
    return len(entries) + sum(len(entry) for entry in entries.values() if isinstance(entry, dict))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entry = dict(pairs)
    if len(entry) != len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise ValueError(f"key {shown(twice)} occurs twice")
    return entry


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _unsigned(digits: str) -> int:
    """-0 is not a valid count, although it equals 0."""
    return -1 if digits == "-0" else int(digits)


def _check_metadata(metadata: object, where: str) -> None:
    if metadata is None:
        return
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise _bad(where, "its __metadata__ must map strings to strings")


def _tensor(name: str, entry: object, data_begin: int, where: str) -> Tensor:
    if not isinstance(entry, dict) or entry.keys() != ENTRY_KEYS:
        raise _bad(where, f"tensor {shown(name)} must have exactly dtype, shape and data_offsets")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in BITS:
        raise _bad(where, f"tensor {shown(name)} has the unknown dtype {shown(dtype)}")
    if not _are_counts(shape):
        raise _bad(where, f"tensor {shown(name)} has the impossible shape {shown(shape)}")
    if not _are_counts(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        raise _bad(where, f"tensor {shown(name)} has the impossible data_offsets {shown(offsets)}")
    begin, end = offsets
    if _bits(shape, dtype) != (end - begin) * 8:
        raise _bad(
            where,
            f"tensor {shown(name)} ({dtype}, shape {shown(shape)}) does not fill its {end - begin} bytes",
        )
    return Tensor(name, dtype, tuple(shape), data_begin + begin, data_begin + end)


def _check_tiling(tensors: Iterable[Tensor], data_begin: int, file_size: int, where: str) -> None:
    """Checks that the tensors cover the rest of the file without holes or overlaps."""
    reached = data_begin
    for tensor in sorted(tensors, key=attrgetter("begin", "end")):
        if tensor.begin != reached:
            what = "leaves a hole before it" if tensor.begin > reached else "overlaps the one before it"
            raise _bad(where, f"tensor {shown(tensor.name)} {what} (bytes {reached} to {tensor.begin})")
        reached = tensor.end
    if reached != file_size:
        raise _bad(where, f"its tensors end at byte {reached}, but the file has {file_size}")


def _are_counts(numbers: object) -> bool:
    """Whether these are whole numbers below 2^63, like sizes and offsets of files."""
    if type(numbers) is not list:
        return False
    for number in numbers:  # noqa: SIM110  (twice as fast as all(), and this runs 120,000 times)
        if type(number) is not int or not 0 <= number < 2**63:
            return False
    return True


def _bits(shape: list[int], dtype: str) -> int | None:
    """The bits of a tensor; None if a product on the way exceeds 64 bits, as in the library."""
    values = 1
    for factor in shape:
        values *= factor
        if values >= 2**64:
            return None
    bits = values * BITS[dtype]
    return bits if bits < 2**64 else None


def shown(thing: object) -> str:
    """A short text on one line for anything that may come from a hostile file."""
    try:
        text = ascii(thing[:100] if isinstance(thing, str | list | tuple) else thing)
    except RecursionError:
        text = "that nests too deep"
    return text if len(text) <= 100 else text[:97] + "..."


def _bad(where: str, what: str) -> FormatError:
    return FormatError(
        f"{where} is not a valid safetensors file: {what}; fetch it again or report it to its owner"
    )
