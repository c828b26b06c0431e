"""Sections of the report that stand on their own: each a function from the lake to a piece of HTML, or None.

`SECTIONS` says on which page each stands, in which order. A section that has nothing to show for this lake
returns None and leaves no heading.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import duckdb
from markupsafe import Markup

from analysis.lineage.section import section_values
from analysis.report.page import environment
from analysis.rows import fetch_dicts
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import read_query
from warehouse.documents import documents
from warehouse.lake import Lake

Render = Callable[[duckdb.DuckDBPyConnection], Markup | None]


@dataclass(frozen=True)
class Section:
    """A heading with something below it."""

    id: str
    title: str
    page: str
    """The page it stands on."""
    render: Render


def contradictions(connection: duckdb.DuckDBPyConnection) -> Markup | None:
    """Statements whose printed figures cannot both be true, by the two documents that print them."""
    order = list(documents())
    pairs: dict[tuple[str, str], list[dict[str, object]]] = {}
    for row in fetch_dicts(connection, "from contradictions"):
        first, second = str(row["first_document"]), str(row["second_document"])
        if order.index(first) > order.index(second):
            for name in ("document", "section", "item", "figure"):
                row[f"first_{name}"], row[f"second_{name}"] = row[f"second_{name}"], row[f"first_{name}"]
            first, second = second, first
        pairs.setdefault((first, second), []).append(row)
    return _fragment("contradictions.html", pairs=pairs) if pairs else None


def models(connection: duckdb.DuckDBPyConnection) -> Markup | None:
    """What was read, from where, and how little of it."""
    found = fetch_dicts(connection, read_query("report/provenance"))
    return _fragment("models.html", models=found) if found else None


def lineage(connection: duckdb.DuckDBPyConnection) -> Markup | None:
    """Which models share weight history, and how often that answer is wrong."""
    return _fragment("lineage.html", **section_values(connection))


SECTIONS = (
    Section("contradictions", "Where the documents disagree", "contradictions", contradictions),
    Section("lineage", "Lineage", "lineage", lineage),
    Section("models", "Models and provenance", "data", models),
)


def rendered(lake: Lake) -> list[tuple[Section, Markup]]:
    """Those sections that have something to show; opens the lake itself, as it may run in another process."""
    with open_catalog(lake) as connection:
        found = [(section, section.render(connection)) for section in SECTIONS]
    return [(section, html) for section, html in found if html is not None]


def _fragment(template: str, **values: object) -> Markup:
    return Markup(environment().get_template(template).render(values))
