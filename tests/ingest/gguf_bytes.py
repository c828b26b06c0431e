"""Makes small GGUF files: valid and invalid ones from parts, valid ones by llama.cpp's writer."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import numpy.typing as npt

from tests.ingest import tiny
from warehouse.rows import Floats

F32, F16, Q8_0 = 0, 1, 8


def string(text: str | bytes) -> bytes:
    raw = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(raw)) + raw


def pair(key: str | bytes, value: str | int | bytes, kind: int | None = None) -> bytes:
    """A key-value: text, a 32-bit number, or raw bytes of the type given."""
    if isinstance(value, str):
        return string(key) + struct.pack("<I", 8) + string(value)
    if isinstance(value, int):
        return string(key) + struct.pack("<II", 4, value)
    assert kind is not None
    return string(key) + struct.pack("<I", kind) + value


def strings(texts: Iterable[str]) -> bytes:
    """An array of strings, as the value of a pair of type 9."""
    all_texts = list(texts)
    return struct.pack("<IQ", 8, len(all_texts)) + b"".join(map(string, all_texts))


def info(name: str | bytes, dims: Iterable[int], kind: int, offset: int) -> bytes:
    shape = list(dims)
    return string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset)


def gguf_bytes(
    pairs: Iterable[bytes] = (),
    infos: Iterable[bytes] = (),
    data: bytes = b"",
    *,
    magic: bytes = b"GGUF",
    version: int = 3,
    counts: tuple[int, int] | None = None,
    alignment: int = 32,
) -> bytes:
    """A file with these parts; `counts` overrides the stated numbers of tensors and pairs."""
    all_pairs, all_infos = list(pairs), list(infos)
    head = magic + struct.pack("<IQQ", version, *(counts or (len(all_infos), len(all_pairs))))
    header = head + b"".join(all_pairs) + b"".join(all_infos)
    return header + bytes(-len(header) % alignment) + data


def written(
    path: Path,
    architecture: str,
    tensors: Mapping[str, npt.NDArray[Any]],
    settings: Mapping[str, int | str] | None = None,
    *,
    split_max_tensors: int = 0,
) -> list[Path]:
    """Writes a model with llama.cpp's writer, in one file or in parts; matrices are F32, too."""
    writer = gguf.GGUFWriter(path, architecture, split_max_tensors=split_max_tensors)
    writer.add_block_count(3)
    writer.add_embedding_length(8)
    writer.add_token_list(["a", "b", "c", "ü"])
    writer.add_token_scores([0.5, 1.0, 2.0, 3.0])
    for key, value in (settings or {}).items():
        writer.add_string(key, value) if isinstance(value, str) else writer.add_uint32(key, value)
    for name, values in tensors.items():
        writer.add_tensor(name, np.ascontiguousarray(values))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return sorted(path.parent.glob(f"{path.stem}*.gguf"))


def table_of_names(architecture: str) -> gguf.TensorNameMap:
    """llama.cpp's table of names. Making one changes a table that all share, which is restored."""
    known = {name: arch for arch, name in gguf.MODEL_ARCH_NAMES.items()}
    shared = gguf.TensorNameMap.block_mappings_cfg
    before = dict(shared)
    try:
        return gguf.get_tensor_name_map(known[architecture], 64)
    finally:
        shared.clear()
        shared.update(before)


def renamed(tensors: Mapping[str, Floats], architecture: str) -> dict[str, Floats]:
    """Under the names that llama.cpp's own table gives them."""
    names = table_of_names(architecture)
    found = {}
    for name, values in tensors.items():
        new = names.get_name(name, try_suffixes=(".weight", ".bias"))
        assert new is not None, name
        found[new] = values
    return found


def tiny_gguf(path: Path, seed: int = 1, split_max_tensors: int = 0) -> list[Path]:
    """A llama-like model with the norms of `tiny` and a matrix before them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    matrix = np.full((64, 8), seed, np.float32)
    tensors = {"token_embd.weight": matrix, **renamed(tiny.norms(seed), "llama")}
    return written(path, "llama", tensors, {"general.license": "mit"}, split_max_tensors=split_max_tensors)
