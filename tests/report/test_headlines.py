"""Headlines say what was found, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.claims.headlines import Planned, headlines, planned
from analysis.claims.results import Finding, Measurement, Run, measured
from analysis.languages import LANGUAGES, Language
from analysis.report.links import texts
from tests.claims.made import claim, reading, result
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

CLAIM = claim("select 1", "weights", name="sionic.one")
LINE = Planned(
    "Somebody, to nobody.", "Said.", "First {0:.2f}, second {1:.2f}.", "It shows little.", ("x", "y")
)


@pytest.mark.usefixtures("report")
def test_every_headline_names_items_and_findings_that_exist(lake: Lake) -> None:
    with open_catalog(lake) as connection:
        found = connection.sql("select claim, item from ledger").fetchall()
    assert {line.finding for line in planned()} - {""} <= {claim for claim, _ in found}
    assert {item for line in planned() for item in line.items} <= {item for _, item in found}


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_about_a_dozen_and_each_says_who_what_and_what_it_shows(language: Language) -> None:
    assert 10 <= len(planned(language)) <= 18
    steps = [step["key"] for step in texts("main", language)["step"]]
    for line in planned(language):
        assert all((line.by, line.said, line.found, line.shows)), line
        assert bool(line.items) != bool(line.finding), line
        assert line.step in steps


def test_the_first_item_decides_and_undefined_says_so() -> None:
    one = result(
        CLAIM, "contradicted", reading("x", observed=0.512, holds=False), reading("y", observed=None)
    )
    [line] = headlines(Run([one]), [LINE])
    assert (line.verdict, line.found) == ("contradicted", "First 0.51, second undefined.")
    assert line.claims == ("sionic.one",)


def test_one_item_that_is_not_judged_makes_the_line_not_judged() -> None:
    judged = result(claim("select 1", name="sionic.two"), "reproduced", reading("x"))
    unjudged = result(CLAIM, "not judged", reading("y"))
    [line] = headlines(Run([judged, unjudged]), [LINE])
    assert line.verdict == "not judged"


def test_an_untestable_item_says_what_is_missing() -> None:
    lacking = result(CLAIM, "untestable", reading("x"), reading("y"), note="glm missing; `x` brings it")
    [line] = headlines(Run([lacking]), [LINE])
    assert (line.verdict, line.found) == ("untestable", "glm missing; `x` brings it.")


def test_an_item_without_a_result_is_named() -> None:
    [line] = headlines(Run(), [LINE])
    assert (line.verdict, line.found) == ("untestable", "x, y gave no result.")


def test_published_measurements_are_shown_beside_it() -> None:
    one = result(CLAIM, "not judged", reading("x"), reading("y"))
    published = (Measurement("origin", 0.98109, True), Measurement("sanity_outputs", 0.98109, True))
    items = (replace(one.items[0], measured=published), one.items[1])
    [line] = headlines(Run([replace(one, items=items)]), [LINE])
    words = "published measurements agree (sionic (outputs) 0.9811, sanity check (outputs) 0.9811)"
    assert measured(line.measurements) == words


def test_a_finding_without_its_models_says_what_is_missing() -> None:
    finding = Finding(replace(CLAIM, id="findings.two"), "untestable", (), "glm missing; `x` brings it")
    [line] = headlines(Run(findings=[finding]), [replace(LINE, items=(), finding="findings.two")])
    assert (line.verdict, line.found) == ("untestable", "glm missing; `x` brings it.")


def test_a_headline_may_be_based_on_a_finding() -> None:
    finding = Finding(replace(CLAIM, id="findings.two"), "shown", (reading("x", observed=0.16),))
    [line] = headlines(
        Run(findings=[finding]), [replace(LINE, items=(), finding="findings.two", found="{x:.2f}")]
    )
    assert (line.verdict, line.found) == ("shown", "0.16")
