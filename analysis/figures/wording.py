"""The words of the figures, from `words/*.toml`: title, data, caption and description in every language."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from analysis.figures.figure import Words
from analysis.languages import is_text, read_texts

FOLDER = Path(__file__).with_name("words")


@cache
def all_words() -> dict[str, dict[str, Any]]:
    """By figure; a figure stands in one file."""
    return {name: table for file in sorted(FOLDER.glob("*.toml")) for name, table in read_texts(file).items()}


def words_of(name: str) -> Words:
    table = all_words()[name]
    title = table["title"]
    return Words(
        {"": title} if is_text(title) else title, table["data"], table["caption"], table["description"]
    )
