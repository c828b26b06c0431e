"""What a figure is: words, a query under `sql/figures/`, and a function that draws the query's rows.

The query does all the arithmetic. Figures that differ only in their models or metric share a query and set
its variables; `sql_text` gives the whole of it, ready for the shell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

QUERIES = Path(__file__).parents[2] / "sql" / "figures"

Draw = Callable[["pl.DataFrame"], "alt.TopLevelMixin"]
Derive = Callable[["pl.DataFrame"], "pl.DataFrame"]
Variable = str | list[str]
About = Literal["models", "models trained here", "calibration"]


@dataclass(frozen=True)
class Figure:
    """One picture of the report."""

    name: str
    title: str
    """What is seen."""
    caption: str
    """What to look at, what the document showed, what is drawn otherwise; ranges and crops."""
    description: str
    """For readers who do not see it."""
    draw: Draw
    """Takes the rows; title, lake and description are added to every chart alike."""
    section: str
    """Where in the documents, or what our own figure is about."""
    documents: tuple[str, ...] = ()
    about: About = "models"
    """Decides which lake is read: see `sources.py`."""
    needs: tuple[str, ...] = ()
    """Models without which it cannot be drawn."""
    claims: tuple[str, ...] = ()
    """Claims whose verdicts hang on it."""
    query: str = ""
    """Name of the SQL file, if it is not the figure's own."""
    variables: Mapping[str, Variable] = field(default_factory=dict)
    derive: Derive | None = None
    """What SQL cannot do, between the query's rows and the chart's: an eigenvalue problem."""


def sql_path(figure: Figure) -> Path:
    return QUERIES / f"{figure.query or figure.name}.sql"


def sql_text(figure: Figure) -> str:
    """The query as the shell takes it, with its variables set."""
    settings = [f"set variable {name} = {_literal(value)};\n" for name, value in figure.variables.items()]
    return "".join(settings) + sql_path(figure).read_text(encoding="utf-8")


def _literal(value: Variable) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return "'" + value.replace("'", "''") + "'"
