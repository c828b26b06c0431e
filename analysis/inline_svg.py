"""SVG as Vega writes it, made fit to stand inside a page: smaller, no fixed width, ids of its own."""

from __future__ import annotations

import hashlib
import re
from itertools import groupby

NUMBER = re.compile(r"-?\d+\.\d{2,}")
COORDINATES = re.compile(r' (?:d|transform|x2|y2)="[^"]*"')
SIZE = re.compile(r'(<svg[^>]*?) width="([\d.]+)" height="[\d.]+"')
# the page's style sheet says the same once
SAID_ONCE = re.compile(
    r' (?:pointer-events|fill-opacity|stroke-opacity|opacity|stroke-miterlimit)="(?:none|1|10)"'
    r'| (?:aria-[a-z]+|role|xmlns:xlink|version|class|font-family)="[^"]*"'
    r'| transform="translate\(0,0\)"| stroke-width="0"'
)
INVISIBLE = re.compile(
    r'<path d="M0,0h0v0h0Z"[^>]*/>|<path d=""[^>]*/>|<path [^>]*display="none"/>|<g></g>|<g/>'
)
IDENTITY = re.compile(r'id="((?:clip|gradient)[\w-]*)"')
DOT = re.compile(
    r'<path transform="translate\((-?[\d.]+),(-?[\d.]+)\)" d="M([\d.]+),0A[^"]*Z?" fill="([^"]*)"([^>]*)/>'
)
FEW = 40  # dots; more of one look become one element


def smaller(svg: str) -> str:
    """Coordinates to a tenth of a pixel; as wide as its place, but no wider than it was drawn."""
    text = SAID_ONCE.sub("", svg)
    text = COORDINATES.sub(lambda found: NUMBER.sub(_rounded, found.group()), text)
    text = SIZE.sub(r'\1 style="max-width: \2px"', text, count=1)
    text = _joined_dots(text)
    while INVISIBLE.search(text):
        text = INVISIBLE.sub("", text)
    # several pictures share a page, and their clip paths and gradients must not
    own = hashlib.sha256(text.encode()).hexdigest()[:8]
    for name in set(IDENTITY.findall(text)):
        text = re.sub(rf"\b{name}\b", f"{name}-{own}", text)
    return text


def _joined_dots(text: str) -> str:
    """A thousand circles of one colour and size as one path: a stroke of no length has round ends."""
    found = list(DOT.finditer(text))
    begins = {one.start(): one.end() for one in found}
    pieces, end = [], 0
    looks = groupby(_runs(found), key=lambda run: (run[0], run[1].groups()[2:]))
    for (_, (radius, colour, rest)), run in looks:
        dots = [dot for _, dot in run]
        if len(dots) < FEW:
            continue
        kept = re.sub(r' stroke[a-z-]*="[^"]*"', "", rest)
        places = "".join(f"M{dot.group(1)},{dot.group(2)}h0" for dot in dots)
        pieces.append(text[end : dots[0].start()])
        pieces.append(
            f'<path d="{places}" stroke="{colour}" stroke-width="{2 * float(radius):g}" '
            f'stroke-linecap="round"{kept}/>'
        )
        end = begins[dots[-1].start()]
    return "".join([*pieces, text[end:]])


def _runs(dots: list[re.Match[str]]) -> list[tuple[int, re.Match[str]]]:
    """Dots with the number of the unbroken run that each belongs to."""
    run, end, numbered = 0, -1, []
    for dot in dots:
        run += dot.start() != end
        end = dot.end()
        numbered.append((run, dot))
    return numbered


def _rounded(found: re.Match[str]) -> str:
    short = f"{float(found.group()):.1f}".removesuffix(".0")
    return "0" if short == "-0" else short
