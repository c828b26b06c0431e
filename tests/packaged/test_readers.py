"""Each reader on small files of its format, written here; and a pickle that would run code."""

from __future__ import annotations

import os
import pickle
import struct
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from ingest.packaged import models
from ingest.packaged.models import norms_of, packaged_models, stack_of
from ingest.packaged.readers import Norms, read_norms
from warehouse.errors import FormatError, UsageError

WIDTH = 8
VALUES = np.arange(WIDTH, dtype=np.float32) / 7


def same(found: Norms, expected: dict[str, np.ndarray]) -> None:
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values)
        assert found[name].dtype == values.dtype


def test_onnx_initialisers_are_read_by_name_and_int8_ones_left(tmp_path: Path) -> None:
    tensors = [
        helper.make_tensor("encoder.layer.0.output.LayerNorm.weight", TensorProto.FLOAT, [WIDTH], VALUES),
        helper.make_tensor("encoder.layer.0.output.LayerNorm.bias", TensorProto.INT8, [2], [1, 2]),
        helper.make_tensor("encoder.layer.0.output.dense.bias", TensorProto.FLOAT, [WIDTH], VALUES),
    ]
    onnx.save(helper.make_model(helper.make_graph([], "g", [], [], tensors)), tmp_path / "m.onnx")
    same(read_norms(tmp_path / "m.onnx", "onnx"), {"encoder.layer.0.output.LayerNorm.weight": VALUES})


def _torch_pickle(tensor: str, offset: int, length: int) -> bytes:
    """{"state_dict": OrderedDict(tensor: _rebuild_tensor_v2(storage "0", offset, (length,), (1,)))}"""

    def text(word: str) -> bytes:
        return b"X" + struct.pack("<I", len(word)) + word.encode()

    def number(value: int) -> bytes:
        return b"J" + struct.pack("<i", value)

    storage = b"(" + text("storage") + b"ctorch\nHalfStorage\n" + text("0") + text("cpu") + number(0) + b"tQ"
    arguments = b"(" + storage + number(offset) + b"(" + number(length) + b"t" + b"(" + number(1) + b"tt"
    rebuilt = b"ctorch._utils\n_rebuild_tensor_v2\n" + arguments + b"R"
    state = b"ccollections\nOrderedDict\n)R(" + text(tensor) + rebuilt + b"u"
    return b"\x80\x02}" + text("state_dict") + state + b"s."


def _torch_file(path: Path, pickled: bytes, values: np.ndarray) -> Path:
    with ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", pickled)
        archive.writestr("archive/data/0", values.tobytes())
    return path


def test_a_pytorch_checkpoint_is_read_to_the_value(tmp_path: Path) -> None:
    values = np.arange(20, dtype=np.float16)
    path = _torch_file(tmp_path / "m.pt", _torch_pickle("ln_f.weight", 4, WIDTH), values)
    same(read_norms(path, "torch"), {"ln_f.weight": values[4:12]})


class _Runs:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("ran",)


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_a_pickle_that_names_anything_else_is_refused_and_nothing_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protocol: int
) -> None:
    monkeypatch.chdir(tmp_path)
    path = _torch_file(tmp_path / "m.pt", pickle.dumps({"a": _Runs()}, protocol), VALUES)
    with pytest.raises(FormatError, match=r"it names (posix|nt)\.mkdir, which is not allowed"):
        read_norms(path, "torch")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "pickled", [b"", b"\x80\x02}", b"}X", b"(lp0\nR."], ids=["empty", "cut", "odd", "call"]
)
def test_a_damaged_pickle_is_said_in_one_line(tmp_path: Path, pickled: bytes) -> None:
    with pytest.raises(FormatError, match="reinstall its package"):
        read_norms(_torch_file(tmp_path / "m.pt", pickled, VALUES), "torch")


def _marian_file(path: Path, tensors: dict[str, tuple[int, bytes]]) -> Path:
    names = [name.encode() + b"\0" for name in tensors]
    body = struct.pack("<QQ", 1, len(tensors))
    for name, (kind, raw) in zip(names, tensors.values(), strict=True):
        body += struct.pack("<QQQQ", len(name), kind, 2, len(raw))
    body += b"".join(names) + b"".join(struct.pack("<ii", 1, len(raw) // 4) for _, raw in tensors.values())
    body += struct.pack("<Q", 3) + bytes(3)
    path.write_bytes(body + b"".join(raw for _, raw in tensors.values()))
    return path


def test_a_marian_model_is_read_under_the_names_of_transformers(tmp_path: Path) -> None:
    tensors = {
        "Wemb": (0x4101, b"\1" * 40),
        "encoder_l1_self_Wo_ln_scale": (0x404, VALUES.tobytes()),
        "decoder_l2_rnn_ffn_ln_bias": (0x404, (VALUES + 1).tobytes()),
        "decoder_l2_context_Wo_ln_scale": (0x404, (VALUES + 2).tobytes()),
        "decoder_l2_ffn_ffn_ln_scale": (0x404, (VALUES + 3).tobytes()),
    }
    expected = {
        "model.encoder.layers.0.self_attn_layer_norm.weight": VALUES,
        "model.decoder.layers.1.self_attn_layer_norm.bias": VALUES + 1,
        "model.decoder.layers.1.encoder_attn_layer_norm.weight": VALUES + 2,
        "model.decoder.layers.1.final_layer_norm.weight": VALUES + 3,
    }
    same(read_norms(_marian_file(tmp_path / "m.bin", tensors), "marian"), expected)


def _ctranslate2_file(path: Path, tensors: dict[str, np.ndarray]) -> Path:
    def text(word: str) -> bytes:
        return struct.pack("<H", len(word) + 1) + word.encode() + b"\0"

    body = struct.pack("<I", 6) + text("WhisperSpec") + struct.pack("<II", 3, len(tensors))
    for name, values in tensors.items():
        kind = {"float32": 0, "float16": 4, "int8": 1}[str(values.dtype)]
        shape = struct.pack(f"<B{values.ndim}I", values.ndim, *values.shape)
        body += text(name) + shape + struct.pack("<BI", kind, values.nbytes) + values.tobytes()
    path.write_bytes(body)
    return path


def test_a_ctranslate2_model_is_read_under_the_names_of_transformers(tmp_path: Path) -> None:
    half = VALUES.astype(np.float16)
    tensors: dict[str, np.ndarray] = {
        "decoder/pre_norm": np.array([1], np.int8),
        "decoder/layer_3/attention/layer_norm/gamma": half,
        "encoder/layer_0/ffn/layer_norm/beta": half + 1,
        "encoder/layer_norm/gamma": VALUES,
    }
    expected: dict[str, np.ndarray] = {
        "model.decoder.layers.3.encoder_attn_layer_norm.weight": half,
        "model.encoder.layers.0.final_layer_norm.bias": half + 1,
        "model.encoder.layer_norm.weight": VALUES,
    }
    same(read_norms(_ctranslate2_file(tmp_path / "m.bin", tensors), "ctranslate2"), expected)


@pytest.mark.parametrize("file_format", ["safetensors", "onnx", "torch", "marian", "ctranslate2"])
@pytest.mark.parametrize("raw", [b"\xff" * 100, b"PK\x03\x04"], ids=["noise", "half a zip"])
def test_a_damaged_file_is_said_in_one_line(tmp_path: Path, file_format: str, raw: bytes) -> None:
    (tmp_path / "m").write_bytes(raw)
    with pytest.raises(FormatError, match="reinstall its package"):
        read_norms(tmp_path / "m", file_format)


def test_a_stack_alone_loses_its_prefix_and_its_cross_attention() -> None:
    names = ("self_attn_layer_norm.weight", "encoder_attn_layer_norm.weight", "final_layer_norm.bias")
    norms: Norms = {f"model.decoder.layers.0.{name}": VALUES for name in names}
    norms["model.encoder.layers.0.final_layer_norm.weight"] = VALUES
    assert set(stack_of(norms, "decoder")) == {
        "model.layers.0.post_attention_layernorm.weight",
        "model.layers.0.post_feedforward_layernorm.bias",
    }


def test_a_package_that_is_not_installed_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing(name: str) -> object:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(models, "distribution", nothing)
    with pytest.raises(UsageError, match="deepsa is not installed: run `uv sync --group real`"):
        norms_of(packaged_models()["deepsa"])
