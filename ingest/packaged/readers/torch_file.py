"""PyTorch's zip format: a pickle that says where each tensor lies, and the bytes of each storage beside it.

A pickle can run anything. This one is read by an unpickler that looks no name up outside this file: whatever
the pickle names that is not listed here is refused.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

import numpy as np

from ingest.formats.tensor_names import may_be_norm
from ingest.packaged.readers import Norms
from warehouse.errors import FormatError

DTYPES = {
    "HalfStorage": "<f2",
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "BoolStorage": "?",
}


# what a damaged archive or pickle raises, by the documentation of both and by trying
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
    """A tensor that was not read yet."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]


class Plain(dict[Any, Any]):
    """For OrderedDict: a dict that a pickle may give attributes."""


def read_norms(path: Path) -> Norms:
    try:
        with ZipFile(path) as archive:
            [index] = [name for name in archive.namelist() if name.endswith("/data.pkl")]
            folder = index.removesuffix("data.pkl") + "data"
            with archive.open(index) as file:
                saved = _Unpickler(file).load()
            return {
                name: _values(archive.read(f"{folder}/{tensor.storage.key}"), tensor)
                for name, tensor in _tensors(saved)
                if may_be_norm(name) and len(tensor.shape) == 1
            }
    except BROKEN as error:
        raise FormatError(f"{path} is no PyTorch file that can be read ({error}): install it anew") from None


def _tensors(saved: object) -> Iterator[tuple[str, Stored]]:
    """However deep: a state dict may stand beside others in a checkpoint."""
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
        raise pickle.UnpicklingError(f"it names {module}.{name}, which is not looked up")

    def persistent_load(self, pid: Any) -> Storage:  # noqa: ANN401
        """("storage", class, file in the archive, device, length)"""
        _, dtype, key, *_ = pid
        return Storage(dtype, str(key))
