"""How tokenizers spell a token: three ways to write where a word begins and which bytes a letter has.

    byte-level      "Ġthe", every byte of UTF-8 as a letter of its own (GPT-2, Llama 3, Qwen, GLM)
    sentencepiece   "▁the", the text itself (Llama 2, Mistral, Gemma, T5)
    wordpiece       "the" begins a word, "##the" continues one (BERT)

An anchor is the text, its leading space included. No file says reliably which way it goes, so all three are
looked up at once, and the marks of what was found decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal

Scheme = Literal["byte-level", "sentencepiece", "wordpiece"]

# What only this way of spelling writes.
MARKS: dict[Scheme, str] = {"byte-level": "Ġ", "sentencepiece": "▁", "wordpiece": "##"}

# BERT's tokenizer splits these off, so they neither begin a word nor continue one.
APART = re.compile(r"[\W_\u4e00-\u9fff]")


def spellings(anchor: str) -> dict[Scheme, str]:
    """The token that an anchor would be, in each way of spelling that can write it."""
    found: dict[Scheme, str] = {
        "byte-level": "".join(byte_letters()[byte] for byte in anchor.encode()),
        "sentencepiece": anchor.replace(" ", MARKS["sentencepiece"]),
    }
    word = anchor.removeprefix(" ")
    if APART.match(word):
        if word == anchor:
            found["wordpiece"] = word
    else:
        found["wordpiece"] = word if word != anchor else MARKS["wordpiece"] + word
    return found


def tokens_of(wanted: Iterable[str]) -> dict[str, list[tuple[Scheme, str]]]:
    """By spelling: which anchors it may stand for, and in which way of spelling."""
    table: dict[str, list[tuple[Scheme, str]]] = {}
    for anchor in wanted:
        for scheme, spelling in spellings(anchor).items():
            table.setdefault(spelling, []).append((scheme, anchor))
    return table


def chosen_scheme(found: Iterable[str]) -> Scheme:
    """The way of spelling that most marks among the tokens found speak for."""
    tokens = list(found)
    votes = {scheme: sum(token.startswith(mark) for token in tokens) for scheme, mark in MARKS.items()}
    return max(MARKS, key=lambda scheme: votes[scheme])


def anchors_among(ids: Mapping[str, int], table: Mapping[str, list[tuple[Scheme, str]]]) -> dict[str, int]:
    """The anchors that these tokens are, by the one way of spelling that the tokenizer has."""
    scheme = chosen_scheme(ids)
    return {anchor: ids[token] for token in ids for way, anchor in table[token] if way == scheme}


@cache
def byte_letters() -> dict[int, str]:
    """GPT-2's letter for each byte: itself where it can be seen, else one from U+0100 on."""
    seen = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    letters = {byte: chr(byte) for byte in seen}
    hidden = [byte for byte in range(256) if byte not in letters]
    return letters | {byte: chr(256 + number) for number, byte in enumerate(hidden)}
