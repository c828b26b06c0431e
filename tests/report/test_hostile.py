"""A hostile lake in the report: its texts are shown and never run, even without the pages' policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from analysis.__main__ import main
from analysis.claims.claim_file import read_claims
from analysis.claims.lock import write_lock
from analysis.figures.catalogue import FIGURES
from analysis.figures.figure import Words
from analysis.languages import LANGUAGES
from analysis.report.build import build_report
from tests.report.conftest import Visit, Visiting, check_behaved, open_file, wait_for_chart, wait_until
from tests.report.test_build import told_nothing
from tests.sql.hostile import LINE, MARKUP, MODEL, RELATIVE, RUN, TEXT, hostile_lake
from warehouse.console.progress import Progress
from warehouse.lake import Lake

STATEMENT = MARKUP.replace("'", "")
CLAIM = f"""\
-- id: findings.hostile
-- title: {STATEMENT}
-- documents:
-- section: {STATEMENT}
-- evidence: analytic
-- needs:
-- version: 1
-- reading: {STATEMENT}

select
    'nothing' as item, 'plain' as reading, '{STATEMENT}' as statement,
    true as holds, 1 as observed
"""
NAME = f"la\x1bke\u202e <img src=x onerror={RUN}>\n{LINE}"
ODD = "a?b #c%20d'e\"f[g]"
PICTURES = "[...document.images].every(image => image.complete && image.naturalWidth > 0)"
EAGER = "for (const image of document.images) image.loading = 'eager'"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return hostile_lake(tmp_path_factory.mktemp("hostile") / NAME)


@dataclass(frozen=True)
class Written:
    """A report, a comparison of two models in the same folder, and what that command printed."""

    pages: list[Path]
    comparison: Path
    printed: list[str]


@pytest.fixture(scope="module")
def written(
    hostile: Lake,
    small_zoo: Lake,  # noqa: ARG001
    new_folder: Callable[..., Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Written:
    """In a folder with an odd name."""
    out = new_folder(ODD)
    sql = told_nothing(tmp_path_factory.mktemp("sql") / "sql")
    (sql / "findings" / "hostile.sql").write_text(CLAIM)
    (sql / "findings" / "broken.sql").write_text(f"-- {STATEMENT}\nselect 1")
    write_lock(read_claims(sql / "findings")[0], sql / "findings")
    named = dict.fromkeys(LANGUAGES, TEXT.replace("{", "{{").replace("}", "}}"))
    chosen = replace(
        FIGURES["figure_08"],
        needs=(MODEL, RELATIVE),
        variables={"models": [MODEL, RELATIVE]},
        words=Words({"": named}, named, named, named),
        facts=None,
        claims=("findings.hostile",),
    )
    summary = build_report(hostile, out, Progress(quiet=True), [chosen], sql)
    assert (summary.left_out, summary.counts["broken"]) == ({}, 1)
    compared = ["compare", MODEL, RELATIVE, "--lake", str(hostile.path), "--out", str(out), "--quiet"]
    with redirect_stdout(StringIO()) as printed:
        assert main(compared) == 0
    [comparison] = out.glob("compare-*.html")
    return Written(sorted(out.rglob("*.html")), comparison, printed.getvalue().splitlines())


@pytest.fixture(scope="module")
def pages(written: Written) -> list[Path]:
    assert len(written.pages) == 10
    return written.pages


@pytest.mark.slow
def test_compare_prints_the_answer_and_the_address_of_its_page(written: Written) -> None:
    assert written.printed[0].startswith(f"{MODEL} and {RELATIVE}: share weight history")
    assert "cannot settle" in " ".join(written.printed)
    assert written.printed[-1] == written.comparison.resolve().as_uri()


@pytest.mark.slow
def test_files_have_no_character_that_is_not_printable(pages: list[Path]) -> None:
    out = next(page.parent for page in pages if page.name == "data.html")
    written = [path for path in out.rglob("*") if path.suffix in (".html", ".svg")]
    assert len(written) == 10 + 7
    for path in written:
        text = re.sub(r"<script>.*?</script>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert [one for one in text if not one.isprintable() and one != "\n"] == [], path
        assert f"<img src=x onerror={RUN}" not in text
        assert path.name.isascii()
        assert path.name.isprintable()
    # the data beside a figure are what the lake has
    assert MODEL in (out / "figures" / "figure_08.csv").read_text(encoding="utf-8").replace('""', '"')


@pytest.mark.slow
def test_no_page_may_turn_text_into_code(pages: list[Path]) -> None:
    for page in pages:
        [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page.read_text(encoding="utf-8"))
        assert "unsafe-eval" not in policy
        assert "unsafe-inline" not in policy.partition("script-src")[2]


def draw(seen: Visit) -> int:
    """Scrolls to every chart and picture of a page; the number of charts."""
    names = seen.page.locator(".chart").evaluate_all("all => all.map(one => one.dataset.figure)")
    for name in names:
        seen.page.locator(f"#figure-{name} .card").scroll_into_view_if_needed()
        wait_for_chart(seen, name)
    seen.page.evaluate(EAGER)
    wait_until(seen, PICTURES)
    return len(names)


def test_no_text_of_a_lake_runs_in_any_page_even_without_its_policy(
    pages: list[Path], browser: Browser
) -> None:
    shown = 0
    for page in pages:
        seen = open_file(browser, page, policed=False)
        if "compare-" in page.name or page.name == "figures.html":
            shown += draw(seen)
        assert seen.page.evaluate("window.taken") is None
        assert seen.page.locator("[onerror], [onload]").count() == 0
        check_behaved(seen)
        seen.page.context.close()
    assert shown == 1 + 1 + 6


def test_the_comparison_draws_on_a_phone_under_its_policy(written: Written, visit: Visiting) -> None:
    seen = visit(written.comparison, width=375)
    assert draw(seen) == 6
    assert seen.page.evaluate("window.taken") is None
    assert seen.number("document.documentElement.scrollWidth") == 375


def test_texts_are_shown_with_what_is_not_printable_escaped(pages: list[Path], browser: Browser) -> None:
    expected = {
        ("data.html", "#models"): (MARKUP, "\\x1b]0;owned\\x07"),
        ("ledger.html", "#findings"): (STATEMENT,),
        ("figures.html", "#figure-figure_08"): (MARKUP, RELATIVE),
    }
    for (name, place), texts in expected.items():
        seen = open_file(browser, next(page for page in pages if page.name == name))
        words = seen.page.locator(place).text_content() or ""
        assert [text for text in texts if text not in words] == []
        seen.page.context.close()
