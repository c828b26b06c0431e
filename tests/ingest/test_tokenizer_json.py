"""Reads tokens of a `tokenizer.json` in every spelling and in any pieces, and refuses invalid files."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.formats.tokenizer import (
    MARKS,
    MOST_ENTRY,
    Scheme,
    VocabularyReader,
    anchors_among,
    byte_letters,
    spellings,
    tokens_of,
)
from warehouse.documents import anchors
from warehouse.errors import FormatError

TABLE = tokens_of(anchors())
SCHEMES = list(MARKS)


def read(raw: bytes, step: int, wanted: object = TABLE) -> VocabularyReader:
    reader = VocabularyReader(wanted, "m/tokenizer.json")  # type: ignore[arg-type]
    for at in range(0, max(len(raw), 1), step):
        reader.feed(raw[at : at + step], last=at + step >= len(raw))
        if reader.done:
            break
    return reader


def written(vocab: object, *, ascii_only: bool = False, indent: int | None = None) -> bytes:
    model = {"type": "BPE", "vocab": vocab, "merges": [["Ġ", "t"]]}
    return json.dumps({"model": model}, ensure_ascii=ascii_only, indent=indent).encode()


def test_the_letters_for_bytes_are_those_of_gpt_2() -> None:
    letters = byte_letters()
    assert len(set(letters.values())) == 256
    assert "".join(letters[byte] for byte in b" the\n") == "ĠtheĊ"
    assert "".join(letters[byte] for byte in "안".encode()) == "ìķĪ"
    assert all(letters[ord(letter)] == letter for letter in string.ascii_letters + string.punctuation)


@pytest.mark.parametrize(
    ("anchor", "byte_level", "sentencepiece", "wordpiece"),
    [
        (" the", "Ġthe", "▁the", "the"),
        ("the", "the", "the", "##the"),
        (".", ".", ".", "."),
        (" .", "Ġ.", "▁.", None),
        ("的", "çļĦ", "的", "的"),
        (" и", "ĠÐ¸", "▁и", "и"),
    ],
)
def test_an_anchor_is_spelled_as_each_kind_of_tokenizer_does(
    anchor: str, byte_level: str, sentencepiece: str, wordpiece: str | None
) -> None:
    found = spellings(anchor)
    assert (found["byte-level"], found["sentencepiece"]) == (byte_level, sentencepiece)
    assert found.get("wordpiece") == wordpiece


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("ascii_only", [False, True], ids=["as it is", "escaped"])
def test_the_same_anchors_are_found_in_every_spelling(
    scheme: Scheme, indent: int | None, ascii_only: bool
) -> None:
    some = [anchor for anchor in anchors()[::5] if scheme in spellings(anchor)]
    vocab = {spellings(anchor)[scheme]: 7 * number for number, anchor in enumerate(some)}
    raw = written({**vocab, "no anchor": 1}, ascii_only=ascii_only, indent=indent)
    found = anchors_among(read(raw, 10_000).ids, TABLE)
    assert found == {anchor: 7 * number for number, anchor in enumerate(some)}


@settings(deadline=None)
@given(step=st.integers(1, 300))
def test_where_the_pieces_of_the_file_are_cut_makes_no_difference(step: int) -> None:
    vocab = {"Ġthe": 5, "çļĦ": 6, 'a"b\\': 7, "Ġof": 8, "!": 9, "~": 10}
    raw = written(vocab, ascii_only=step % 2 == 0)
    assert read(raw, step, vocab).ids == vocab


def test_a_unigram_vocabulary_is_a_list_whose_places_are_the_numbers() -> None:
    raw = written([["<unk>", 0.0], ["▁the", -3.5], ["▁of", -1e-05], ["s", -7]])
    assert read(raw, 11).ids == {"▁the": 1, "▁of": 2, "s": 3}


def test_nothing_behind_the_vocabulary_is_looked_at() -> None:
    reader = read(written({"a": 3})[:-8] + b"\xff\xff not JSON", 24)
    assert reader.done
    assert reader.ids == {"a": 3}


def test_an_empty_vocabulary_has_no_tokens() -> None:
    assert read(written({}), 5).ids == {}


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"{}", "no model.vocab"),
        (b"[1, 2]", "no model.vocab"),
        (b'{"model": {"vocab": 7}}', "no model.vocab"),
        (b'{"model": {"vocab": {"a": "b"}}}', "no token with a number"),
        (b'{"model": {"vocab": {"a": 1, "b": -1}}}', "no token with a number"),
        (b'{"model": {"vocab": {"a": 1', "no token with a number"),
        (b'{"model": {"vocab": {"a": 12345678901}}}', "no token with a number"),
        (b'{"model": {"vocab": {"\xff": 1}}}', "not UTF-8"),
        (b'{"model": {"vocab": {"\\u00": 1}}}', "no token with a number"),
        (b'{"model": {"vocab": {' + b"[" * (MOST_ENTRY + 9), "entry 0 .*no token"),
        (b'{"model": {"vocab": {' + b" " * 4_000_000, "entry 0 .*no token"),
    ],
)
def test_a_file_that_is_no_tokenizer_is_refused_in_one_line(raw: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said) as refused:
        read(raw, 50_000, {"a"})
    assert "\n" not in str(refused.value)
    assert "m/tokenizer.json" in str(refused.value)
