"""Headlines say what the claims found, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.claims.claim_file import Claim
from analysis.claims.run import Check, Result
from analysis.report.headlines import Planned, headlines, planned
from warehouse.catalog import open_catalog
from warehouse.lake import Lake

CLAIM = Claim("sionic.one", "title", ("sionic_ko",), "1", "weights", (), 1, "", (), "select 1")
HOLDS = Check("a", None, 0.5, 0.1, 0.512, True, 0.1)
FAILS = Check("b", None, 0.5, 0.1, None, False, None)
LINE = Planned(said="Said.", found="First {0:.2f}, second {1:.2f}; {holding} of {total}.", checks=("a", "b"))


@pytest.mark.usefixtures("report")
def test_every_headline_names_checks_that_exist(lake: Lake) -> None:
    with open_catalog(lake) as connection:
        found = connection.sql("select claim, item from ledger").fetchall()
    assert {line.claim for line in planned()} - {""} <= {claim for claim, _ in found}
    assert {item for line in planned() for item in line.checks} <= {item for _, item in found}


def test_there_are_about_a_dozen_and_their_texts_take_the_figures() -> None:
    assert 10 <= len(planned()) <= 14
    for line in planned():
        assert "{" not in line.found.format(*[0.0] * len(line.checks), holding=1, total=2)


def test_a_line_holds_when_all_its_checks_do() -> None:
    result = Result(CLAIM, "contradicted", (HOLDS, FAILS))
    [line] = headlines([result], [replace(LINE, checks=("a",), found="It is {0:.2f}.")])
    assert (line.verdict, line.found, line.claims) == ("reproduced", "It is 0.51.", ("sionic.one",))


def test_one_failing_check_contradicts_and_undefined_says_so() -> None:
    [line] = headlines([Result(CLAIM, "contradicted", (HOLDS, FAILS))], [LINE])
    assert (line.verdict, line.found) == ("contradicted", "First 0.51, second undefined; 1 of 2.")


def test_a_rehearsed_claim_makes_the_line_rehearsed_even_if_all_agrees() -> None:
    [line] = headlines([Result(CLAIM, "rehearsed", (HOLDS,))], [Planned("Said.", "{0}", ("a",))])
    assert line.verdict == "rehearsed"


def test_an_untestable_claim_says_what_is_missing() -> None:
    [line] = headlines([Result(CLAIM, "untestable", (HOLDS, FAILS), "glm missing; `x` brings it")], [LINE])
    assert (line.verdict, line.found) == ("untestable", "glm missing; `x` brings it.")


def test_a_claim_without_a_result_is_named() -> None:
    [line] = headlines([], [Planned("Said.", "{holding}", claim="sionic.gone")])
    assert (line.verdict, line.found) == ("untestable", "sionic.gone gave no result.")
