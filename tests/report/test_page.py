"""The page of all figures and the ledger in a browser without a network."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from analysis.claims.claim_file import read_claims
from analysis.report.build import Summary
from tests.report.conftest import (
    DRAWN,
    SHOWN,
    Visit,
    Visiting,
    check_behaved,
    wait_for_chart,
    wait_until,
)

SLIDERS = {
    "figure_00": 2,
    "figure_07": 2,
    "figure_01": 1,
}

# Places and texts of all marks that show data, without axes, legends and titles.
MARKS = """
    name => {
        const marks = (group) => (group.items ?? []).flatMap((item) =>
            item.marktype ? [...(item.role === 'mark' ? item.items : []), ...marks(item)] : marks(item));
        return marks(normhouse.views.get(name).scenegraph().root).map(
            (mark) => [mark.x, mark.y, mark.x2, mark.y2, mark.width, mark.height, mark.text].join());
    }
"""

# Moves a slider to an end of its range, as a user would, and waits for the chart.
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
def walk(opened_figures: Visit) -> Walk:
    seen = opened_figures
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
    return found


def show(seen: Visit, figure: str) -> None:
    """Scrolls to a figure and waits until it is drawn."""
    seen.page.locator(f"#figure-{figure} .card").scroll_into_view_if_needed()
    wait_for_chart(seen, figure)


def choose(seen: Visit, **fields: str) -> int:
    """Fills in filters; the number of claims left."""
    for name, value in fields.items():
        field = seen.page.locator(f".filters [name={name}]")
        if name == "search":
            field.fill(value)
        else:
            field.select_option(value)
    return seen.number(SHOWN)


@pytest.mark.slow
def test_charts_wait_until_somebody_comes_near(walk: Walk, report: Summary) -> None:
    assert walk.drawn_at_first < report.drawn / 2


def test_every_chart_draws_marks_when_scrolled_to(walk: Walk) -> None:
    assert list(walk.marks) == DRAWN
    assert [name for name, marks in walk.marks.items() if not marks] == []
    assert walk.pictures_left == []


def test_every_slider_moves_marks(walk: Walk) -> None:
    assert {name: len(moved) for name, moved in walk.sliders.items()} == SLIDERS
    assert all(all(moved) for moved in walk.sliders.values()), walk.sliders


def test_a_menu_changes_the_metric_of_the_matrices(charts: Visit) -> None:
    show(charts, "confusion")
    before = charts.page.evaluate(MARKS, "confusion")
    charts.page.locator("#figure-confusion select").select_option("cosine")
    charts.page.evaluate("normhouse.views.get('confusion').runAsync().then(() => 0)")
    assert charts.page.evaluate(MARKS, "confusion") != before


def test_without_scripts_pictures_replace_the_charts(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path.with_name("figures.html"), scripts=False)
    still = seen.page.locator("#figure-figure_02 .still")
    still.scroll_into_view_if_needed()
    assert still.is_visible()
    assert still.get_attribute("alt")
    seen = visit(report.path.with_name("ledger.html"), scripts=False)
    assert seen.page.locator("#ledger .claim").count() == len(read_claims()[0])
    assert not seen.page.locator(".filters").is_visible()


def test_print_shows_pictures_instead_of_charts(charts: Visit) -> None:
    show(charts, "figure_08")
    charts.page.emulate_media(media="print")
    assert charts.page.locator("#figure-figure_08 .still").is_visible()
    assert not charts.page.locator("#figure-figure_08 .chart").is_visible()


@pytest.mark.parametrize(
    ("field", "value"),
    [("verdict", "contradicted"), ("document", "hyunwoong"), ("evidence", "analytic"), ("model", "mixtral")],
)
def test_a_filter_leaves_exactly_the_claims_that_fit(ledger: Visit, field: str, value: str) -> None:
    everything = ledger.number(SHOWN)
    left = choose(ledger, **{field: value})
    assert 0 < left < everything
    fitting = ledger.page.locator("#ledger .claim:not([hidden])").evaluate_all(
        "(all, key) => all.map(claim => claim.dataset[key])", field
    )
    assert all(value in words.split() for words in fitting)
    assert ledger.page.locator("#shown").inner_text() == f"{left} of {everything} claims"
    ledger.page.locator(".filters button").click()
    wait_until(ledger, f"{SHOWN} === {everything}")


def test_filters_narrow_each_other(ledger: Visit) -> None:
    printed = choose(ledger, evidence="printed")
    assert 0 < choose(ledger, verdict="figures-disagree") < printed


def test_search_finds_words_in_any_order_and_says_how_many(ledger: Visit) -> None:
    assert choose(ledger, search="sigma 182") >= 1
    assert ledger.page.locator("#claim-printed\\.background").is_visible()
    assert choose(ledger, search="no such words anywhere") == 0
    assert ledger.page.locator("#shown").inner_text().startswith("0 of ")


def test_a_phrase_is_looked_for_before_its_words(ledger: Visit) -> None:
    phrase = choose(ledger, search="182 sigma")
    assert 0 < phrase < choose(ledger, search="182") + choose(ledger, search="sigma")
    assert choose(ledger, search="sigma 182 away") >= 0


def test_sql_is_searched_on_request_only(ledger: Visit) -> None:
    assert choose(ledger, search="matched_layers") < 5
    ledger.page.locator(".filters [name=sql]").check()
    assert ledger.number(SHOWN) > 5


def test_counts_by_document_and_verdict_lead_to_their_statements(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path.with_name("ledger.html"))
    rows = seen.page.locator(".facets tbody tr")
    totals = [int(row.locator("td").last.inner_text()) for row in rows.all()]
    # methods of others are in the ledger, but not counted with the documents
    assert sum(totals) == seen.page.locator("#ledger .items > li").count() > sum(report.counts.values())
    link = seen.page.locator(".facets a", has_text="hyunwoong")
    link.click()
    seen.page.wait_for_url("**/ledger.html?document=hyunwoong")
    documents = seen.page.locator("#ledger .claim:not([hidden])").evaluate_all(
        "all => all.map(claim => claim.dataset.document)"
    )
    assert documents
    assert all("hyunwoong" in one.split() for one in documents)


def test_statements_that_measurements_disagree_with_can_be_listed(ledger: Visit) -> None:
    everything = ledger.number(SHOWN)
    assert 0 < choose(ledger, measured="disagree") < everything


def test_a_phone_shows_every_link_of_the_navigation(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path, width=500)
    nav = "document.querySelector('.top nav')"
    assert seen.number(f"{nav}.scrollWidth - {nav}.clientWidth") <= 0
    links = "Array.from(document.querySelectorAll('.top a'))"
    assert seen.number(f"{links}.filter(a => a.getBoundingClientRect().right > innerWidth).length") == 0


def test_charts_fit_a_phone(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path.with_name("figures.html"), width=375)
    for name in ("figure_08", "experiment_3", "drift"):
        show(seen, name)
        card = f"document.querySelector('#figure-{name} .card')"
        assert seen.number(f"{card}.scrollWidth - {card}.clientWidth") <= 0, name


def test_the_address_keeps_the_filters_and_sets_them(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path.with_name("ledger.html"))
    left = choose(seen, document="hyunwoong", search="cosine")
    assert seen.page.url.endswith("ledger.html?search=cosine&document=hyunwoong")
    again = visit(report.path.with_name("ledger.html"), "?search=cosine&document=hyunwoong")
    assert again.number(SHOWN) == left
    again.page.locator(".filters button").click()
    again.page.wait_for_url("**/ledger.html")


def test_a_slider_is_moved_with_the_keyboard(charts: Visit) -> None:
    show(charts, "figure_01")
    slider = charts.page.locator("#figure-figure_01 input[type=range]").first
    slider.fill("3")
    slider.focus()
    charts.page.keyboard.press("ArrowRight")
    assert slider.input_value() == "4"


def test_a_link_to_a_claim_opens_it_even_when_filtered_away(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path.with_name("ledger.html"), "#claim-printed.background")
    claim = seen.page.locator("#claim-printed\\.background")
    assert claim.get_attribute("open") is not None
    assert seen.page.locator("#claim-printed\\.background table").first.is_visible()
    choose(seen, verdict="contradicted")
    assert not claim.is_visible()
    seen.page.evaluate("location.hash = '#ledger'")
    seen.page.evaluate("location.hash = '#claim-printed.background'")
    claim.wait_for(state="visible")


def test_a_link_to_a_figure_lands_on_it(report: Summary, visit: Visiting) -> None:
    seen = visit(report.path.with_name("figures.html"), "#figure-figure_09")
    wait_for_chart(seen, "figure_09")
    top = seen.number("document.getElementById('figure-figure_09').getBoundingClientRect().top")
    assert -60 < top < 400


def test_the_sql_of_a_figure_unfolds(charts: Visit) -> None:
    query = charts.page.locator("#figure-figure_02 .sql pre")
    assert not query.is_visible()
    charts.page.locator("#figure-figure_02 .sql summary").click()
    assert query.is_visible()
    assert "layer_grid" in query.inner_text()
