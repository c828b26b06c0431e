"""What a figure is, and the three things done with one: read its rows, see what is missing, draw it.

A figure is a query under `sql/figures/` and a function that turns the query's rows into an Altair chart. The
query does all the arithmetic. Figures that differ only in their models or metric share a query and set its
variables; `sql_text` gives the whole of it, ready for the shell. Nothing here imports Altair or Polars before
a chart is drawn: they take a second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb

from warehouse.errors import LakeError

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

QUERIES = Path(__file__).parents[2] / "sql" / "figures"

Draw = Callable[["pl.DataFrame"], "alt.TopLevelMixin"]
Derive = Callable[["pl.DataFrame"], "pl.DataFrame"]
Variable = str | list[str]


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
    """Takes the rows; `chart` adds title, lake and description."""
    section: str
    """Where in the documents, or what our own figure is about."""
    documents: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """Models without which it cannot be drawn."""
    claims: tuple[str, ...] = ()
    """Claims whose verdicts hang on it."""
    query: str = ""
    """Name of the SQL file, if it is not the figure's own."""
    variables: Mapping[str, Variable] = field(default_factory=dict)
    derive: Derive | None = None
    """What SQL cannot do, between the query's rows and the chart's: an eigenvalue problem."""


def drawn_by(function: str) -> Draw:
    """The chart function `module.function` of this package, imported when it first draws."""

    def draw(rows: pl.DataFrame) -> alt.TopLevelMixin:
        module, name = function.split(".")
        return cast(Draw, getattr(import_module(f"analysis.figures.{module}"), name))(rows)

    return draw


def sql_path(figure: Figure) -> Path:
    return QUERIES / f"{figure.query or figure.name}.sql"


def sql_text(figure: Figure) -> str:
    """The query as the shell takes it, with its variables set."""
    settings = [f"set variable {name} = {_literal(value)};\n" for name, value in figure.variables.items()]
    return "".join(settings) + sql_path(figure).read_text(encoding="utf-8")


def rows(figure: Figure, connection: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """What the chart shows, one tidy row a mark."""
    import polars as pl

    # A cursor has variables of its own: a figure never sees those of the one before.
    with connection.cursor() as own:
        try:
            for name, value in figure.variables.items():
                own.execute(f"set variable {name} = ?", [value])
            found = pl.DataFrame(_Stream(own.sql(sql_path(figure).read_text(encoding="utf-8"))))
        except duckdb.Error as error:
            reason = " ".join(str(error).split())
            raise LakeError(
                f"{figure.name} cannot be drawn ({reason}): see {sql_path(figure).name}"
            ) from error
    return figure.derive(found) if figure.derive else found


def missing(figure: Figure, connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The models it needs and the lake has not, in the order it names them."""
    present = {model for (model,) in connection.sql("select model from models").fetchall()}
    return [model for model in figure.needs if model not in present]


def text_of_missing(figure: Figure, lacking: Sequence[str]) -> str:
    """What stands in the place of a figure that cannot be drawn."""
    toys = [model for model in lacking if model.startswith("toy_")]
    command = "just toy" if toys else f"just ingest hub {' '.join(lacking)}"
    if figure.section == "calibration":
        command = f"just calibrate` and then `just figure {figure.name} --lake zoo"
    return f"{figure.name} needs {', '.join(lacking)}, which this lake has not: `{command}` brings them"


def lake_line(connection: duckdb.DuckDBPyConnection) -> str:
    """Which data a chart shows, in the words it carries below its title."""
    [(name, caution)] = connection.sql("select lake, caution from lake").fetchall()
    return f"lake {name} (synthetic, no evidence)" if caution else f"lake {name}"


def chart(
    figure: Figure, connection: duckdb.DuckDBPyConnection, found: pl.DataFrame | None = None
) -> alt.TopLevelMixin:
    """The finished chart, from rows read before or now."""
    from altair.utils.schemapi import debug_mode

    from analysis.figures.style import finished

    table = rows(figure, connection) if found is None else found
    if table.is_empty():
        raise LakeError(
            f"{figure.name} has nothing to show: {sql_path(figure).name} found no rows in this lake"
        )
    source = lake_line(connection) if figure.needs else "reads no weights"
    # Altair would validate every part of every chart, which takes longer than all else; the tests do it.
    with debug_mode(False):
        return finished(figure.draw(table), figure.title, source, figure.description)


def spec(drawn: alt.TopLevelMixin) -> dict[str, Any]:
    """The chart as Vega-Lite, as a page embeds it; not validated again."""
    from altair.utils.schemapi import debug_mode

    with debug_mode(False):
        return drawn.to_dict(validate=False)


class _Stream:
    """An answer as Polars takes it without PyArrow, whose import takes half a second.

    Polars remembers the types it has met; DuckDB's own among them would be reported as leaked at exit.
    """

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        self._relation = relation

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._relation.__arrow_c_stream__(requested_schema)


def _literal(value: Variable) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return "'" + value.replace("'", "''") + "'"
