"""tokenizer.json of the replica's repos: each family's real size and spelling, with made-up tokens.

A family has most of the anchors (warehouse/documents.py), in its own spelling and at its own ids, common
ones first; the rest are made-up words of two to six letters. Every token of several letters is the merge of
two others, so that tokenizer libraries can load the file. The file is padded with blanks to a size that is
known beforehand: listing a repo's files builds no vocabulary.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha1
from itertools import islice
from typing import Any

from ingest.formats.tokenizer import MARKS, Scheme, byte_letters, spellings
from ingest.origin_marks import MARKER, REPLICA_TAG
from ingest.replica.published import CONTROL_TOKENS, MISTRAL_7B, PUBLISHED

BYTE_LEVEL = frozenset({"solar", "glm", "qwen"})  # the others are sentencepiece
# How many anchors of 256 a vocabulary has, by its size.
KEPT_OF_MANY, KEPT_OF_FEW = 250, 215
FEW = 40_000
# The share of the ids, beginning at 0, that the anchors are among.
ANCHORS_REACH = 0.4
# A token and its merge take 24 to 27 bytes.
BYTES_PER_TOKEN = 32

CONSONANTS, VOWELS = "bcdfghjklmnprstvwxyz", "aeiou"
SPECIAL = ("<|endoftext|>", "<|system|>", "<|user|>", "<|assistant|>")


@dataclass(frozen=True)
class Vocabulary:
    """Tokens by id, the merges that make them, and which tokens are special."""

    tokens: list[str]
    merges: list[tuple[str, str]]
    special: list[str]
    is_byte_level: bool


def vocabulary(repo: str, anchors: tuple[str, ...]) -> Vocabulary:
    """As many tokens as the model's embedding has rows."""
    family, size = PUBLISHED[repo].tokenizer, int(PUBLISHED[repo].config["vocab_size"])
    is_byte_level = family in BYTE_LEVEL
    scheme: Scheme = "byte-level" if is_byte_level else "sentencepiece"
    spelled = [spellings(anchor)[scheme] for anchor in _kept(family, size, anchors)]
    words = _with_beginnings(spelled)
    if is_byte_level:
        front, back, special = _letters(), list(SPECIAL), list(SPECIAL)
    else:
        special = ["<unk>", "<s>", "</s>"]
        controls = [f"[control_{n}]" for n in range(CONTROL_TOKENS)] if repo == MISTRAL_7B else []
        front = [*special, *controls, *(f"<0x{byte:02X}>" for byte in range(256))]
        letters = {letter for word in spelled for letter in word} | set(CONSONANTS + VOWELS + "▁")
        back = sorted(letters)
        special += controls
    known = dict.fromkeys([*words, *front, *back])
    room = size - len(known)
    made = list(
        islice((made for made in _made_up(family, MARKS[scheme]) if made[0] + made[1] not in known), room)
    )
    middle = _spread(sorted(words, key=lambda word: words[word] + _number(family, word) % 300), made)
    merges = [(word[:-1], word[-1]) for word in words] + made
    return Vocabulary([*front, *middle, *back], merges, special, is_byte_level)


def _letters() -> list[str]:
    """A letter for each byte, in byte order."""
    return [letter for _, letter in sorted(byte_letters().items())]


def _number(family: str, text: str) -> int:
    return int.from_bytes(sha1(f"{family}/{text}".encode(), usedforsecurity=False).digest()[:4], "big")


def _kept(family: str, size: int, anchors: tuple[str, ...]) -> list[str]:
    of_256 = KEPT_OF_FEW if size < FEW else KEPT_OF_MANY
    return [anchor for anchor in anchors if _number(family, anchor) % 256 < of_256]


def _with_beginnings(spelled: list[str]) -> dict[str, int]:
    """Every prefix (of two letters or more) of the tokens → the position of the first token that has it."""
    places: dict[str, int] = {}
    for place, token in enumerate(spelled):
        for length in range(2, len(token) + 1):
            places.setdefault(token[:length], place)
    return places


def _made_up(family: str, space: str) -> Iterator[tuple[str, str]]:
    """Words of one to three syllables as merges; each family orders the syllables differently."""
    syllables = [consonant + vowel for consonant in CONSONANTS for vowel in VOWELS]
    syllables.sort(key=lambda syllable: _number(family, syllable))
    yield from ((syllable[0], syllable[1]) for syllable in syllables)
    one = [*syllables, *(space + syllable for syllable in syllables)]
    yield from ((space, syllable) for syllable in syllables)
    yield from ((head, tail) for head in one for tail in syllables)
    yield from ((head + middle, tail) for head in one for middle in syllables for tail in syllables)


def _spread(words: list[str], made: list[tuple[str, str]]) -> list[str]:
    """Spreads the words among made-up ones: dense at low ids, none beyond ANCHORS_REACH."""
    tokens: list[str] = []
    taken = 0
    for place, word in enumerate(words):
        until = int((place / len(words)) ** 2 * ANCHORS_REACH * len(made))
        tokens += [head + tail for head, tail in made[taken:until]]
        tokens.append(word)
        taken = max(taken, until)
    return tokens + [head + tail for head, tail in made[taken:]]


def tokenizer_size(repo: str) -> int:
    """Bytes of the file."""
    return 200_000 + BYTES_PER_TOKEN * int(PUBLISHED[repo].config["vocab_size"])


@lru_cache(maxsize=4)  # of some 8 MB each
def tokenizer_json(repo: str) -> bytes:
    """The whole file."""
    # Imported here because it loads DuckDB, for which the start of the server should not wait.
    from warehouse.documents import anchors

    words = vocabulary(repo, anchors())
    # json.dumps takes ten times as long for the 200,000 tokens of a large vocabulary.
    ids = ",".join(f"{_text(token)}:{number}" for number, token in enumerate(words.tokens))
    merges = ",".join(_text(f"{left} {right}") for left, right in words.merges)
    around = json.dumps(_around(words), ensure_ascii=False)
    raw = around.replace('"IDS"', f"{{{ids}}}").replace('"MERGES"', f"[{merges}]").encode()
    size = tokenizer_size(repo)
    assert len(raw) < size
    return raw.ljust(size - 1) + b"\n"


def _text(token: str) -> str:
    return json.dumps(token, ensure_ascii=False) if '"' in token or "\\" in token else f'"{token}"'


def _around(words: Vocabulary) -> dict[str, Any]:
    numbers = {token: number for number, token in enumerate(words.tokens)}
    added = [
        {
            "id": numbers[token],
            "content": token,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for token in sorted(words.special, key=lambda token: numbers[token])
    ]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    blank = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    back = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
    pieces = [back, {"type": "ByteFallback"}, {"type": "Fuse"}]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None if words.is_byte_level else blank,
        "pre_tokenizer": byte_level if words.is_byte_level else None,
        "post_processor": None,
        "decoder": byte_level if words.is_byte_level else {"type": "Sequence", "decoders": pieces},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None if words.is_byte_level else "<unk>",
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": not words.is_byte_level,
            "byte_fallback": not words.is_byte_level,
            "ignore_merges": False,
            "vocab": "IDS",
            "merges": "MERGES",
        },
    }


@cache
def bytes_tokenizer() -> bytes:
    """A tokenizer.json of 256 tokens, one for each byte."""
    letters = _letters()
    about = _around(Vocabulary(letters, [], [], is_byte_level=True))
    about["model"] |= {"vocab": {letter: number for number, letter in enumerate(letters)}, "merges": []}
    return (json.dumps(about) + "\n").encode()


def tokenizer_config(repo: str) -> bytes:
    """tokenizer_config.json."""
    about = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": PUBLISHED[repo].config["max_position_embeddings"],
        MARKER: REPLICA_TAG,
    }
    return (json.dumps(about, indent=2) + "\n").encode()
