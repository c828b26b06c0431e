"""JSON that any reader takes: of `just sql`, of `just claims --json`, inside the pages."""

from __future__ import annotations

import json
from datetime import date
from math import inf, nan

import pytest

from analysis.claims.results import Reading, Run, as_json
from analysis.report.page import embedded
from analysis.rows import json_text
from tests.claims.made import claim, result

UNBOUNDED = Reading("exact", "plain", None, expected=1.0, tolerance=0.0, observed=2.0, holds=False, miss=inf)


@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_what_is_not_finite_is_null_wherever_it_stands(value: float) -> None:
    told = json_text({"a": value, "b": [value, (value, 1.5)], "c": {"d": value}})
    assert json.loads(told, parse_constant=refuse) == {"a": None, "b": [None, [None, 1.5]], "c": {"d": None}}


def test_letters_stay_and_dates_are_text() -> None:
    assert json_text(["γ", date(2026, 1, 2)]) == '["γ", "2026-01-02"]'
    assert json_text({"a": [1, 2]}, compact=True) == '{"a":[1,2]}'


def test_what_is_not_printable_is_escaped_and_the_same_data() -> None:
    text = "\x1b\x9b\x7f\u202e\u200b\u2028\n</script>\udcff\U000e0001"
    for told in (
        json_text({text: text}),
        json_text({text: text}, indent=2),
        json_text({text: text}, compact=True),
    ):
        assert all(line.isprintable() for line in told.split("\n"))
        assert json.loads(told) == {text: text}
    assert "\\u003c/script\\u003e" in embedded(text)
    assert embedded(text).isprintable()


def test_a_miss_without_bound_is_null_beside_the_figure_observed() -> None:
    run = Run([result(claim("select 1"), "contradicted", UNBOUNDED)])
    told = json.loads(json_text(as_json(run, None, {})), parse_constant=refuse)
    [reading] = told["claims"][0]["items"][0]["readings"]
    assert (reading["observed"], reading["miss"]) == (2.0, None)


def refuse(constant: str) -> None:
    pytest.fail(f"{constant} is no JSON")
