"""The main page in a browser without a network, and what holds for every page."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from analysis.figures.catalogue import ARGUMENT
from analysis.report.build import Summary
from tests.report.conftest import SHOWN, Visit, Visiting, check_behaved, open_file, wait_for_chart

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def opened_main(browser: Browser, report: Summary) -> Iterator[Visit]:
    seen = open_file(browser, report.path)
    yield seen
    seen.page.context.close()


@pytest.fixture
def main_page(opened_main: Visit) -> Iterator[Visit]:
    """The main page, opened once, because that takes a second."""
    yield opened_main
    check_behaved(opened_main)
    opened_main.page.emulate_media(media="screen", color_scheme="light")
    opened_main.page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.parametrize("page", ["index.html", "ko/index.html"])
def test_the_main_page_shows_its_figures_without_scripts_at_any_width(
    page: str, report: Summary, visit: Visiting
) -> None:
    seen = visit(report.path.parent / page, scripts=False)
    for width, layout, other in ((1440, "wide", "narrow"), (375, "narrow", "wide")):
        seen.page.set_viewport_size({"width": width, "height": 800})
        for figure in ARGUMENT:
            card = seen.page.locator(f"#figure-{figure.name} .inline")
            box = card.locator(f".{layout}-picture svg").bounding_box()
            assert box is not None
            assert 100 < box["width"] <= width
            assert not card.locator(f".{other}-picture svg").is_visible()
            assert len(card.get_attribute("aria-label") or "") > 40
    # a word is a link to the glossary
    seen.page.locator("#dispute [data-term=z_eff]").first.click()
    assert seen.page.url.endswith("#term-z_eff")
    assert seen.page.locator("#term-z_eff").is_visible()


def test_the_published_measurements_are_on_the_first_screen(main_page: Visit) -> None:
    main_page.page.set_viewport_size({"width": 1440, "height": 800})
    box = main_page.page.locator("#figure-measured .wide-picture svg").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 800


def test_print_shows_the_wide_pictures_on_white(main_page: Visit) -> None:
    page = main_page.page
    page.set_viewport_size({"width": 375, "height": 800})
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("#figure-sanity .wide-picture").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    letter = "getComputedStyle(document.querySelector('#figure-sanity .wide-picture text')).fill"
    assert page.evaluate(letter) == "rgb(0, 0, 0)"


def test_pictures_and_charts_are_dark_on_a_dark_page(
    main_page: Visit, report: Summary, visit: Visiting
) -> None:
    main_page.page.emulate_media(color_scheme="dark")
    charts = visit(report.path.with_name("figures.html"), "#figure-sanity", colours="dark")
    wait_for_chart(charts, "sanity")
    for seen in (main_page, charts):
        ink = seen.page.evaluate(
            "[...document.querySelectorAll('#figure-sanity svg text')]"
            ".filter(one => one.checkVisibility()).map(one => getComputedStyle(one).fill)"
        )
        assert ink
        assert all(min(map(int, re.findall(r"\d+", colour))) > 120 for colour in ink)


def test_one_click_switches_the_language_and_back(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path)
    seen.page.locator(".switch a").click()
    seen.page.wait_for_url("**/ko/index.html")
    assert seen.page.evaluate("document.documentElement.lang") == "ko"
    seen.page.locator(".switch a").click()
    seen.page.wait_for_url(report.path.as_uri())
    assert seen.page.evaluate("document.documentElement.lang") == "en"


def test_a_word_of_the_glossary_is_explained_on_the_spot(main_page: Visit) -> None:
    main_page.page.locator("#dispute [data-term=z_eff]").first.click()
    popup = main_page.page.locator(".popup")
    popup.wait_for(state="visible")
    assert "lineage test" in popup.inner_text()
    main_page.page.keyboard.press("Escape")
    popup.wait_for(state="hidden")


def test_an_address_from_before_the_pages_were_parted_leads_on(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path, "#claim-printed.background")
    seen.page.wait_for_url("**/ledger.html#claim-printed.background")


def test_a_count_of_verdicts_leads_to_its_claims(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path)
    seen.page.locator(".counts a", has_text="contradicted").click()
    seen.page.wait_for_url("**/ledger.html?verdict=contradicted")
    assert 0 < seen.number(SHOWN) <= report.counts["contradicted"]


def test_every_link_inside_the_report_has_a_target(report: Summary) -> None:
    folder = report.path.parent
    pages = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    targets = {path: set(re.findall(r' id="([^"]+)"', html)) for path, html in pages.items()}
    for path, html in pages.items():
        for href in re.findall(r' href="([^"]+)"', html):
            if href.startswith("https://"):
                continue
            file, _, anchor = href.partition("#")
            place = (path.parent / file.partition("?")[0]).resolve() if file else path
            assert place.exists(), (path.name, href)
            assert not anchor or anchor == "main" or anchor in targets[place], (path.name, href)


@pytest.mark.parametrize(
    ("page", "widths"),
    [
        *((page, (375, 768, 1440)) for page in ("index", "ko/index", "ledger", "lineage", "data")),
        # charts keep the width that they were drawn for
        *((page, widths) for page in ("figures", "ko/figures") for widths in ((375, 768), (1440,))),
    ],
)
def test_nothing_overflows_the_screen(
    page: str, widths: tuple[int, ...], report: Summary, visit: Visiting
) -> None:
    seen = visit(report.path.parent / f"{page}.html", width=widths[0])
    seen.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    for width in widths:
        seen.page.set_viewport_size({"width": width, "height": 800})
        assert seen.number(OVERFLOW) == 0, width


def test_figures_of_the_replica_are_not_shown_beside_what_is_not_judged(replica: Summary) -> None:
    page = replica.path.read_text("utf-8")
    assert "The critique, to the accusation:" in page
    assert "Layers 0 and 10 against layers 10 and 20:" not in page


def test_the_replica_banner_is_on_the_first_screen_of_a_phone(replica: Summary, visit: Visiting) -> None:
    seen = visit(replica.path, width=375)
    box = seen.page.locator(".banner").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 700
    assert "no evidence" in seen.page.locator(".banner").inner_text()
