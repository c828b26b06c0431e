"""The tokens of the replica's tokenizers: the families' sizes and ways of spelling, made-up content.

A family has most of the anchors (warehouse/documents/anchors.py), spelled its way and at its own ids,
common ones first; the rest are made-up words of two to six letters. Every token but the single letters has a
merge of two others, so that the file is one that any tokenizer library takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha1
from itertools import islice

from ingest.formats.tokenizer import MARKS, Scheme, byte_letters, spellings
from ingest.replica.configs import (
    GLM,
    INTELLECT,
    INTERNLM2_7B,
    MISTRAL_7B,
    MIXTRAL,
    PHI,
    PUBLISHED,
    QWEN3_4B,
    QWEN3_14B,
    QWEN15_7B,
    SOLAR,
    YI_6B,
    YI_9B,
)
from ingest.replica.relations import CONTROL_TOKENS

FAMILY = {
    SOLAR: "solar",
    GLM: "glm",
    INTELLECT: "glm",
    PHI: "llama",
    MIXTRAL: "mistral",
    MISTRAL_7B: "mistral",
    YI_6B: "yi",
    YI_9B: "yi",
    INTERNLM2_7B: "internlm",
    QWEN15_7B: "qwen",
    QWEN3_4B: "qwen",
    QWEN3_14B: "qwen",
}
BYTE_LEVEL = frozenset({"solar", "glm", "qwen"})  # the others are sentencepiece
# Of 256: how many of the anchors a vocabulary has, by its size.
KEPT_OF_MANY, KEPT_OF_FEW = 250, 215
FEW = 40_000
# The share of the ids, from the lowest on, among which the anchors stand.
ANCHORS_REACH = 0.4

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
    family, size = FAMILY[repo], int(PUBLISHED[repo].config["vocab_size"])
    is_byte_level = family in BYTE_LEVEL
    scheme: Scheme = "byte-level" if is_byte_level else "sentencepiece"
    spelled = [spellings(anchor)[scheme] for anchor in _kept(family, size, anchors)]
    words = _with_beginnings(spelled)
    if is_byte_level:
        front, back, special = (
            [letter for _, letter in sorted(byte_letters().items())],
            list(SPECIAL),
            list(SPECIAL),
        )
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


def _number(family: str, text: str) -> int:
    return int.from_bytes(sha1(f"{family}/{text}".encode(), usedforsecurity=False).digest()[:4], "big")


def _kept(family: str, size: int, anchors: tuple[str, ...]) -> list[str]:
    of_256 = KEPT_OF_FEW if size < FEW else KEPT_OF_MANY
    return [anchor for anchor in anchors if _number(family, anchor) % 256 < of_256]


def _with_beginnings(spelled: list[str]) -> dict[str, int]:
    """Tokens of several letters and all that they begin with, by the place of the first that needs it."""
    places: dict[str, int] = {}
    for place, token in enumerate(spelled):
        for length in range(2, len(token) + 1):
            places.setdefault(token[:length], place)
    return places


def _made_up(family: str, space: str) -> Iterator[tuple[str, str]]:
    """Words of one to three syllables as merges, the syllables in an order of the family's own."""
    syllables = [consonant + vowel for consonant in CONSONANTS for vowel in VOWELS]
    syllables.sort(key=lambda syllable: _number(family, syllable))
    yield from ((syllable[0], syllable[1]) for syllable in syllables)
    one = [*syllables, *(space + syllable for syllable in syllables)]
    yield from ((space, syllable) for syllable in syllables)
    yield from ((head, tail) for head in one for tail in syllables)
    yield from ((head + middle, tail) for head in one for middle in syllables for tail in syllables)


def _spread(words: list[str], made: list[tuple[str, str]]) -> list[str]:
    """The words among the made-up ones: dense at the lowest ids, none beyond ANCHORS_REACH."""
    tokens: list[str] = []
    taken = 0
    for place, word in enumerate(words):
        until = int((place / len(words)) ** 2 * ANCHORS_REACH * len(made))
        tokens += [head + tail for head, tail in made[taken:until]]
        tokens.append(word)
        taken = max(taken, until)
    return tokens + [head + tail for head, tail in made[taken:]]
