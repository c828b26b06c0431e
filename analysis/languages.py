"""Texts of the report in English and Korean, read from TOML files and filled in with figures.

A text is a table of languages, `{en = "…", ko = "…"}`, and a template: `{cosine:.2f}` is filled in from rows,
so that a sentence is true of any lake.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

Language = Literal["en", "ko"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

Text = Mapping[Language, str]


class Observed(float):
    """A figure that prints in the given format, or as `undefined` if it is NULL or NaN."""

    def __new__(cls, value: float | None) -> Observed:
        return super().__new__(cls, float("nan") if value is None else value)

    def __format__(self, form: str) -> str:
        if self != self:
            return "undefined"
        # with a true minus sign, and none before a zero
        return super().__format__(_without_negative_zero(form or ".4g")).replace("-", "−")


@cache
def read_texts(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def is_text(node: object) -> bool:
    return isinstance(node, dict) and bool(node) and node.keys() <= set(LANGUAGES)


def all_texts(node: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, dict[str, str]]]:
    """Every text below a table, by its dotted name."""
    if is_text(node):
        assert isinstance(node, dict)
        yield ".".join(path), node
    elif isinstance(node, dict):
        for key, below in node.items():
            yield from all_texts(below, (*path, key))
    elif isinstance(node, list):
        for number, below in enumerate(node):
            yield from all_texts(below, (*path, str(number)))


def in_language(node: Any, language: Language) -> Any:  # noqa: ANN401 (TOML has any type)
    """The same tables with each text as a string of one language."""
    if is_text(node):
        return node[language]
    if isinstance(node, dict):
        return {key: in_language(below, language) for key, below in node.items()}
    if isinstance(node, list):
        return [in_language(below, language) for below in node]
    return node


def filled(template: str, values: Mapping[str, object], language: Language = "en") -> str:
    """The template with its values; undefined figures print as `undefined`."""
    return template.format(**{name: _shown(value, language) for name, value in values.items()})


def _shown(value: object, language: Language) -> object:
    if value is None or isinstance(value, float):
        return Observed(value)
    return in_language(value, language)


def _without_negative_zero(form: str) -> str:
    """Insert `z` after the sign of a format, before its width and precision."""
    if "z" in form or not form or form[-1] not in "fFeEgG%":
        return form
    sign = form[0] if form[0] in "+- " else ""
    return f"{sign}z{form[len(sign) :]}"
