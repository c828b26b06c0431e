"""Reads the norm vectors out of model files of several formats, under names that `tensor_names.py` knows.

CTranslate2: `python/ctranslate2/specs/model_spec.py` of CTranslate2, version 6 of the format.
Marian: `src/common/binary.cpp` of marian-dev; layers count from 1, and `rnn` is the decoder's
self-attention. The norms of both get the names that transformers gives to converted models.
PyTorch: a zip archive of a pickle and of storages. A pickle can run any code, so our unpickler resolves only
the few names that are listed here and refuses all others.
"""

from __future__ import annotations

import pickle
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from zipfile import BadZipFile, ZipFile

import numpy as np
import numpy.typing as npt

from ingest.formats.tensor_names import may_be_norm
from warehouse.errors import FormatError

Norms: TypeAlias = dict[str, npt.NDArray[np.floating[Any]]]
"""Vectors by tensor name, in the dtype of the file."""

CTRANSLATE2_VERSION = 6
CTRANSLATE2_DTYPES = {0: "<f4", 4: "<f2"}
CTRANSLATE2_NORM = re.compile(
    r"(encoder|decoder)/(?:layer_([0-9]+)/(self_attention|attention|ffn)/)?layer_norm/(gamma|beta)"
)
MARIAN_VERSION = 1
MARIAN_FLOAT32 = 0x404
MARIAN_NORM = re.compile(r"(encoder|decoder)_l([0-9]+)_(self_Wo|rnn_ffn|context_Wo|ffn_ffn)_ln_(scale|bias)")
BLOCKS = {  # of both formats, in the words of transformers
    "self_attention": "self_attn_layer_norm",
    "self_Wo": "self_attn_layer_norm",
    "rnn_ffn": "self_attn_layer_norm",
    "attention": "encoder_attn_layer_norm",
    "context_Wo": "encoder_attn_layer_norm",
    "ffn": "final_layer_norm",
    "ffn_ffn": "final_layer_norm",
}


TORCH_DTYPES = {
    "HalfStorage": "<f2",
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "BoolStorage": "?",
}
# The errors that a damaged archive or pickle raises.
TORCH_ERRORS = (
    BadZipFile,
    pickle.UnpicklingError,
    AttributeError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
)


def read_norms(path: Path, file_format: str) -> Norms:
    return READERS[file_format](path)


def _read_safetensors(path: Path) -> Norms:
    from safetensors import SafetensorError, safe_open

    with _readable(path, "safetensors", SafetensorError), safe_open(path, "np") as file:
        return {name: file.get_tensor(name) for name in file.keys() if may_be_norm(name)}  # noqa: SIM118


def _read_onnx(path: Path) -> Norms:
    """The initialisers that kept their names; quantisers leave norms in floating point."""
    import onnx
    from google.protobuf.message import DecodeError

    floats = (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16)
    with _readable(path, "ONNX", DecodeError):
        graph = onnx.load(path, load_external_data=False).graph
    return {
        tensor.name: onnx.numpy_helper.to_array(tensor)
        for tensor in graph.initializer
        if may_be_norm(tensor.name) and tensor.data_type in floats and len(tensor.dims) == 1
    }


class Storage(NamedTuple):
    dtype: str
    key: str


class Stored(NamedTuple):
    """Where a tensor is in the archive."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]


class Plain(dict[Any, Any]):
    """Replaces OrderedDict: a dict to which a pickle may add attributes."""


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401
        if module == "collections" and name == "OrderedDict":
            return Plain
        if module == "torch._utils" and name == "_rebuild_tensor_v2":
            return lambda storage, offset, shape, *_: Stored(storage, offset, shape)
        if module == "torch" and name in TORCH_DTYPES:
            return TORCH_DTYPES[name]
        raise pickle.UnpicklingError(f"it names {module}.{name}, which is not allowed")

    def persistent_load(self, pid: Any) -> Storage:  # noqa: ANN401
        """("storage", class, file in the archive, device, length)"""
        _, dtype, key, *_ = pid
        return Storage(dtype, str(key))


def _read_torch(path: Path) -> Norms:
    with _readable(path, "PyTorch", *TORCH_ERRORS), ZipFile(path) as archive:
        [index] = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        folder = index.removesuffix("data.pkl") + "data"
        with archive.open(index) as file:
            saved = _Unpickler(file).load()
        norms: Norms = {}
        for name, (storage, offset, shape) in _torch_tensors(saved):
            if may_be_norm(name) and len(shape) == 1:
                values = np.frombuffer(archive.read(f"{folder}/{storage.key}"), storage.dtype)
                norms[name] = values[offset : offset + shape[0]]
        return norms


def _torch_tensors(saved: object) -> Iterator[tuple[str, Stored]]:
    """At any depth: a checkpoint may hold several state dicts."""
    for name, value in saved.items() if isinstance(saved, dict) else ():
        if isinstance(value, Stored):
            yield str(name), value
        else:
            yield from _torch_tensors(value)


def _read_marian(path: Path) -> Norms:
    """A table of lengths, types, ranks and sizes, then names, shapes, and values."""
    raw = path.read_bytes()
    norms: Norms = {}
    with _readable(path, "Marian", struct.error, UnicodeDecodeError, ValueError):
        version, count = struct.unpack_from("<QQ", raw, 0)
        _check_version(version, MARIAN_VERSION)
        at = 16
        headers = [struct.unpack_from("<QQQQ", raw, at + 32 * number) for number in range(count)]
        at += 32 * count
        names = []
        for length, *_ in headers:
            names.append(raw[at : at + length - 1].decode())
            at += length
        at += sum(4 * rank for _, _, rank, _ in headers)
        (padding,) = struct.unpack_from("<Q", raw, at)
        at += 8 + padding
        for name, (_, kind, _, size) in zip(names, headers, strict=True):
            if (match := MARIAN_NORM.fullmatch(name)) and kind == MARIAN_FLOAT32:
                stack, layer, block, part = match.groups()
                at_layer = f"layers.{int(layer) - 1}.{BLOCKS[block]}"
                norms[_known_name(stack, at_layer, part)] = np.frombuffer(raw, "<f4", size // 4, at)
            at += size
    return norms


def _read_ctranslate2(path: Path) -> Norms:
    """Variables one after the other, each with its name, shape, type and bytes."""
    raw = path.read_bytes()
    norms: Norms = {}
    with _readable(path, "CTranslate2", struct.error, UnicodeDecodeError, ValueError):
        (version,) = struct.unpack_from("<I", raw, 0)
        _check_version(version, CTRANSLATE2_VERSION)
        _, at = _text(raw, 4)
        _, count = struct.unpack_from("<II", raw, at)
        at += 8
        for _ in range(count):
            name, at = _text(raw, at)
            rank = raw[at]
            kind, size = struct.unpack_from("<BI", raw, at + 1 + 4 * rank)
            at += 1 + 4 * rank + 5
            if (match := CTRANSLATE2_NORM.fullmatch(name)) and kind in CTRANSLATE2_DTYPES:
                stack, layer, block, part = match.groups()
                at_layer = f"layers.{layer}.{BLOCKS[block]}" if layer else "layer_norm"
                values = np.frombuffer(raw[at : at + size], CTRANSLATE2_DTYPES[kind])
                norms[_known_name(stack, at_layer, part)] = values
            at += size
    return norms


def _check_version(version: int, expected: int) -> None:
    if version != expected:
        raise ValueError(f"version {version}, not {expected}")


def _text(raw: bytes, at: int) -> tuple[str, int]:
    """A length and that many bytes, the last of them 0; and where it ends."""
    (length,) = struct.unpack_from("<H", raw, at)
    return raw[at + 2 : at + 1 + length].decode(), at + 2 + length


def _known_name(stack: str, at_layer: str, part: str) -> str:
    return f"model.{stack}.{at_layer}.{'weight' if part in ('gamma', 'scale') else 'bias'}"


@contextmanager
def _readable(path: Path, kind: str, *errors: type[Exception]) -> Iterator[None]:
    try:
        yield
    except errors as error:
        raise FormatError(
            f"{path} is no {kind} file that can be read ({error}): reinstall its package"
        ) from None


READERS: dict[str, Callable[[Path], Norms]] = {
    "safetensors": _read_safetensors,
    "onnx": _read_onnx,
    "torch": _read_torch,
    "marian": _read_marian,
    "ctranslate2": _read_ctranslate2,
}
