"""The report as people see it: in a browser, from disk, without a network."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser

from analysis.claims.claim_file import read_claims
from analysis.figures.catalogue import FIGURES
from analysis.report.build import Summary
from tests.report.conftest import Visit, Visiting, check_behaved, open_file

SLIDERS = {
    "figure_00": 3,
    "figure_06": 2,
    "figure_07": 2,
    **dict.fromkeys(("figure_01", "figure_03", "figure_04a", "figure_04b"), 1),
}
SHOWN = "document.querySelectorAll('#ledger .claim:not([hidden])').length"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

# All marks that hold data, where they are and what they say; axes, legends and titles do not count.
MARKS = """
    name => {
        const marks = (group) => (group.items ?? []).flatMap((item) =>
            item.marktype ? [...(item.role === 'mark' ? item.items : []), ...marks(item)] : marks(item));
        return marks(normhouse.views.get(name).scenegraph().root).map(
            (mark) => [mark.x, mark.y, mark.x2, mark.y2, mark.width, mark.height, mark.text].join());
    }
"""

# Moves a slider to an end of its range, as a hand would, and waits for the chart.
PUSH = """
    async ([name, number]) => {
        const slider = document.querySelectorAll(`#figure-${name} input[type=range]`)[number];
        slider.value = slider.value === slider.min ? slider.max : slider.min;
        slider.dispatchEvent(new Event('input'));
        await normhouse.views.get(name).runAsync();
    }
"""


@dataclass
class Walk:
    """What somebody finds who scrolls through the whole report and tries every slider."""

    drawn_at_first: int
    marks: dict[str, int] = field(default_factory=dict)
    pictures_left: list[str] = field(default_factory=list)
    sliders: dict[str, list[bool]] = field(default_factory=dict)
    """By figure, for each slider whether it moved marks."""


@pytest.fixture(scope="module")
def walk(browser: Browser, report: Summary) -> Walk:
    seen = open_file(browser, report.path)
    found = Walk(seen.number("normhouse.views.size"))
    names = seen.page.locator(".chart").evaluate_all("all => all.map(chart => chart.dataset.figure)")
    for name in names:
        show(seen, name)
        before = seen.page.evaluate(MARKS, name)
        found.marks[name] = len(before)
        if seen.page.locator(f"#figure-{name} .still").is_visible():
            found.pictures_left.append(name)
        for number in range(seen.page.locator(f"#figure-{name} input[type=range]").count()):
            seen.page.evaluate(PUSH, [name, number])
            after = seen.page.evaluate(MARKS, name)
            found.sliders.setdefault(name, []).append(after != before)
            before = after
    check_behaved(seen)
    seen.page.context.close()
    return found


def show(seen: Visit, figure: str) -> None:
    """Scrolls to a figure and waits until it is drawn."""
    seen.page.locator(f"#figure-{figure} .card").scroll_into_view_if_needed()
    seen.page.wait_for_function("name => normhouse.views.has(name)", arg=figure)


def choose(seen: Visit, **fields: str) -> int:
    """Fills in filters; the number of claims left."""
    for name, value in fields.items():
        field = seen.page.locator(f".filters [name={name}]")
        if name == "search":
            field.fill(value)
        else:
            field.select_option(value)
    return seen.number(SHOWN)


def test_charts_wait_until_somebody_comes_near(walk: Walk, report: Summary) -> None:
    assert walk.drawn_at_first < report.drawn / 2


def test_every_chart_draws_marks_when_scrolled_to(walk: Walk) -> None:
    assert list(walk.marks) == list(FIGURES)
    assert [name for name, marks in walk.marks.items() if not marks] == []
    assert walk.pictures_left == []


def test_every_slider_moves_marks(walk: Walk) -> None:
    assert {name: len(moved) for name, moved in walk.sliders.items()} == SLIDERS
    assert all(all(moved) for moved in walk.sliders.values()), walk.sliders


def test_the_first_chart_is_there_soon_after_opening(report: Summary, visit: Visiting) -> None:
    began = time.monotonic()
    seen = visit(report.path, "#figures")
    seen.page.wait_for_function("normhouse.views.size > 0")
    assert time.monotonic() - began < 10  # 2 s are promised; other tests may be running beside this one


def test_without_scripts_pictures_stand_for_the_charts(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path, scripts=False)
    still = seen.page.locator("#figure-figure_02 .still")
    still.scroll_into_view_if_needed()
    assert still.is_visible()
    assert still.get_attribute("alt")
    assert seen.page.locator("#ledger .claim").count() == len(read_claims()[0])
    assert not seen.page.locator(".filters").is_visible()


def test_print_shows_pictures_instead_of_charts(reader: Visit) -> None:
    show(reader, "figure_08")
    reader.page.emulate_media(media="print")
    assert reader.page.locator("#figure-figure_08 .still").is_visible()
    assert not reader.page.locator("#figure-figure_08 .chart").is_visible()
    assert not reader.page.locator(".filters").is_visible()


@pytest.mark.parametrize(
    ("field", "value"),
    [("verdict", "contradicted"), ("document", "hyunwoong"), ("evidence", "analytic"), ("model", "mixtral")],
)
def test_a_filter_leaves_exactly_the_claims_that_fit(reader: Visit, field: str, value: str) -> None:
    everything = reader.number(SHOWN)
    left = choose(reader, **{field: value})
    assert 0 < left < everything
    fitting = reader.page.locator("#ledger .claim:not([hidden])").evaluate_all(
        "(all, key) => all.map(claim => claim.dataset[key])", field
    )
    assert all(value in words.split() for words in fitting)
    assert reader.page.locator("#shown").inner_text() == f"{left} of {everything} claims"
    reader.page.locator(".filters button").click()
    reader.page.wait_for_function(f"{SHOWN} === {everything}")


def test_filters_narrow_each_other(reader: Visit) -> None:
    printed = choose(reader, evidence="printed")
    assert 0 < choose(reader, verdict="documents-disagree") < printed


def test_search_finds_words_in_any_order_and_says_how_many(reader: Visit) -> None:
    assert choose(reader, search="sigma 182") >= 1
    assert reader.page.locator("#claim-printed\\.background").is_visible()
    assert choose(reader, search="no such words anywhere") == 0
    assert reader.page.locator("#shown").inner_text().startswith("0 of ")


def test_a_count_of_verdicts_leads_to_its_claims(reader: Visit, report: Summary) -> None:
    reader.page.locator(".counts [data-verdict=contradicted]").click()
    assert 0 < reader.number(SHOWN) <= report.counts["contradicted"]


def test_a_slider_is_moved_with_the_keyboard(reader: Visit) -> None:
    show(reader, "figure_01")
    slider = reader.page.locator("#figure-figure_01 input[type=range]").first
    slider.fill("3")
    slider.focus()
    reader.page.keyboard.press("ArrowRight")
    assert slider.input_value() == "4"


def test_a_link_to_a_claim_opens_it_even_when_filtered_away(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path, "#claim-printed.background")
    claim = seen.page.locator("#claim-printed\\.background")
    assert claim.get_attribute("open") is not None
    assert seen.page.locator("#claim-printed\\.background table").first.is_visible()
    choose(seen, verdict="contradicted")
    assert not claim.is_visible()
    seen.page.evaluate("location.hash = '#ledger'")
    seen.page.evaluate("location.hash = '#claim-printed.background'")
    claim.wait_for(state="visible")


def test_a_link_to_a_figure_lands_on_it(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path, "#figure-figure_09")
    seen.page.wait_for_function("normhouse.views.has('figure_09')")
    top = seen.number("document.getElementById('figure-figure_09').getBoundingClientRect().top")
    assert -60 < top < 400


def test_every_link_inside_the_page_has_a_target(reader: Visit) -> None:
    dangling = reader.page.evaluate(
        "[...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.getAttribute('href').slice(1))"
        ".filter(id => !document.getElementById(id))"
    )
    assert dangling == []


@pytest.mark.parametrize("width", [375, 768, 1440])
def test_nothing_overflows_the_screen(reader: Visit, width: int) -> None:
    reader.page.set_viewport_size({"width": width, "height": 800})
    reader.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    show(reader, "figure_02")
    assert reader.number(OVERFLOW) == 0


def test_the_sql_of_a_figure_unfolds(reader: Visit) -> None:
    query = reader.page.locator("#figure-figure_02 .sql pre")
    assert not query.is_visible()
    reader.page.locator("#figure-figure_02 .sql summary").click()
    assert query.is_visible()
    assert "layer_grid" in query.inner_text()


def test_the_replica_banner_is_on_the_first_screen_of_a_phone(replica: Summary, visit: Visiting) -> None:
    seen = visit(replica.path, width=375)
    box = seen.page.locator(".banner").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 700
    assert "no evidence" in seen.page.locator(".banner").inner_text()
