"""Model names of a foreign lake are drawn as text and never evaluated."""

from __future__ import annotations

from xml.etree import ElementTree

import duckdb
import polars as pl
import pytest
import vl_convert

from analysis.figures.catalogue import PAIR_TITLES, for_pair
from analysis.figures.charts.style import chart_text
from analysis.figures.draw import chart, printable, rows, spec

# A backslash before a quotation mark ended the string that Vega-Lite makes of a title; SVG takes no ESC.
FIRST = '\\" + (7919 * 7907) + "\x1b'
SECOND = "it's ' + (7919 * 7907) + '\u202e"
COMPUTED = str(7919 * 7907)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIR_TITLES)
def test_a_name_with_quotation_marks_is_drawn_as_it_is(
    name: str, connection: duckdb.DuckDBPyConnection
) -> None:
    found = rows(for_pair("solar", "glm")[name], connection)
    named = found.with_columns(pl.col(pl.String).replace({"solar": FIRST, "glm": SECOND}))
    drawn = spec(chart(for_pair(FIRST, SECOND)[name], printable(named), "lake"))
    svg = vl_convert.vegalite_to_svg(drawn)
    seen = "".join(ElementTree.fromstring(svg).itertext())
    assert "(7919 * 7907)" in seen
    assert COMPUTED not in svg


def test_charts_show_letters_and_mark_what_they_cannot_show() -> None:
    assert chart_text("Qwen γ 한국 'a' \"b\"") == "Qwen γ 한국 'a' \"b\""
    assert chart_text("a\\b\x1b\u202e\nc") == "a�b���c"
