"""A chart in another language: the same specification, with the words of `labels.toml` in their places.

Charts are drawn once, in English, and their English words are the keys. A word is replaced in titles, data,
domains and conditions alike, so that joins on a word still work.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from analysis.languages import Language, all_texts, in_language, read_texts

LABELS = Path(__file__).with_name("labels.toml")

Say = Callable[[str], str]

# keys of Vega-Lite whose strings are seen, or are joined with strings that are
SEEN = {"title", "subtitle", "text", "domain", "sort", "values", "labels", "options"}
EXPRESSIONS = {"calculate", "filter", "test", "labelExpr"}
LITERAL = re.compile(r"'([^']*)'")
PLACE = re.compile(r"\\\{(\w+)\\\}")


def translated(spec: dict[str, Any], language: Language) -> dict[str, Any]:
    """The chart in a language; what has no phrase stays as it is."""
    if language == "en":
        return spec
    done: dict[str, Any] = with_words(spec, lambda text: phrase(text, language))
    return done


def with_words(node: Any, say: Say, key: str = "") -> Any:  # noqa: ANN401 (JSON has any type)
    """A copy in which `say` has replaced every text."""
    if isinstance(node, str):
        if key in SEEN:
            return say(node)
        return LITERAL.sub(lambda found: f"'{say(found[1])}'", node) if key in EXPRESSIONS else node
    if isinstance(node, list):
        return [with_words(below, say, key) for below in node]
    if not isinstance(node, dict):
        return node
    if key == "datasets":
        return {name: [_row(row, say) for row in rows] for name, rows in node.items()}
    done = {name: with_words(below, say, name) for name, below in node.items()}
    if key == "bind":
        done["name"] = say(node["name"])
    elif key == "params" and isinstance(node.get("value"), str):
        done["value"] = say(node["value"])
    elif key == "tooltip" and "field" in node and "title" not in node:
        done["title"] = say(str(node["field"]))
    return done


def _row(row: dict[str, Any], say: Say) -> dict[str, Any]:
    return {name: say(value) if isinstance(value, str) else value for name, value in row.items()}


def ways() -> dict[str, str]:
    """How models of the zoo were made, in English words, by the name of the transformation."""
    words: dict[str, str] = in_language(read_texts(LABELS)["ways"], "en")
    return words


@cache
def phrase(text: str, language: Language) -> str:
    """A text in a language, by the first phrase that fits it; what fills its places is translated, too."""
    exact, templates = _phrases(language)
    if text in exact:
        return exact[text]
    for pattern, words in templates:
        found = pattern.fullmatch(text)
        if found:
            return words.format(**{name: phrase(part, language) for name, part in found.groupdict().items()})
    return text


@cache
def _phrases(language: Language) -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    """Those without places by their English, and those with, as patterns in their order."""
    listed = [text for _, text in all_texts(read_texts(LABELS))]
    exact = {one["en"]: one[language] for one in listed if "{" not in one["en"]}
    templates = [
        (re.compile(PLACE.sub(r"(?P<\1>.+?)", re.escape(one["en"]))), one[language])
        for one in listed
        if "{" in one["en"]
    ]
    return exact, templates
