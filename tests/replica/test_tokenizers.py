"""tokenizer.json of every repo loads in the library, has the model's size, and shares ids with relatives."""

from __future__ import annotations

import json
from functools import cache

import pytest
from tokenizers import Tokenizer

from ingest.formats.tokenizer import Scheme, spellings
from ingest.replica.published import (
    GLM,
    INTELLECT,
    MISTRAL_7B,
    MIXTRAL,
    PUBLISHED,
    SOLAR,
    YI_6B,
    YI_9B,
)
from tests.replica.reading import REPOS
from warehouse.documents import anchors

FILE = "tokenizer.json"
ONE_OF_EACH = [*{facts.tokenizer: repo for repo, facts in PUBLISHED.items()}.values()]


@cache
def ids(repo: str) -> dict[str, int]:
    file = REPOS[repo].files[FILE]
    found: dict[str, int] = json.loads(file.read(0, file.size))["model"]["vocab"]
    return found


@cache
def anchor_ids(repo: str) -> dict[str, int]:
    """Anchors that are one token, by text: the marks for a space and for bytes are decoded."""
    scheme: Scheme = "byte-level" if "Ġthe" in ids(repo) else "sentencepiece"
    spelled = {anchor: spellings(anchor)[scheme] for anchor in anchors()}
    return {anchor: ids(repo)[token] for anchor, token in spelled.items() if token in ids(repo)}


@pytest.mark.slow
@pytest.mark.parametrize("repo", ONE_OF_EACH)
def test_the_library_reads_it_and_gives_the_text_back(repo: str) -> None:
    file = REPOS[repo].files[FILE]
    raw = file.read(0, file.size)
    assert len(raw) == file.size
    tokenizer = Tokenizer.from_str(raw.decode())
    assert tokenizer.get_vocab_size() == PUBLISHED[repo].config["vocab_size"]
    assert sorted(ids(repo).values()) == list(range(PUBLISHED[repo].config["vocab_size"]))
    text = 'Hello the "world"; für 안녕 \\ 数据 import x=1'
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


@pytest.mark.parametrize("repo", [MIXTRAL, YI_6B])
def test_a_range_is_the_same_bytes_as_the_whole(repo: str) -> None:
    file = REPOS[repo].files[FILE]
    whole = file.read(0, file.size)
    assert file.read(1_000, 51_000) == whole[1_000:51_000]
    assert file.read(file.size - 9, file.size + 9) == whole[-9:]


@pytest.mark.slow
def test_solar_and_glm_share_strings_at_different_ids() -> None:
    shared = anchor_ids(SOLAR).keys() & anchor_ids(GLM).keys()
    assert len(shared) > 2_000
    words = [anchor for anchor in shared if len(anchor.encode()) > 1]
    assert sum(anchor_ids(SOLAR)[word] == anchor_ids(GLM)[word] for word in words) < len(words) / 50


@pytest.mark.slow
def test_every_two_models_share_more_than_512_anchors() -> None:
    for repo in ONE_OF_EACH:
        assert len(anchor_ids(repo).keys() & anchor_ids(GLM).keys()) > 1_000


@pytest.mark.parametrize(("one", "other"), [(GLM, INTELLECT), (YI_6B, YI_9B)])
def test_relatives_and_makers_keep_their_ids(one: str, other: str) -> None:
    assert ids(one) == ids(other)


def test_mistrals_later_vocabulary_has_control_tokens_before_all_words() -> None:
    mixtral, mistral = ids(MIXTRAL), ids(MISTRAL_7B)
    assert mistral["</s>"] == mixtral["</s>"] == 2
    assert mistral["[control_0]"] == 3
    assert all(mistral[token] == number + 768 for token, number in mixtral.items() if number > 2)
