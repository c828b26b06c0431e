"""Reads the rows of a query as dictionaries and writes them as strict JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from typing import Any

import duckdb

from warehouse.console.output import show


def fetch_dicts(
    connection: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, object] | None = None
) -> list[dict[str, Any]]:
    """One dictionary per row, by column. Does not import Arrow, which takes longer than many a query."""
    answer = connection.execute(query, parameters or {})
    names = [name for name, *_ in answer.description or ()]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def about_lake(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Which lake is read, and the caution that belongs to every answer from it."""
    [about] = fetch_dicts(connection, "select lake, models, sources, caution, fingerprint from lake")
    return about


def show_json(value: object) -> None:
    """Print indented JSON, of ASCII characters only if stdout takes no others."""
    text = json_text(value, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = "".join(one if one.isascii() else _escaped(one) for one in text)
    show(*text.split("\n"))


def json_text(value: object, *, indent: int | None = None, compact: bool = False) -> str:
    """Strict JSON: NaN and infinities become null; dates and other types of the database become text.

    Characters that are not printable are escaped, so the text is safe on a terminal or in a page.
    """
    separators = (",", ":") if compact else None
    encoder = json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, default=str, indent=indent, separators=separators
    )
    try:
        text = encoder.encode(value)
    except ValueError:  # rare; checking every chart first would take longer than writing it
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
