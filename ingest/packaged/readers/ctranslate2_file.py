"""CTranslate2's binary format: one variable behind the other, each with its name, shape, type and bytes.

Source: `python/ctranslate2/specs/model_spec.py` of CTranslate2, version 6 of the format. Names become those
that transformers gives a Whisper or Marian model.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

import numpy as np

from ingest.packaged.readers import Norms
from warehouse.errors import FormatError

VERSION = 6
DTYPES = {0: "<f4", 4: "<f2"}

NORM = re.compile(
    r"(encoder|decoder)/(?:layer_([0-9]+)/(self_attention|attention|ffn)/)?layer_norm/(gamma|beta)"
)
BLOCKS = {
    "self_attention": "self_attn_layer_norm",
    "attention": "encoder_attn_layer_norm",
    "ffn": "final_layer_norm",
}


def read_norms(path: Path) -> Norms:
    try:
        return _read(path.read_bytes())
    except (struct.error, UnicodeDecodeError, ValueError) as error:
        raise FormatError(
            f"{path} is no CTranslate2 model that can be read ({error}): install it anew"
        ) from None


def _read(raw: bytes) -> Norms:
    (version,) = struct.unpack_from("<I", raw, 0)
    if version != VERSION:
        raise ValueError(f"version {version}, not {VERSION}")
    _, at = _text(raw, 4)
    _, count = struct.unpack_from("<II", raw, at)
    at += 8
    norms: Norms = {}
    for _ in range(count):
        name, at = _text(raw, at)
        rank = raw[at]
        kind, size = struct.unpack_from("<BI", raw, at + 1 + 4 * rank)
        at += 1 + 4 * rank + 5
        if (match := NORM.fullmatch(name)) and kind in DTYPES:
            norms[_known_name(match)] = np.frombuffer(raw[at : at + size], DTYPES[kind])
        at += size
    return norms


def _text(raw: bytes, at: int) -> tuple[str, int]:
    """A length, and as many bytes of which the last is 0; and where it ends."""
    (length,) = struct.unpack_from("<H", raw, at)
    return raw[at + 2 : at + 1 + length].decode(), at + 2 + length


def _known_name(match: re.Match[str]) -> str:
    stack, layer, block, part = match.groups()
    last = "weight" if part == "gamma" else "bias"
    return f"model.{stack}.{f'layers.{layer}.{BLOCKS[block]}' if layer else 'layer_norm'}.{last}"
