"""Finds the anchors that a tokenizer has as single tokens, and reads its vocabulary piece by piece.

There are three spellings of tokens. No file states reliably which one it uses, so we look up all three at
once, and decide by the characters that occur in only one of them.

    byte-level      "Ġthe", every byte of UTF-8 as a letter of its own (GPT-2, Llama 3, Qwen, GLM)
    sentencepiece   "▁the", the text itself (Llama 2, Mistral, Gemma, T5)
    wordpiece       "the" begins a word, "##the" continues one (BERT)

An anchor is the text, with its leading space. The vocabulary in `tokenizer.json` is an object of token and
number (BPE, WordPiece, WordLevel), or a list of token and score (Unigram), in which the position is the
number.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Container, Iterable, Mapping
from functools import cache
from typing import Literal

from warehouse.errors import FormatError

Scheme = Literal["byte-level", "sentencepiece", "wordpiece"]

# Characters that only this spelling writes.
MARKS: dict[Scheme, str] = {"byte-level": "Ġ", "sentencepiece": "▁", "wordpiece": "##"}

# BERT's tokenizer splits these off, so they are never part of a word.
APART = re.compile(r"[\W_\u4e00-\u9fff]")


def spellings(anchor: str) -> dict[Scheme, str]:
    """The token of an anchor, in each spelling that can write it."""
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
    """By token: which anchors it may be, and in which spelling."""
    table: dict[str, list[tuple[Scheme, str]]] = {}
    for anchor in wanted:
        for scheme, spelling in spellings(anchor).items():
            table.setdefault(spelling, []).append((scheme, anchor))
    return table


def chosen_scheme(found: Iterable[str]) -> Scheme:
    """The spelling whose marks occur most often in these tokens."""
    tokens = list(found)
    votes = {scheme: sum(token.startswith(mark) for token in tokens) for scheme, mark in MARKS.items()}
    return max(MARKS, key=lambda scheme: votes[scheme])


def anchors_among(ids: Mapping[str, int], table: Mapping[str, list[tuple[Scheme, str]]]) -> dict[str, int]:
    """The anchors among these tokens, with their ids; only those in the tokenizer's own spelling."""
    scheme = chosen_scheme(ids)
    return {anchor: ids[token] for token in ids for spelling, anchor in table[token] if spelling == scheme}


@cache
def byte_letters() -> dict[int, str]:
    """GPT-2's letter for each byte: the byte's own character if it is printable, else one from U+0100 on."""
    printable = [
        *range(ord("!"), ord("~") + 1),
        *range(ord("¡"), ord("¬") + 1),
        *range(ord("®"), ord("ÿ") + 1),
    ]
    letters = {byte: chr(byte) for byte in printable}
    others = [byte for byte in range(256) if byte not in letters]
    return letters | {byte: chr(256 + number) for number, byte in enumerate(others)}


_STRING = r'"([^"\\]*(?:\\.[^"\\]*)*)"'
BEGIN = re.compile(r'(?<!\\)"vocab"\s*:\s*([{\[])')
NUMBERED = re.compile(rf"\s*{_STRING}\s*:\s*([0-9]{{1,9}})\s*([,}}])", re.DOTALL)
SCORED = re.compile(rf"\s*\[\s*{_STRING}\s*,\s*(-?[0-9][-+.0-9eE]*)\s*\]\s*([,\]])", re.DOTALL)
EMPTY = re.compile(r"\s*[}\]]")
# Longer than any token: an entry that does not end within this is invalid.
MOST_ENTRY = 100_000
# kept of the text before the vocabulary, whose key may be cut in two
KEY_LENGTH = 64


class VocabularyReader:
    """Feed it the file piece by piece until it is `done`; `ids` then has the wanted tokens."""

    def __init__(self, wanted: Container[str], where: str) -> None:
        self.ids: dict[str, int] = {}
        self.done = False
        self._wanted = wanted
        self._where = where
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text = ""
        self._entry: re.Pattern[str] | None = None
        self._count = 0

    def feed(self, piece: bytes, *, last: bool) -> None:
        try:
            self._text += self._decoder.decode(piece, final=last)
        except UnicodeDecodeError:
            raise self._bad("it is not UTF-8") from None
        if self._entry is None:
            self._find_begin()
        if self._entry is not None:
            self._read_entries(self._entry)
        if last and not self.done:
            raise self._bad_entry() if self._entry else self._bad("it has no model.vocab")

    def _find_begin(self) -> None:
        begin = BEGIN.search(self._text)
        if begin is None:
            self._text = self._text[-KEY_LENGTH:]
            return
        self._entry = NUMBERED if begin[1] == "{" else SCORED
        self._text = self._text[begin.end() :]

    def _read_entries(self, entry: re.Pattern[str]) -> None:
        reached = 0
        # not finditer, which would search on from every letter
        while match := entry.match(self._text, reached):
            reached = match.end()
            token = match[1]
            if "\\" in token:
                token = self._unescaped(token)
            if token in self._wanted:
                self.ids.setdefault(token, int(match[2]) if entry is NUMBERED else self._count)
            self._count += 1
            if match[3] != ",":
                self.done = True
                return
        self._text = self._text[reached:]
        if not self._count and EMPTY.match(self._text):
            self.done = True
        elif len(self._text) > MOST_ENTRY:
            raise self._bad_entry()

    def _unescaped(self, token: str) -> str:
        try:
            return str(json.loads(f'"{token}"', strict=False))
        except ValueError:
            raise self._bad_entry() from None

    def _bad_entry(self) -> FormatError:
        return self._bad(f"entry {self._count:,} of its vocabulary is no token with a number, or cut off")

    def _bad(self, what: str) -> FormatError:
        return FormatError(
            f"{self._where} cannot be used: {what}; fetch it again, or ingest without --slices"
        )
