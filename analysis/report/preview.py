"""The picture that stands for the report where a link to it is shown: the first figure below the title."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from markupsafe import escape

from analysis.report.charts import Shown
from analysis.report.main_page import HERO, texts
from analysis.report.page import write

WIDTH, HEIGHT = 1200, 630  # px, as link previews want it


def write_preview(out: Path, shown: Iterable[Shown]) -> None:
    """`preview.png`, in English: a machine may have no other letters."""
    import vl_convert

    pictures = [one for one in shown if one.figure.name == HERO[0] and one.pictures]
    png = vl_convert.svg_to_png(preview(pictures[0] if pictures else None), scale=1)
    write(out / "preview.png", png)


def preview(hero: Shown | None) -> str:
    title = texts("pages", "en")["main"]["title"]
    first, _, second = title.partition("? ")
    inside = ""
    if hero:
        picture = re.sub(r' style="max-width: [\d.]+px"', "", str(hero.pictures["en", "wide"]), count=1)
        inside = picture.replace("<svg", '<svg x="60" y="190" width="1080" height="420"', 1)
        inside += f'<text x="60" y="176" font-size="22" fill="#5a6169">{escape(hero.lake["en"])}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
        f'<text x="60" y="84" font-size="46" font-weight="bold" fill="#1c1f23">{escape(first)}?</text>'
        f'<text x="60" y="138" font-size="38" fill="#1c1f23">{escape(second)}</text>{inside}</svg>'
    )
