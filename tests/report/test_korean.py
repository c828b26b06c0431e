"""The Korean pages: no English words are left in their charts, and the charts move as the English ones do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from analysis.figures.catalogue import ARGUMENT
from analysis.figures.charts.style import MODELS
from analysis.figures.translated import with_words
from analysis.report.build import Summary
from tests.report.conftest import DRAWN, Visiting, wait_for_chart, wait_until

# Words that Korean texts keep in English.
SAME = {
    *(word for name, _, _ in MODELS.values() for word in name.split()),
    *("input", "post-attention", "norm", "MoE", "dense", "MTP", "LoRA", "slerp", "MLP", "BF16", "FP16"),
    *("LayerNorm", "normhouse"),
    *("k_proj", "v_proj", "z_eff", "PC1", "PC2", "PC3", "pc1", "pc2", "pc3"),
    *("sionic", "hyunwoong", "readme", "en", "ko", "image", "sanity", "check"),
}
# Columns of names, and of texts that only tooltips show.
NAMES = {"model_a", "model_b", "base_repo", "package_a", "package_b", "why", "example"}
# Values that a chart uses and does not show.
INNER = {"apart", "disputed", "ceiling", "claimed", "axis", "ones", "plane", "descending"}


def english(text: str) -> bool:
    words = re.findall(r"[A-Za-z]\w*[A-Za-z][\w.-]*", text, re.ASCII)
    is_inner = text in INNER or re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)+", text)
    return not is_inner and any(word not in SAME for word in words)


def seen_texts(spec: dict[str, Any]) -> Iterator[str]:
    found: list[str] = []

    def keep(text: str) -> str:
        found.append(text)
        return text

    with_words({key: value for key, value in spec.items() if key != "datasets"}, keep)
    yield from found
    for rows in spec["datasets"].values():
        for row in rows:
            yield from (v for column, v in row.items() if isinstance(v, str) and column not in NAMES)


def test_no_english_word_is_left_in_a_chart_of_the_korean_pages(report: Summary) -> None:
    page = (report.path.parent / "ko/figures.html").read_text(encoding="utf-8")
    specs = dict(re.findall(r'<script type="application/json" id="spec-(\w+)">(.*?)</script>', page, re.S))
    assert set(specs) == set(DRAWN)
    left = {name: {*filter(english, seen_texts(json.loads(spec)))} for name, spec in specs.items()}
    assert {name: texts for name, texts in left.items() if texts} == {}


def test_no_english_word_is_left_in_a_picture_of_the_korean_main_page(report: Summary) -> None:
    page = (report.path.parent / "ko/index.html").read_text(encoding="utf-8")
    pictures = re.findall(r"<svg.*?</svg>", page, re.S)
    assert len(pictures) == 2 * len(ARGUMENT)
    texts = {text for picture in pictures for text in re.findall(r"<text[^>]*>([^<]*)</text>", picture)}
    assert {*filter(english, texts)} == set()
    assert any("코사인" in text for text in texts)


def test_a_menu_of_a_korean_chart_changes_its_numbers(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path.parent / "ko/figures.html", "#figure-confusion")
    wait_for_chart(seen, "confusion")
    marks = "document.querySelectorAll('#figure-confusion svg .mark-text text')"
    numbers = f"[...{marks}].map(one => one.textContent)"
    before = seen.page.evaluate(numbers)
    seen.page.locator("#figure-confusion select").select_option(label="평균 |a − b|")
    wait_until(seen, f"JSON.stringify({numbers}) !== {json.dumps(json.dumps(before))}")
    assert len(seen.page.evaluate(numbers)) == len(before) > 0
