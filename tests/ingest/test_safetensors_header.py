"""A safetensors header is parsed exactly or refused with the reason."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import safetensors
import safetensors.numpy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.formats.safetensors_header import LENGTH_BYTES, MAX_HEADER_BYTES, Tensor, header_end, parse_header
from tests.ingest.headers import entry, file_bytes
from warehouse.errors import FormatError

GOOD = {
    "__metadata__": {"format": "pt"},
    "a.weight": entry("BF16", [2, 3], 0, 12),
    "b.weight": entry("F32", [1], 12, 16),
    "empty": entry("F16", [0, 4], 16, 16),
    "scalar": entry("F8_E4M3", [], 16, 17),
}


def parse(file: bytes) -> dict[str, Tensor]:
    end = header_end(file[:LENGTH_BYTES], len(file), "repo/x.safetensors")
    return parse_header(file[LENGTH_BYTES:end], len(file), "repo/x.safetensors")


def test_offsets_are_counted_from_the_start_of_the_file() -> None:
    file = file_bytes(GOOD, bytes(17))
    tensors = parse(file)
    begin = len(file) - 17
    assert tensors["b.weight"] == Tensor("b.weight", "F32", (1,), begin + 12, begin + 16)
    assert tensors["empty"].begin == tensors["empty"].end
    assert "__metadata__" not in tensors


def test_files_of_the_safetensors_library_are_read_as_it_reads_them() -> None:
    arrays = {
        f"layer.{i}.norm": np.random.default_rng(i).normal(size=7).astype(np.float32) for i in range(30)
    }
    file = safetensors.numpy.save(arrays)
    read = {name: file[tensor.begin : tensor.end] for name, tensor in parse(file).items()}
    assert read == {name: values.tobytes() for name, values in arrays.items()}


def test_metadata_that_is_null_is_as_none_at_all() -> None:
    assert parse(file_bytes({"__metadata__": None, "a": entry("F32", [1], 0, 4)}, bytes(4))).keys() == {"a"}


def changed(**changes: Any) -> dict[str, Any]:  # noqa: ANN401
    return {**GOOD, **changes}


BAD = {
    "too few": b"\x02\0\0",
    "over the format's limit": (MAX_HEADER_BYTES + 1).to_bytes(8, "little") + b"{}",
    "but the file has only": (500).to_bytes(8, "little") + b"{}",
    "not valid JSON": file_bytes(b'{"a": '),
    "not valid JSON .*utf-8": file_bytes(b'{"\xff": 1}'),
    "NaN is not JSON": file_bytes(b'{"a": NaN}'),
    "not a JSON object": file_bytes(b"[]"),
    "key 'a' occurs twice": file_bytes(b'{"a": {}, "a": {}}'),
    "key 'dtype' occurs twice": file_bytes(b'{"a": {"dtype": "F32", "dtype": "F32"}}'),
    "must map strings to strings": file_bytes(changed(__metadata__={"n": 1}), bytes(17)),
    "leaves a hole": file_bytes(changed(**{"b.weight": entry("F32", [1], 13, 17)}), bytes(17)),
    "overlaps": file_bytes(changed(**{"b.weight": entry("F32", [1], 11, 15)}), bytes(17)),
    "tensors end at byte": file_bytes(GOOD, bytes(18)),
    "unknown dtype 'F33'": file_bytes(changed(**{"b.weight": entry("F33", [1], 12, 16)}), bytes(17)),
    "does not fill its": file_bytes(changed(**{"b.weight": entry("F32", [2], 12, 16)}), bytes(17)),
    "impossible shape": file_bytes(changed(**{"b.weight": entry("F32", [-1], 12, 16)}), bytes(17)),
    "impossible shape .True": file_bytes(changed(**{"b.weight": entry("F32", [True], 12, 16)}), bytes(17)),
    "impossible data_offsets": file_bytes(changed(**{"b.weight": entry("F32", [1], 16, 12)}), bytes(17)),
    "impossible data_offsets .10000": file_bytes(changed(a=entry("F32", [1], 10**4299, 10**4299)), bytes(17)),
    "exactly dtype, shape and data_offsets": file_bytes(changed(extra={"dtype": "F32"}), bytes(17)),
    "not valid Unicode": file_bytes(b'{"\\ud800": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}}'),
    "text that is not valid Unicode": file_bytes(b'{"__metadata__": {"format": "\\ud800pt"}}'),
    "Invalid .uXXXX escape": file_bytes(b'{"__metadata__": {"format": "\\ud83d\\ude0g"}}'),
    "impossible shape .-1": file_bytes(b'{"a": {"dtype": "F32", "shape": [-0], "data_offsets": [0, 0]}}'),
    "does not fill its 0": file_bytes(changed(b=entry("F32", [2**62, 2**62, 0], 17, 17)), bytes(17)),
    # a quadratic check would take minutes
    "key 'k59999' occurs twice": file_bytes(
        b"{%s}" % b",".join(b'"k%d":{}' % number for number in (*range(60_000), 59_999))
    ),
    "shape .9, 9, .* does not fill": file_bytes({"a": entry("F32", [9] * 100_000, 0, 4)}, bytes(4)),
    "recursion": file_bytes(b"[" * 200_000),
}


@pytest.mark.parametrize(("reason", "file"), BAD.items(), ids=BAD.keys())
def test_a_bad_header_is_refused_with_its_reason_and_its_file(reason: str, file: bytes) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        parse(file)
    assert str(caught.value).startswith("repo/x.safetensors is not a valid safetensors file")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("length", [99_992, 99_993, 99_994, 99_999, 100_000, 100_001])
def test_header_lengths_around_the_first_read_are_counted_right(length: int) -> None:
    """The length does not include its own eight bytes."""
    raw = json.dumps({"a": entry("F32", [1], 0, 4)}).encode().ljust(length)
    assert parse(file_bytes(raw, bytes(4)))["a"].begin == LENGTH_BYTES + length


SMALL = st.integers(-2, 20) | st.integers() | st.booleans() | st.floats() | st.text(max_size=5) | st.none()
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "dtype": st.sampled_from(["F32", "BF16", "F4", "F6_E2M3", "F33"]) | SMALL,
        "shape": st.lists(SMALL, max_size=4) | SMALL,
        "data_offsets": st.lists(SMALL, max_size=3) | SMALL,
        "more": SMALL,
    },
)
HEADERS = st.dictionaries(st.text(max_size=8) | st.just("__metadata__"), ENTRIES | SMALL, max_size=5)


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(HEADERS, st.binary(max_size=40))
def test_made_up_headers_parse_or_are_refused(header: dict[str, Any], data: bytes) -> None:
    _parses_or_refuses(file_bytes(header, data))


ESCAPES = [b"\\ud83d", b"\\ude00", b"\\u00e9", b"\\u", b"\\", b"\x00", b"null", b"-0", b"1.0"]
PIECES = st.binary(max_size=3) | st.sampled_from([b'"', b"{", b"}", b"[", b",", b"-", b"1e9", b"0", *ESCAPES])
EDITS = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), PIECES), min_size=5, max_size=8)


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(EDITS)
def test_mutated_headers_parse_or_are_refused(edits: list[tuple[int, int, bytes]]) -> None:
    """Five or more an example: each edit's outcome is parsed, then edited on."""
    file = bytearray(file_bytes(GOOD, bytes(17)))
    for at, length, piece in edits:
        file[at : at + length] = piece
        _parses_or_refuses(bytes(file))


def _parses_or_refuses(file: bytes) -> None:
    """Only FormatError is allowed, and the library accepts whatever we accept."""
    with suppress(FormatError):
        parse(file)
        safetensors.deserialize(file)  # type: ignore[no-untyped-call]
        covered = sorted((tensor.begin, tensor.end) for tensor in parse(file).values())
        assert all(left[1] == right[0] for left, right in pairwise(covered))
        assert not covered or covered[-1][1] == len(file)
