"""Charts in another language: the same chart with all its words replaced."""

from __future__ import annotations

import re

from analysis.figures.charts.style import MODELS
from analysis.figures.translated import LABELS, phrase, translated
from analysis.languages import LANGUAGES, all_texts, read_texts

SPEC = {
    "params": [
        {
            "name": "chosen",
            "value": "cosine",
            "bind": {"input": "select", "name": "metric ", "options": ["cosine"]},
        }
    ],
    "transform": [
        {"filter": "datum.metric == 'cosine'"},
        {"calculate": "'layer ' + datum.layer", "as": "text"},
    ],
    "encoding": {
        "x": {"field": "cosine", "title": "cosine", "scale": {"domain": ["input norm", "cosine"]}},
        "tooltip": [{"field": "layer", "type": "quantitative"}],
    },
    "datasets": {"data-1": [{"metric": "cosine", "layer": 3, "model": "Solar"}]},
}


def test_a_word_is_replaced_wherever_it_joins_others_and_nowhere_else() -> None:
    done = translated(SPEC, "ko")
    [param] = done["params"]
    assert (param["name"], param["value"]) == ("chosen", "코사인")
    assert param["bind"] == {"input": "select", "name": "지표 ", "options": ["코사인"]}
    assert done["transform"] == [
        {"filter": "datum.metric == '코사인'"},
        {"calculate": "'레이어 ' + datum.layer", "as": "text"},
    ]
    assert done["encoding"]["x"] == {
        "field": "cosine",
        "title": "코사인",
        "scale": {"domain": ["input norm", "코사인"]},
    }
    assert done["encoding"]["tooltip"] == [{"field": "layer", "type": "quantitative", "title": "레이어"}]
    assert done["datasets"] == {"data-1": [{"metric": "코사인", "layer": 3, "model": "Solar"}]}


def test_a_chart_in_english_is_the_chart_itself() -> None:
    assert translated(SPEC, "en") is SPEC


def test_what_fills_the_places_of_a_phrase_is_translated() -> None:
    assert phrase("{} models", "ko") == "{} models"
    assert phrase("layer of GLM", "ko") == "GLM의 레이어"
    assert phrase("naive pooled z: two plain bases", "ko") == "단순 합산 z: 보통 베이스끼리"


def test_every_label_is_there_in_every_language_once_with_the_same_places() -> None:
    texts = list(all_texts(read_texts(LABELS)))
    for name, text in texts:
        assert set(text) == set(LANGUAGES), name
        assert len({frozenset(re.findall(r"\{(\w+)\}", words)) for words in text.values()}) == 1, name
    english = [text["en"] for _, text in texts]
    assert len(english) == len(set(english)), [words for words in english if english.count(words) > 1]


def test_no_label_is_the_name_of_a_model() -> None:
    for name, _, _ in MODELS.values():
        assert phrase(name, "ko") == name
