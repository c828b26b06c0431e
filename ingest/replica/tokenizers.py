"""tokenizer.json of the replica's repos, as the `tokenizers` library reads it, written when first asked for.

Its size is known beforehand, because it is filled up with blanks at the end: listing the files of a repo
makes no vocabulary.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from typing import Any

from ingest.formats.tokenizer import byte_letters
from ingest.origin_marks import MARKER, REPLICA_TAG
from ingest.replica.configs import PUBLISHED
from ingest.replica.vocabularies import Vocabulary, vocabulary

# A token and its merge take 24 to 27 bytes.
BYTES_PER_TOKEN = 32


def tokenizer_size(repo: str) -> int:
    """Bytes of the file."""
    return 200_000 + BYTES_PER_TOKEN * int(PUBLISHED[repo].config["vocab_size"])


def read_tokenizer(repo: str, start: int, stop: int) -> bytes:
    """Bytes [start, stop) of the file."""
    return tokenizer_json(repo)[start:stop]


@lru_cache(maxsize=4)  # of some 8 MB each
def tokenizer_json(repo: str) -> bytes:
    """The whole file."""
    # Imported here: it brings DuckDB, and the server is to be up before that is loaded.
    from warehouse.documents.anchors import anchors

    words = vocabulary(repo, anchors())
    # By hand: json.dumps takes ten times as long for the 200,000 tokens of a large vocabulary.
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
    letters = [letter for _, letter in sorted(byte_letters().items())]
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
