"""Reads PyTorch's zip format, an archive of a pickle and of storages, without running the pickle.

A pickle can run any code. Our unpickler resolves only the few names that are listed here and refuses all
others.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

import numpy as np

DTYPES = {
    "HalfStorage": "<f2",
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "BoolStorage": "?",
}

# The errors that a damaged archive or pickle raises.
BROKEN = (
    BadZipFile,
    pickle.UnpicklingError,
    AttributeError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
)


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


def read_vectors(path: Path, is_wanted: Callable[[str], bool]) -> dict[str, np.ndarray]:
    """The wanted tensors of one dimension; raises one of BROKEN for a damaged file."""
    with ZipFile(path) as archive:
        [index] = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        folder = index.removesuffix("data.pkl") + "data"
        with archive.open(index) as file:
            saved = _Unpickler(file).load()
        return {
            name: _values(archive.read(f"{folder}/{tensor.storage.key}"), tensor)
            for name, tensor in _tensors(saved)
            if is_wanted(name) and len(tensor.shape) == 1
        }


def _tensors(saved: object) -> Iterator[tuple[str, Stored]]:
    """At any depth: a checkpoint may hold several state dicts."""
    for name, value in saved.items() if isinstance(saved, dict) else ():
        if isinstance(value, Stored):
            yield str(name), value
        else:
            yield from _tensors(value)


def _values(raw: bytes, tensor: Stored) -> np.ndarray:
    return np.frombuffer(raw, tensor.storage.dtype)[tensor.offset : tensor.offset + tensor.shape[0]]


def _stored(storage: Storage, offset: int, shape: tuple[int, ...], *_: object) -> Stored:
    return Stored(storage, offset, shape)


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401
        if module == "collections" and name == "OrderedDict":
            return Plain
        if module == "torch._utils" and name == "_rebuild_tensor_v2":
            return _stored
        if module == "torch" and name in DTYPES:
            return DTYPES[name]
        raise pickle.UnpicklingError(f"it names {module}.{name}, which is not allowed")

    def persistent_load(self, pid: Any) -> Storage:  # noqa: ANN401
        """("storage", class, file in the archive, device, length)"""
        _, dtype, key, *_ = pid
        return Storage(dtype, str(key))
