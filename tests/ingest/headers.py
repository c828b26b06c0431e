"""Makes small safetensors files, valid and invalid, from parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np


def entry(dtype: str, shape: list[int], begin: int, end: int) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def file_bytes(header: Mapping[str, Any] | bytes, data: bytes = b"") -> bytes:
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(raw).to_bytes(8, "little") + raw + data


def safetensors(tensors: Mapping[str, np.ndarray[Any, Any]], dtype: str = "F32") -> bytes:
    """A valid file with these tensors in this order; BF16 takes the upper half of each float32."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, values in tensors.items():
        floats = values.astype("<f4")
        raw = (floats.view("<u4") >> 16).astype("<u2").tobytes() if dtype == "BF16" else floats.tobytes()
        header[name] = entry(dtype, list(values.shape), len(data), len(data) + len(raw))
        data += raw
    return file_bytes(header, data)
