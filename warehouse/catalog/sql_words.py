"""The words of a SQL text, as DuckDB's tokenizer finds them."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb


@dataclass(frozen=True)
class Word:
    """A token that is not a comment: in lower case and, if it is a quoted name, without its quotes."""

    text: str
    kind: duckdb.token_type
    at: int
    """Byte of the text at which it begins."""


def words(text: str) -> list[Word]:
    source = text.encode()
    tokens = duckdb.tokenize(text)
    ends = [at for at, _ in tokens[1:]] + [len(source)]
    found = []
    for (at, kind), end in zip(tokens, ends, strict=True):
        word = source[at:end].decode().strip().lower()
        if kind != duckdb.token_type.comment:
            if word.startswith('"'):
                word = word[1:-1].replace('""', '"')
            found.append(Word(word, kind, at))
    return found
