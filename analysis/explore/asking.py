"""The queries of the page: each reads only what the page shows next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

import duckdb
import polars as pl
from polars.exceptions import PolarsError

from analysis.readonly_sql import lock_down, read_only_rows
from analysis.rows import about_lake, fetch_dicts
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import counted
from warehouse.errors import UsageError
from warehouse.lake import Lake, existing_lake

MOST_ROWS = 5000
"""Of the reader's own query; more would make the page slow."""


@dataclass(frozen=True)
class Explored:
    """A lake that is open for questions."""

    lake: Lake
    about: dict[str, Any]
    models: list[str]

    @property
    def title(self) -> str:
        models = counted(self.about["models"], "model")
        return f"lake {self.about['lake']}: {models} ({self.about['sources']})"

    @property
    def caution(self) -> str | None:
        return str(self.about["caution"]) if self.about["caution"] else None


def open_lake(name: object) -> Explored:
    """Called for every reader of the page; all share one connection."""
    lake = existing_lake(None if name is None else str(name))
    with _cursor(lake) as own:
        models = [row["model"] for row in fetch_dicts(own, "select model from models order by model")]
        return Explored(lake, about_lake(own), models)


@contextmanager
def _cursor(lake: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor for one question, so that a variable that a query sets does not outlive it."""
    with _opening:
        connection = _locked_connection(lake)
        own = connection.cursor()
    try:
        with own:
            yield own
    except (duckdb.InternalException, duckdb.FatalException):
        # the database is unusable from now on; the next question opens the catalog again
        with _opening:
            _locked_connection.cache_clear()
            connection.close()
        raise


_opening = Lock()


@lru_cache
def _locked_connection(lake: Lake) -> duckdb.DuckDBPyConnection:
    connection = open_catalog(lake)
    lock_down(connection, lake)
    return connection


def shared_norms(lake: Explored, one: str, other: str) -> list[str]:
    """Types of norms that both models have in one width, those in most layers first."""
    query = """
        select ln_type
        from (select ln_type, d, layer from vectors where model = $a) as a
        join (select ln_type, d, layer from vectors where model = $b) as b using (ln_type, d)
        group by ln_type order by count(*) desc, ln_type
    """
    return [row["ln_type"] for row in _asked(lake, query, a=one, b=other)]


def layer_pairs(lake: Explored, one: str, other: str, norm: str) -> pl.DataFrame:
    query = """
        select layer_a, layer_b, cosine, pearson, offset_share, permutation_z
        from layer_grid($a, $b, $norm)
    """
    return _frame(lake, query, a=one, b=other, norm=norm)


def points(lake: Explored, one: str, layer: int, other: str, other_layer: int, norm: str) -> pl.DataFrame:
    query = "from points($a, $layer_a, $b, $layer_b, $norm)"
    return _frame(lake, query, a=one, layer_a=layer, b=other, layer_b=other_layer, norm=norm)


def lineage(lake: Explored, one: str, other: str) -> dict[str, Any]:
    [row] = _asked(lake, "from lineage($a, $b)", a=one, b=other)
    return row


def first_pair(models: list[str]) -> tuple[str | None, str | None]:
    """The disputed pair if the lake has it, else the first two models."""
    if {"solar", "glm"} <= {*models}:
        return "solar", "glm"
    one, other = (*models, None, None)[:2]
    return one, other


def first_cell(grid: pl.DataFrame) -> dict[str, Any]:
    """The pair of equal layers with the highest cosine; of models without equal layers any pair."""
    equal = grid.filter(pl.col("layer_a") == pl.col("layer_b"))
    return (equal if len(equal) else grid).sort("cosine", nulls_last=False).row(-1, named=True)


@dataclass(frozen=True)
class Answer:
    """The rows of the reader's own query, or DuckDB's message."""

    rows: pl.DataFrame | None
    note: str


def ask(lake: Explored, query: str) -> Answer:
    """Run the reader's own query; at most MOST_ROWS rows."""
    try:
        with _cursor(lake.lake) as own:
            relation = read_only_rows(own, lake.lake, query)
            if relation is None:
                return Answer(None, "there is no query in that text")
            rows = relation.limit(MOST_ROWS + 1).pl()
    except (duckdb.Error, UsageError, PolarsError) as error:
        return Answer(None, str(error))
    if len(rows) > MOST_ROWS:
        return Answer(rows.head(MOST_ROWS), f"the first {MOST_ROWS:,} rows; `just sql` gives all")
    return Answer(rows, counted(len(rows), "row"))


def _asked(lake: Explored, query: str, **parameters: object) -> list[dict[str, Any]]:
    with _cursor(lake.lake) as own:
        return fetch_dicts(own, query, parameters)


def _frame(lake: Explored, query: str, **parameters: object) -> pl.DataFrame:
    with _cursor(lake.lake) as own:
        frame: pl.DataFrame = own.sql(query, params=parameters).pl()
    return frame
