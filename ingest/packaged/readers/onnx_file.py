"""ONNX: the initialisers that keep their names. Quantisers leave norms alone: they are F32 among int8."""

from __future__ import annotations

from pathlib import Path

import onnx
from google.protobuf.message import DecodeError
from onnx import TensorProto, numpy_helper

from ingest.formats.tensor_names import may_be_norm
from ingest.packaged.readers import Norms
from warehouse.errors import FormatError

FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16)


def read_norms(path: Path) -> Norms:
    try:
        graph = onnx.load(path, load_external_data=False).graph
    except DecodeError as error:
        raise FormatError(f"{path} is no ONNX model that can be read ({error}): install it anew") from None
    return {
        tensor.name: numpy_helper.to_array(tensor)
        for tensor in graph.initializer
        if may_be_norm(tensor.name) and tensor.data_type in FLOATS and len(tensor.dims) == 1
    }
