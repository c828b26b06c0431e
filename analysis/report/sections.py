"""Sections of the report: each a function from the lake to a piece of HTML, or None.

`SECTIONS` says which page has which, in which order. A section that has nothing to show for this lake returns
None and leaves no heading.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import duckdb
from markupsafe import Markup

from analysis.figures.charts.style import label
from analysis.figures.translated import ways
from analysis.lineage.run import section_values
from analysis.report.page import environment
from analysis.rows import fetch_dicts
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import read_query
from warehouse.lake import Lake

Render = Callable[[duckdb.DuckDBPyConnection], Markup | None]


@dataclass(frozen=True)
class Section:
    """A heading with something below it."""

    id: str
    title: str
    page: str
    """The page that has it."""
    render: Render


def contradictions(connection: duckdb.DuckDBPyConnection) -> Markup | None:
    """Quantities for which the documents print figures that cannot all be true, strict ones first."""
    found = fetch_dicts(connection, read_query("report/disagreements"))
    for row in found:
        about = re.sub(r"\w+", lambda word: label(word[0]), str(row["about"]))
        row["about"] = about[:1].upper() + about[1:]
    return _fragment("contradictions.html", found=found) if found else None


def models(connection: duckdb.DuckDBPyConnection) -> Markup | None:
    """What was read, from where, and how little of it."""
    found = fetch_dicts(connection, read_query("report/provenance"))
    return _fragment("models.html", models=found) if found else None


def lineage(connection: duckdb.DuckDBPyConnection) -> Markup | None:
    """Which models share weight history, and how often that answer is wrong."""
    numbers = fetch_dicts(connection, read_query("report/numbers"))
    return _fragment("lineage.html", **section_values(connection), numbers=numbers, ways=ways())


def declared(connection: duckdb.DuckDBPyConnection) -> Markup | None:
    """What models declare as their bases, disagreements first; many models make counts enough."""
    rows = fetch_dicts(connection, read_query("report/declared"))
    return _fragment("declared.html", rows=rows) if rows else None


def dictionary(connection: duckdb.DuckDBPyConnection) -> Markup | None:
    """What the tables and their columns hold."""
    return _fragment("dictionary.html", tables=fetch_dicts(connection, read_query("report/dictionary")))


SECTIONS = (
    Section("contradictions", "Where the documents disagree", "contradictions", contradictions),
    Section("lineage", "Lineage", "lineage", lineage),
    Section("declared", "Declared bases", "declared", declared),
    Section("models", "Models and provenance", "data", models),
    Section("dictionary", "Data dictionary", "data", dictionary),
)


def rendered(lake: Lake) -> list[tuple[Section, Markup]]:
    """Those sections that have something to show; opens the lake itself, as it may run in another process."""
    with open_catalog(lake) as connection:
        found = [(section, section.render(connection)) for section in SECTIONS]
    return [(section, html) for section, html in found if html is not None]


def _fragment(template: str, **values: object) -> Markup:
    return Markup(environment().get_template(template).render(values))
