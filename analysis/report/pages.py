"""Writes the pages of a report: the main page and the figures in every language, the rest in English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from analysis.claims.headlines import headlines, planned
from analysis.claims.results import VERDICTS, Result, Run, counts, finding_counts
from analysis.figures.draw import Drawn
from analysis.figures.figure import Figure
from analysis.languages import LANGUAGES, Language, filled
from analysis.report.links import PAGES, SUBFOLDERS, Links, texts
from analysis.report.page import make_folder, render, write
from analysis.report.sections import Section
from warehouse import VERSION
from warehouse.documents import group_of

HERO = ("measured",)
"""Figures of the first screen."""
INLINE = {"declared": ("declared_families",)}
"""Figures inside other pages than the main one."""
FIGURE_FOLDER = "figures"
WIDTH, HEIGHT = 1200, 630  # px, as link previews want it
TEMPLATES = {"main": "main.html", "figures": "all_figures.html", "ledger": "ledger.html"}


@dataclass(frozen=True)
class Entry:
    """A claim in the ledger."""

    result: Result
    models: tuple[str, ...]
    figures: list[Figure] = field(default_factory=list)

    @property
    def groups(self) -> dict[str, None]:
        """Whose statements it judges."""
        return dict.fromkeys(judged.item.group for judged in self.result.items)

    @property
    def measured(self) -> set[str]:
        """Whether published measurements agree with its statements, disagree, or both."""
        found = {one.agrees for judged in self.result.items for one in judged.measured}
        return {"agree" if agrees else "disagree" for agrees in found}


@dataclass(frozen=True)
class Made:
    """Everything that the pages show."""

    about: Mapping[str, Any]
    run: Run
    number: int
    written: datetime
    shown: Sequence[Drawn]
    entries: Sequence[Entry]
    sections: Sequence[tuple[Section, Markup]]
    answer: Mapping[str, float | None]
    address: str = ""
    """The folder's address on the web, for link previews."""


def write_pages(out: Path, made: Made, bundle: str) -> Path:
    """Write every page in every language it has; return the path of the main page."""
    write_preview(out, made.shown)
    for language in LANGUAGES:
        make_folder(out / SUBFOLDERS[language])
        for page, (file, in_all) in PAGES.items():
            if language != "en" and not in_all:
                continue
            here = f"{SUBFOLDERS[language]}{file}"
            values = {**_common(made, page, language), "here": here, **_special(made, page, language)}
            charts = bundle if page == "figures" else ""  # the one page with charts that move
            template = TEMPLATES.get(page, "sections.html")
            write(out / here, render(template, charts, values))
    return out / PAGES["main"][0]


def _common(made: Made, page: str, language: Language) -> dict[str, object]:
    glossary = texts("glossary", language)
    links = Links(page, language)
    told = texts("pages", language)[page]
    return {
        "about": made.about,
        "run": made.number,
        "written": made.written,
        "version": VERSION,
        "address": made.address,
        "language": language,
        "links": links,
        "frame": texts("frame", language),
        "glossary": glossary,
        "glossary_json": {key: [one["word"], links.html(one["meaning"])] for key, one in glossary.items()},
        "heading": told["title"],
        "summary": told["summary"],
    }


def _special(made: Made, page: str, language: Language) -> dict[str, object]:
    """Values that one page alone uses."""
    run = made.run
    if page == "main":
        argument = [one for one in made.shown if one.figure.on_main_page]
        return {
            "told": texts("main", language),
            "answer": answer(made.answer, made.about, language),
            "dispute": dispute(run, made.answer, language),
            "hero": [one for one in argument if one.figure.name in HERO],
            "argument": [
                one for one in made.shown if one.figure.on_main_page and one.figure.name not in HERO
            ],
            "counts": counts(run),
            "measured": filled(texts("main", language)["verdicts"]["measured"], made.answer),
            "finding_counts": finding_counts(run.findings),
        }
    if page == "figures":
        headings = texts("pages", language)["figures"]["groups"]
        return {
            "groups": _grouped(made.shown, headings),
            "results": {one.claim.id: one for one in run.answered},
        }
    if page == "ledger":
        return {
            "entries": made.entries,
            "broken": run.broken,
            "findings": run.findings,
            "verdicts": VERDICTS,
            "models": sorted({model for entry in made.entries for model in entry.models}),
            "evidences": sorted({entry.result.claim.evidence for entry in made.entries}),
            "headlines": headlines(run, planned(language)),
            "counts": counts(run, ("document", "method")),
            "facets": _facets(run),
        }
    values: dict[str, object] = {
        "sections": [(section, html) for section, html in made.sections if section.page == page],
        "shown": [one for one in made.shown if one.figure.name in INLINE.get(page, ())],
    }
    if page == "contradictions":
        values["inferred"] = [
            one for one in run.findings if one.claim.evidence == "printed" and one.verdict == "shown"
        ]
    return values


def answer(figures: Mapping[str, float | None], about: Mapping[str, Any], language: Language) -> list[str]:
    """What was claimed, what holds, what norms cannot tell; figures of a replica are never findings."""
    told = texts("main", language)["answer"]
    caution = about["caution"] or ""
    case = "absent" if figures["cosine"] is None else "others" if caution else "read"
    if caution.startswith("synthetic"):
        case = "replica"
    holds = f"{told['cosine']} {told['measured']} {told['weights'][case]}"
    values = {**figures, "lake": about["lake"]}
    return [filled(text, values) for text in (told["claimed"], holds, told["limit"])]


def dispute(run: Run, figures: Mapping[str, float | None], language: Language) -> list[dict[str, Any]]:
    """The steps, each with the headlines that belong to it."""
    lines = headlines(run, planned(language))
    return [
        {
            **step,
            "said": filled(step["said"], figures),
            "lines": [line for line in lines if line.planned.step == step["key"]],
        }
        for step in texts("main", language)["step"]
    ]


def _facets(run: Run) -> dict[str, dict[str, int]]:
    """How many statements have which verdict, by the group that makes them."""
    items = [judged for result in run.results for judged in result.items]
    groups = dict.fromkeys(judged.item.group for judged in items)
    return {
        group: {
            verdict: sum(one.verdict == verdict and one.item.group == group for one in items)
            for verdict in VERDICTS
        }
        for group in groups
    }


def _grouped(shown: Iterable[Drawn], headings: Mapping[str, str]) -> list[tuple[str, str, list[Drawn]]]:
    """Key, heading and figures of each group that has any: the argument, then by document."""
    by_group: dict[str, list[Drawn]] = {key: [] for key in headings}
    for one in shown:
        by_group["argument" if one.figure.on_main_page else group_of(one.figure.documents)].append(one)
    return [(key, headings[key], found) for key, found in by_group.items() if found]


def write_preview(out: Path, shown: Iterable[Drawn]) -> None:
    """`preview.png`, in English, because a machine may have no font for other languages."""
    import vl_convert

    pictures = [one for one in shown if one.figure.name == HERO[0] and one.inline]
    png = vl_convert.svg_to_png(preview(pictures[0] if pictures else None), scale=1)
    write(out / "preview.png", png)


def preview(hero: Drawn | None) -> str:
    title = texts("pages", "en")["main"]["title"]
    first, _, second = title.partition("? ")
    inside = ""
    if hero:
        picture = re.sub(r' style="max-width: [\d.]+px"', "", str(hero.picture("en", "wide")), count=1)
        inside = picture.replace("<svg", '<svg x="60" y="190" width="1080" height="420"', 1)
        inside += f'<text x="60" y="176" font-size="22" fill="#5a6169">{escape(hero.lake["en"])}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
        f'<text x="60" y="84" font-size="46" font-weight="bold" fill="#1c1f23">{escape(first)}?</text>'
        f'<text x="60" y="138" font-size="38" fill="#1c1f23">{escape(second)}</text>{inside}</svg>'
    )
