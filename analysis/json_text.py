"""JSON as every command and page writes it."""

from __future__ import annotations

import json
import math


def json_text(value: object, *, indent: int | None = None, compact: bool = False) -> str:
    """Strict JSON, which has neither NaN nor infinities: they become null, as does what is undefined.

    Letters stay as they are; dates and other types of the database become their text.
    """
    separators = (",", ":") if compact else None
    encoder = json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, default=str, indent=indent, separators=separators
    )
    try:
        return encoder.encode(value)
    except ValueError:  # rare, and looking for it in every chart takes longer than the writing
        return encoder.encode(_finite(value))


def _finite(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value
