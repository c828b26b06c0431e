"""The vocabulary in a `tokenizer.json`, read as a stream: only the numbers of the tokens asked for are kept.

Such a file has up to 20 MB, most of it merge rules behind the vocabulary, which are not read at all. The
vocabulary is the object of token and number of BPE, WordPiece and WordLevel, or the list of token and score
of Unigram, where the place is the number.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Container

from warehouse.errors import FormatError

_STRING = r'"([^"\\]*(?:\\.[^"\\]*)*)"'
BEGIN = re.compile(r'(?<!\\)"vocab"\s*:\s*([{\[])')
NUMBERED = re.compile(rf"\s*{_STRING}\s*:\s*([0-9]{{1,9}})\s*([,}}])", re.DOTALL)
SCORED = re.compile(rf"\s*\[\s*{_STRING}\s*,\s*(-?[0-9][-+.0-9eE]*)\s*\]\s*([,\]])", re.DOTALL)
EMPTY = re.compile(r"\s*[}\]]")
# Longer than any token is, so that an entry which does not end in so many letters is none.
MOST_ENTRY = 100_000
# kept of what stands before the vocabulary, in which its key may be cut in two
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
        # not finditer, which would look for an entry further on, from every letter anew
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
        return FormatError(f"{self._where} cannot be used: {what}; fetch it anew, or ingest without --slices")
