"""What a figure is: words, a query under `sql/figures/`, and a function that draws the query's rows.

The query does all the arithmetic. Figures that differ only in their models share a query and set its
variables; `sql_text` gives the whole of it, ready for the shell. Titles state what the rows show: they are
templates, filled from the rows by the figure's `facts`, which may also choose between cases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from analysis.languages import Language, Text, filled

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

QUERIES = Path(__file__).parents[2] / "sql" / "figures"

Draw = Callable[..., "alt.TopLevelMixin"]
Derive = Callable[["pl.DataFrame"], "pl.DataFrame"]
Facts = Mapping[str, object]
"""What the words of a figure say of its rows: extremes and counts, by name. NULL prints as undefined."""
Variable = str | list[str]
About = Literal["models", "models trained here", "calibration", "measurements"]

CASE = "case"
"""Key of the facts that chooses between titles, so that a title never says more than its rows show."""


@dataclass(frozen=True)
class Words:
    """What is said of a figure, in every language; templates filled with its facts."""

    title: Mapping[str, Text]
    """What is found, by case; the case `""` where there is one only."""
    data: Text
    """What is drawn: models, norm, layers."""
    caption: Text
    """What to look at, what the document showed, what is drawn otherwise; ranges and crops."""
    description: Text
    """For readers who do not see it."""

    @property
    def subject(self) -> str:
        """What is drawn, for a figure without rows."""
        return re.sub(r"\{[^}]*\}", "…", self.data["en"])


@dataclass(frozen=True)
class Said:
    """The words of a figure in one language, about the rows that were drawn."""

    title: str
    data: str
    caption: str
    description: str

    @property
    def alt(self) -> str:
        """The finding, then how it looks."""
        return f"{self.title}. {self.description}"


@dataclass(frozen=True)
class Figure:
    """One picture of the report."""

    name: str
    words: Words
    draw: Draw
    """Takes the rows; `draw.chart` adds title, lake and description."""
    section: str
    """Where in the documents, or what our own figure is about."""
    documents: tuple[str, ...] = ()
    about: About = "models"
    """Decides which lake is read (`sources.py`)."""
    needs: tuple[str, ...] = ()
    """Models without which it cannot be drawn."""
    claims: tuple[str, ...] = ()
    """Claims that judge what it shows."""
    query: str = ""
    """Name of the SQL file."""
    variables: Mapping[str, Variable] = field(default_factory=dict)
    derive: Derive | None = None
    """What SQL cannot do, between the query's rows and the chart's: an eigenvalue problem."""
    facts: Callable[[pl.DataFrame], Facts] | None = None
    on_main_page: bool = False
    is_inline: bool = False
    """Inside a page, as all of the main page are: drawn again for phones, `draw` takes `narrow=True`."""


def said(figure: Figure, rows: pl.DataFrame | None, language: Language = "en") -> Said:
    """Its words, filled with facts of these rows; without rows, as templates."""
    facts = dict(figure.facts(rows)) if figure.facts and rows is not None else {}
    title = figure.words.title[str(facts.pop(CASE, ""))]
    words = (title, figure.words.data, figure.words.caption, figure.words.description)
    texts = [text[language] for text in words]
    return Said(*(text if rows is None else filled(text, facts, language) for text in texts))


def means_of(column: str, layer: int | None = None) -> Callable[[pl.DataFrame], Facts]:
    """Facts: the mean of a column in each of the four models, of one layer or all."""

    def facts(rows: pl.DataFrame) -> Facts:
        some = rows if layer is None else rows.filter(layer=layer)
        return {
            model: some.filter(model=model)[column].mean() for model in ("solar", "glm", "intellect", "phi")
        }

    return facts


def ranges(columns: Mapping[str, pl.Series]) -> Facts:
    """Facts: the ends of each column, as `name_low` and `name_high`."""
    ends = {name: (column.min(), column.max()) for name, column in columns.items()}
    return {f"{name}_{end}": two[at] for name, two in ends.items() for at, end in enumerate(("low", "high"))}


def sql_path(figure: Figure) -> Path:
    return QUERIES / f"{figure.query}.sql"


def sql_text(figure: Figure) -> str:
    """The query as the shell takes it, with its variables set."""
    settings = [f"set variable {name} = {_literal(value)};\n" for name, value in figure.variables.items()]
    return "".join(settings) + sql_path(figure).read_text(encoding="utf-8")


def _literal(value: Variable) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return "'" + value.replace("'", "''") + "'"
