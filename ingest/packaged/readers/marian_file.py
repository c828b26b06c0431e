"""Marian's binary format: a table of names, types, ranks and sizes, then shapes, then the values.

Source: `src/common/binary.cpp` of marian-dev. Layers count from 1. The decoder's `rnn` stands where others
have self-attention. Names become those that transformers gives a converted Marian model.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

import numpy as np

from ingest.packaged.readers import Norms
from warehouse.errors import FormatError

VERSION = 1
FLOAT32 = 0x404

NORM = re.compile(r"(encoder|decoder)_l([0-9]+)_(self_Wo|rnn_ffn|context_Wo|ffn_ffn)_ln_(scale|bias)")
BLOCKS = {
    "self_Wo": "self_attn_layer_norm",
    "rnn_ffn": "self_attn_layer_norm",
    "context_Wo": "encoder_attn_layer_norm",
    "ffn_ffn": "final_layer_norm",
}


def read_norms(path: Path) -> Norms:
    raw = path.read_bytes()
    try:
        return _read(raw)
    except (struct.error, UnicodeDecodeError, ValueError) as error:
        raise FormatError(f"{path} is no Marian model that can be read ({error}): install it anew") from None


def _read(raw: bytes) -> Norms:
    version, count = struct.unpack_from("<QQ", raw, 0)
    if version != VERSION:
        raise ValueError(f"version {version}, not {VERSION}")
    at = 16
    # length of the name, type, length of the shape, bytes of the values
    headers = [struct.unpack_from("<QQQQ", raw, at + 32 * number) for number in range(count)]
    at += 32 * count
    names = []
    for length, *_ in headers:
        names.append(raw[at : at + length - 1].decode())
        at += length
    at += sum(4 * rank for _, _, rank, _ in headers)
    (padding,) = struct.unpack_from("<Q", raw, at)
    at += 8 + padding
    norms: Norms = {}
    for name, (_, kind, _, size) in zip(names, headers, strict=True):
        if (match := NORM.fullmatch(name)) and kind == FLOAT32:
            norms[_known_name(match)] = np.frombuffer(raw, "<f4", size // 4, at)
        at += size
    return norms


def _known_name(match: re.Match[str]) -> str:
    stack, layer, block, part = match.groups()
    last = "weight" if part == "scale" else "bias"
    return f"model.{stack}.layers.{int(layer) - 1}.{BLOCKS[block]}.{last}"
