"""Pictures inside a page: the same marks in a smaller SVG that fits its container and has unique ids."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
import vl_convert

from analysis.rendering import FEW, inline_svg, smaller

DOTS = {
    "data": {"values": [{"x": n, "y": (n * 37) % 100} for n in range(3 * FEW)]},
    "mark": {"type": "circle", "size": 9, "color": "#CC3311"},
    "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}},
    "title": "dots",
}


@pytest.fixture(scope="module")
def inline() -> str:
    return inline_svg(json.dumps(DOTS))


def test_many_dots_become_one_element_with_every_place(inline: str) -> None:
    ElementTree.fromstring(inline)  # still valid XML
    [places] = [path for path in re.findall(r'<path d="([^"]+)"', inline) if path.count("h0") > 1]
    assert len(re.findall(r"M[\d.,-]+h0", places)) == 3 * FEW
    assert 'stroke="#CC3311" stroke-width="3"' in inline


def test_it_is_a_fraction_of_what_vega_writes_and_takes_the_width_of_its_place(inline: str) -> None:
    assert len(inline) < len(vl_convert.vegalite_to_svg(DOTS)) / 3
    root = inline.partition(">")[0]
    assert " width=" not in root
    assert "max-width" in root
    assert "viewBox" in root


def test_letters_stay(inline: str) -> None:
    assert ">dots</text>" in inline
    assert "aria-" not in inline


def test_two_pictures_share_no_id() -> None:
    svg = '<svg><clipPath id="clip0"/><g clip-path="url(#clip0)"><path d="M{},2"/></g></svg>'
    first, second = (smaller(svg.format(n)) for n in (1, 2))
    names = [set(re.findall(r'id="([^"]+)"', one)) for one in (first, second)]
    assert not names[0] & names[1]
    assert all(f"url(#{name})" in one for one, (name,) in zip((first, second), names, strict=True))
