"""A GGUF header is parsed exactly or refused with the reason, however few bytes are there."""

from __future__ import annotations

import struct
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.formats.gguf_cursor import AHEAD_BYTES, MAX_HEADER_BYTES
from ingest.formats.gguf_header import TOKENS, TYPES, GgufHeader, parse_gguf
from ingest.formats.safetensors_header import Tensor
from tests.ingest.gguf_bytes import F32, Q8_0, gguf_bytes, info, pair, string, strings, written
from warehouse.errors import FormatError

PAIRS = [
    pair("general.architecture", "llama"),
    pair("llama.block_count", 2),
    pair(TOKENS, strings(["a", "bc", ""]), 9),
    pair("some.nested", struct.pack("<IQ", 9, 2) + strings(["x"]) + struct.pack("<IQH", 2, 1, 7), 9),
    pair("some.truth", b"\x01", 7),
]
INFOS = [info("a.weight", [3, 2], F32, 0), info("b.weight", [32], Q8_0, 32), info("scalar", [], F32, 96)]
GOOD = gguf_bytes(PAIRS, INFOS, bytes(100))


def parse(file: bytes) -> GgufHeader:
    header = parse_gguf(file, len(file), "repo/x.gguf")
    assert isinstance(header, GgufHeader)
    return header


def test_a_header_says_what_the_model_is_and_where_its_tensors_are() -> None:
    header = parse(GOOD)
    begin = len(GOOD) - 100
    assert header.values == {"general.architecture": "llama", "llama.block_count": 2, TOKENS: 3}
    assert list(header.tensors.values()) == [
        Tensor("a.weight", "F32", (2, 3), begin, begin + 24),
        Tensor("b.weight", "Q8_0", (32,), begin + 32, begin + 66),
        Tensor("scalar", "F32", (), begin + 96, begin + 100),
    ]
    assert header.data_begin == begin


def test_a_file_of_llama_cpps_own_writer_is_read_as_its_own_reader_does(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    arrays: dict[str, npt.NDArray[Any]] = {
        "token_embd.weight": draw.normal(size=(4, 8)).astype(np.float32),
        "blk.0.attn_norm.weight": draw.normal(size=8).astype(np.float32),
        "blk.0.attn_q.weight": draw.normal(size=(8, 8)).astype(np.float16),
    }
    (path,) = written(tmp_path / "m.gguf", "llama", arrays)
    file = path.read_bytes()
    header = parse(file)
    assert header.tensors.keys() == arrays.keys()
    for name, tensor in header.tensors.items():
        assert file[tensor.begin : tensor.end] == arrays[name].tobytes()
        assert tensor.shape == arrays[name].shape
    assert header.data_begin == gguf.GGUFReader(path).data_offset


def test_sizes_of_types_are_those_of_llama_cpp() -> None:
    known = {kind.value: (kind.name, *gguf.GGML_QUANT_SIZES[kind]) for kind in gguf.GGMLQuantizationType}
    assert {kind: tuple(stored) for kind, stored in TYPES.items()} == known


def test_every_shorter_front_asks_for_more_and_never_for_more_than_there_is() -> None:
    for length in range(parse(GOOD).data_begin - 32):
        asked = parse_gguf(GOOD[:length], len(GOOD), "x")
        assert isinstance(asked, int), length
        assert length < asked <= len(GOOD)


def test_a_large_vocabulary_is_reached_in_few_reads_and_little_is_read_in_vain() -> None:
    words = [f"word-{number}" for number in range(120_000)]
    scores = struct.pack("<IQ", 6, len(words)) + bytes(4 * len(words))
    merges = [f"{word} {word}" for word in words]
    pairs = [pair(TOKENS, strings(words), 9), pair("s", scores, 9), pair("m", strings(merges), 9)]
    file = gguf_bytes(pairs, INFOS, bytes(2_000_000))
    reads = [1_000_000]
    while isinstance(header := parse_gguf(file[: reads[-1]], len(file), "x"), int):
        reads.append(header)
    assert header == parse(file)
    assert len(reads) <= 5
    assert reads[-1] < header.data_begin + 2 * AHEAD_BYTES


def test_a_tensor_of_a_type_that_came_later_does_not_hide_the_others() -> None:
    file = gguf_bytes(PAIRS, [info("new", [256], 99, 0), info("norm", [8], F32, 4096)], bytes(4128))
    header = parse(file)
    assert header.tensors["new"].dtype == "type 99"
    assert header.tensors["norm"].end == len(file)


def test_alignment_is_read_and_bytes_after_the_last_tensor_are_ignored() -> None:
    infos = [info("a", [1], F32, 0), info("b", [1], F32, 8)]
    file = gguf_bytes([pair("general.alignment", 8)], infos, bytes(100), alignment=8)
    assert parse(file).tensors["b"].begin == len(file) - 100 + 8


def test_version_2_is_read_like_version_3() -> None:
    assert parse(gguf_bytes(PAIRS, INFOS, bytes(100), version=2)) == parse(GOOD)


def deep(levels: int) -> bytes:
    return struct.pack("<IQ", 9, 1) * levels + strings([])


BAD = {
    "header needs 8 bytes, but the file has only 6": GOOD[:6],
    "header needs .* bytes, but the file has only 200": GOOD[:200],
    "begins with b'ggjt', not with b'GGUF'": gguf_bytes(magic=b"ggjt"),
    "it claims 1,000,000,000,000 tensors, too many": gguf_bytes(PAIRS, INFOS, bytes(100), counts=(10**12, 5)),
    "it claims 1,000,000,000,000 key-values, too many": gguf_bytes(PAIRS, INFOS, counts=(3, 10**12)),
    "values of key 'k', too many": gguf_bytes([pair("k", struct.pack("<IQ", 8, 2**62), 9)]),
    "needs 9,223,372,036,854,775,853 bytes, but the file": gguf_bytes(
        [pair("k", struct.pack("<Q", 2**63), 8)] * 2
    ),
    "a key has 0 bytes": gguf_bytes([pair("", 1)]),
    "a key has 65,536 bytes": gguf_bytes([pair("k" * 65_536, 1)]),
    r"a key b'\\xff' is not valid UTF-8": gguf_bytes([pair(b"\xff", 1)]),
    "key 'general.architecture' .* is not valid UTF-8": gguf_bytes(
        [pair("general.architecture", string(b"\xff"), 8)]
    ),
    "key 'k' occurs twice": gguf_bytes([pair("k", 1), pair("k", 2)]),
    "key 'k' has the unknown type 13": gguf_bytes([pair("k", b"\0" * 8, 13)]),
    "key 'k' is an array of the unknown type 77": gguf_bytes([pair("k", struct.pack("<IQ", 77, 1), 9)]),
    "key 'k' is 2, neither true nor false": gguf_bytes([pair("k", b"\x02", 7)]),
    "arrays in arrays": gguf_bytes([pair("k", deep(4), 9)], data=bytes(100)),
    "arrays in arrays, more": gguf_bytes([pair("k", deep(50_000), 9)], data=bytes(100)),
    "its alignment is 24, not a power of two": gguf_bytes([pair("general.alignment", 24)]),
    "its alignment is 0": gguf_bytes([pair("general.alignment", 0)]),
    "its alignment is 'x'": gguf_bytes([pair("general.alignment", "x")]),
    "name has 65 bytes, not 1 to 64": gguf_bytes(infos=[info("n" * 65, [1], F32, 0)], data=bytes(4)),
    "name has 0 bytes": gguf_bytes(infos=[info("", [1], F32, 0)], data=bytes(4)),
    "name b.* is not valid UTF-8": gguf_bytes(infos=[info(b"\xff", [1], F32, 0)], data=bytes(4)),
    "'a' has 5 dimensions": gguf_bytes(infos=[info("a", [1] * 5, F32, 0)], data=bytes(4)),
    "'a' occurs twice": gguf_bytes(infos=[info("a", [1], F32, 0), info("a", [1], F32, 32)], data=bytes(40)),
    "'a' begins at 4, which is no multiple of 32": gguf_bytes(infos=[info("a", [1], F32, 4)], data=bytes(9)),
    "'a' .Q8_0, shape .2, 16.. does not fill blocks of 32": gguf_bytes(
        infos=[info("a", [16, 2], Q8_0, 0)], data=bytes(99)
    ),
    "'b' overlaps the one before it": gguf_bytes(
        infos=[info("a", [9], F32, 0), info("b", [1], F32, 32)], data=bytes(99)
    ),
    "'b' leaves a hole before it": gguf_bytes(
        infos=[info("a", [8], F32, 0), info("b", [1], F32, 64)], data=bytes(99)
    ),
    "'a' leaves a hole before it": gguf_bytes(infos=[info("a", [1], F32, 32)], data=bytes(99)),
    "'a' ends at byte .*, but the file has only": gguf_bytes(infos=[info("a", [9], F32, 0)], data=bytes(35)),
    "'a' ends at byte [0-9]{30}": gguf_bytes(infos=[info("a", [2**60, 2**60], F32, 0)], data=bytes(35)),
}


@pytest.mark.parametrize(("reason", "file"), BAD.items(), ids=BAD.keys())
def test_a_bad_header_is_refused_with_its_reason_and_its_file(reason: str, file: bytes) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        parse(file)
    assert str(caught.value).startswith("repo/x.gguf is not a valid GGUF file")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("version", "reason"), [(1, "version 1, and only 2 and 3"), (4, "version 4"), (3 << 24, "big-endian")]
)
def test_another_version_or_byte_order_is_refused_as_such(version: int, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        parse(gguf_bytes(PAIRS, INFOS, bytes(100), version=version))


def test_a_header_without_end_is_not_read_on_for_ever() -> None:
    front = gguf_bytes([pair("k", struct.pack("<Q", MAX_HEADER_BYTES), 8)])
    with pytest.raises(FormatError, match="header is longer than 64,000,000 bytes"):
        parse_gguf(front, 10**12, "x")


PIECES = st.binary(max_size=9) | st.sampled_from(
    [struct.pack("<Q", number) for number in (0, 1, 2, 32, 2**31, 2**63)]
)
EDITS = st.lists(st.tuples(st.integers(0, len(GOOD)), st.integers(0, 9), PIECES), min_size=5, max_size=8)


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(EDITS)
def test_mutated_headers_parse_or_are_refused(edits: list[tuple[int, int, bytes]]) -> None:
    """Five or more an example: each edit's outcome is parsed, then edited on."""
    file = bytearray(GOOD)
    for at, length, piece in edits:
        file[at : at + length] = piece
        _parses_or_refuses(bytes(file))


VALUES = st.integers(0, 13) | st.integers(0, 2**32 - 1)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.text(max_size=4), VALUES, st.binary(max_size=30)), max_size=4),
    st.lists(
        st.tuples(
            st.text(max_size=4),
            st.lists(st.integers(0, 40) | st.integers(0, 2**64 - 1), max_size=5),
            st.sampled_from([*TYPES, 4, 99]),
            st.integers(0, 4).map(lambda number: number * 32) | st.integers(0, 2**64 - 1),
        ),
        max_size=4,
    ),
    st.binary(max_size=200),
)
def test_made_up_headers_parse_or_are_refused(
    pairs: list[tuple[str, int, bytes]], infos: list[tuple[str, list[int], int, int]], data: bytes
) -> None:
    _parses_or_refuses(gguf_bytes([pair(key, raw, kind) for key, kind, raw in pairs], data=data))
    _parses_or_refuses(gguf_bytes(PAIRS, [info(*one) for one in infos], data))


def _parses_or_refuses(file: bytes) -> None:
    """Anything but a FormatError fails the test by itself."""
    with suppress(FormatError):
        header = parse(file)
        places = sorted((tensor.begin, tensor.end) for tensor in header.tensors.values())
        assert all(left[1] <= right[0] for left, right in pairwise(places))
        assert not places or places[0][0] >= header.data_begin
        assert not places or places[-1][1] <= len(file)
