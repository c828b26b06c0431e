"""JSON as every command and page writes it."""

from __future__ import annotations

import json
import math
import sys

from warehouse.console.output import show


def show_json(value: object) -> None:
    """Print indented JSON, of ASCII characters only if stdout takes no others."""
    text = json_text(value, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = "".join(one if one.isascii() else _escaped(one) for one in text)
    show(*text.split("\n"))


def json_text(value: object, *, indent: int | None = None, compact: bool = False) -> str:
    """Strict JSON, which has neither NaN nor infinities: they become null, as does what is undefined.

    Letters stay as they are; dates and other types of the database become their text. What is not printable
    is escaped, so that the text may be shown on a terminal or stand in a page, and is the same data.
    """
    separators = (",", ":") if compact else None
    encoder = json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, default=str, indent=indent, separators=separators
    )
    try:
        text = encoder.encode(value)
    except ValueError:  # rare, and looking for it in every chart takes longer than the writing
        text = encoder.encode(_finite(value))
    return "\n".join(line if line.isprintable() else _printable(line) for line in text.split("\n"))


def _printable(line: str) -> str:
    return "".join(one if one.isprintable() else _escaped(one) for one in line)


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1]


def _finite(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value
