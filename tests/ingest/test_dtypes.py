"""Stored values come back exactly, for every code of every dtype a norm is stored in."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from ingest.formats.dtypes import decode, is_rounded
from warehouse.errors import FormatError

F8 = {
    "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2": ml_dtypes.float8_e5m2,
    "F8_E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "F8_E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "F8_E8M0": ml_dtypes.float8_e8m0fnu,
}


@pytest.mark.parametrize("dtype", F8)
def test_all_256_codes_of_an_8_bit_float_are_decoded_as_ml_dtypes_does(dtype: str) -> None:
    raw = bytes(range(256))
    expected = np.frombuffer(raw, F8[dtype]).astype(np.float32)
    np.testing.assert_array_equal(decode(dtype, raw, "x"), expected)


def test_all_65536_codes_of_bf16_and_f16_are_decoded_exactly() -> None:
    raw = np.arange(65536, dtype="<u2").tobytes()
    bf16 = np.frombuffer(raw, ml_dtypes.bfloat16).astype(np.float32)
    np.testing.assert_array_equal(decode("BF16", raw, "x").view(np.uint32), bf16.view(np.uint32))
    np.testing.assert_array_equal(decode("F16", raw, "x"), np.frombuffer(raw, "<f2").astype(np.float32))


def test_f32_keeps_every_bit_and_f64_is_rounded_to_nearest_and_said() -> None:
    f32 = np.array([0.1, -0.0, 1e-45, 3.4e38, np.inf], "<f4")
    assert decode("F32", f32.tobytes(), "x").tobytes() == f32.tobytes()
    assert decode("F64", np.array([0.1], "<f8").tobytes(), "x")[0] == np.float32(0.1)
    assert [is_rounded(dtype) for dtype in ("F64", "F32", "BF16")] == [True, False, False]


def test_an_integer_norm_is_refused_by_name() -> None:
    with pytest.raises(FormatError, match=r"layers\.0\.norm is stored as I8"):
        decode("I8", b"\0", "layers.0.norm")
