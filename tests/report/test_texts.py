"""Texts in every language, side by side; links that lead somewhere; sentences true of the lake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.figures.catalogue import WORDS as FIGURE_WORDS
from analysis.languages import LANGUAGES, Language, Observed, all_texts, filled, read_texts
from analysis.report.links import LINK, PAGES, TEXTS, Links, address, texts
from analysis.report.pages import answer
from warehouse.documents import HEADLINES

FILES = [HEADLINES, *sorted(TEXTS.glob("*.toml"))]
FIGURES = {
    "cosine": 0.95,
    "offset": 0.95,
    "pearson": 0.5,
    "related": 0.75,
    "measured_cosine": 0.949,
    "measured_pearson": 0.0126,
    "measured_offset": 0.9492,
    "layer_0": 0.1272,
    "measurements": 9,
    "agree": 6,
    "disagree": 3,
    "printed_glm_phi": 0.9881,
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_text_is_there_in_every_language_with_the_same_figures_and_links(file: Path) -> None:
    found = list(all_texts(read_texts(file)))
    assert found
    for name, text in found:
        assert set(text) == set(LANGUAGES), f"{file.name}: {name} lacks a language"
        assert all(words.strip() for words in text.values()), f"{file.name}: {name} is empty"
        fields = {tuple(sorted(re.findall(r"\{[^}]+\}", words))) for words in text.values()}
        assert len(fields) == 1, f"{file.name}: {name} has other figures in another language"
        kinds = {
            tuple(sorted(target.split(":")[0] for _, target in LINK.findall(words)))
            for words in text.values()
        }
        assert len(kinds) == 1, f"{file.name}: {name} has other links in another language"


def test_a_text_without_one_language_is_found() -> None:
    assert [name for name, _ in all_texts({"a": {"b": {"en": "x"}}, "c": [{"d": {"ko": "y"}}]})] == [
        "a.b",
        "c.0.d",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_of_the_texts_leads_somewhere(language: Language) -> None:
    glossary = set(read_texts(TEXTS / "glossary.toml"))
    for file in (*FILES, *sorted(FIGURE_WORDS.glob("*.toml"))):
        for name, text in all_texts(read_texts(file)):
            for _, target in LINK.findall(text.get(language, "")):
                kind, _, what = target.partition(":")
                if kind == "term":
                    assert what in glossary, name
                elif kind == "page":
                    assert what.partition("#")[0] in PAGES, name
                elif kind == "step":
                    assert what in {step["key"] for step in texts("main", language)["step"]}, name
                elif kind not in ("figure", "claim", "ledger"):
                    assert address(target).startswith("https://"), name


def test_a_document_is_linked_at_its_commit_and_line() -> None:
    assert address("doc:hyunwoong:119-120") == (
        "https://github.com/hyunwoongko/solar-vs-glm-vs-phi/blob/c0edc60/README.md?plain=1#L119-L120"
    )
    assert address("repo:critique_results") == "https://github.com/chahero/solar-vs-glm-critique"
    assert address("doc:origin") == "https://github.com/sionic-ai/solar-vs-glm/tree/ff47427/origin/"
    assert address("model:solar") == "https://huggingface.co/upstage/Solar-Open-100B"


def test_pages_find_each_other_from_both_folders() -> None:
    english, korean = Links("main", "en"), Links("main", "ko")
    assert (english.to("ledger"), korean.to("ledger")) == ("ledger.html", "../ledger.html")
    assert (english.term("z_eff"), korean.term("z_eff")) == ("#term-z_eff", "#term-z_eff")
    assert Links("ledger", "en").term("z_eff") == "index.html#term-z_eff"
    assert (english.switched("ko"), korean.switched("en")) == ("ko/index.html", "../index.html")
    assert Links("ledger", "en").switched("ko") == "ko/index.html"
    assert korean.figure("toy") == "figures.html#figure-toy"


def test_markup_of_a_text_is_ours_and_its_words_are_escaped() -> None:
    html = Links("main", "en").html("**<b>** `x` [a](term:gamma) [c](javascript:alert)")
    assert html == (
        "<strong>&lt;b&gt;</strong> <code>x</code> "
        '<a class="term" href="#term-gamma" data-term="gamma">a</a> [c](javascript:alert)'
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_tells_a_lakes_own_figures_only_if_they_are_evidence(language: Language) -> None:
    read = answer(FIGURES, {"lake": "hub", "caution": None}, language)
    replica = answer(FIGURES, {"lake": "replica", "caution": "synthetic"}, language)
    absent = answer({**FIGURES, "cosine": None}, {"lake": "local", "caution": None}, language)
    assert all(len(sentences) == 3 for sentences in (read, replica, absent))
    assert "0.500" in read[1]
    for sentences in (replica, absent):
        assert "0.500" not in sentences[1]
        assert "0.949" in sentences[1]
    assert "term:replica" in replica[1]
    undefined = answer({**FIGURES, "related": None}, {"lake": "hub", "caution": None}, language)
    assert "undefined" in undefined[1]


def test_figures_are_filled_in_as_print_has_them() -> None:
    values = {"a": -0.001, "b": None, "c": 3, "d": {"en": "x", "ko": "y"}}
    assert filled("{a:.2f} {a:.3f} {b:.2f} {c} {d}", values, "ko") == "0.00 −0.001 undefined 3 y"
    assert f"{Observed(0.5):.0%} {Observed(-2.0):+.1f}" == "50% −2.0"


@pytest.mark.slow
def test_the_glossary_explains_the_words_of_every_page() -> None:
    words = texts("glossary", "en")
    assert {"gamma", "offset_share", "z_eff", "k_eff", "not_judged", "replica"} <= set(words)
