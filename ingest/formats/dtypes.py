"""Decodes stored bytes to float32 values. All dtypes but F64 fit exactly.

`safetensors` needs extra packages to give BF16 and F8 to NumPy. Every format here is a few bits in a known
place, so a shift (BF16) or a table of all 256 codes (F8) is both exact and shorter.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from warehouse.errors import FormatError
from warehouse.rows import Floats

# All dtypes of the format with their bits; names as in safetensors headers.
BITS = {"BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "C64": 64}
BITS |= dict.fromkeys(("U8", "I8", "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"), 8)
BITS |= dict.fromkeys(("I16", "U16", "F16", "BF16"), 16)
BITS |= dict.fromkeys(("I32", "U32", "F32"), 32) | dict.fromkeys(("F64", "I64", "U64"), 64)

NATIVE = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}

# dtype: (exponent bits, mantissa bits, exponent bias)
F8_LAYOUT = {
    "F8_E4M3": (4, 3, 7),
    "F8_E5M2": (5, 2, 15),
    "F8_E4M3FNUZ": (4, 3, 8),
    "F8_E5M2FNUZ": (5, 2, 16),
}

DECODABLE = frozenset({"BF16", "F8_E8M0"} | NATIVE.keys() | F8_LAYOUT.keys())


def is_rounded(dtype: str) -> bool:
    """Whether float32 cannot hold every value of the dtype."""
    return dtype == "F64"


def decode(dtype: str, raw: bytes, where: str) -> Floats:
    """The values in `raw`, little endian, as float32."""
    if dtype == "BF16":
        return (np.frombuffer(raw, "<u2").astype(np.uint32) << 16).view(np.float32)
    if dtype in NATIVE:
        with np.errstate(over="ignore", under="ignore"):
            return np.frombuffer(raw, NATIVE[dtype]).astype(np.float32)
    if dtype in DECODABLE:
        return _f8_table(dtype)[np.frombuffer(raw, np.uint8)]
    raise FormatError(
        f"{where} is stored as {dtype}, which has no defined float values: "
        f"only {', '.join(sorted(DECODABLE))} can be ingested"
    )


@cache
def _f8_table(dtype: str) -> npt.NDArray[np.float32]:
    """The value of each of the 256 codes."""
    codes = np.arange(256)
    if dtype == "F8_E8M0":  # a bare power of two; 255 is NaN
        return np.where(codes == 255, np.nan, np.ldexp(1.0, codes - 127)).astype(np.float32)
    exponent_bits, mantissa_bits, bias = F8_LAYOUT[dtype]
    sign = np.where(codes & 0x80, -1.0, 1.0)
    exponent = (codes >> mantissa_bits) & ((1 << exponent_bits) - 1)
    fraction = (codes & ((1 << mantissa_bits) - 1)) / (1 << mantissa_bits)
    subnormal = np.ldexp(fraction, 1 - bias)
    normal = np.ldexp(1 + fraction, exponent - bias)
    values = sign * np.where(exponent == 0, subnormal, normal)
    if dtype.endswith("FNUZ"):  # no infinities, no negative zero: its code is the only NaN
        values[0x80] = np.nan
    elif dtype == "F8_E4M3":  # no infinities: all ones is NaN
        values[[0x7F, 0xFF]] = np.nan
    else:  # F8_E5M2 as IEEE has it
        top = exponent == (1 << exponent_bits) - 1
        values = np.where(top, np.where(fraction == 0, sign * np.inf, np.nan), values)
    return values.astype(np.float32)
