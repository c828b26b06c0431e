"""What is published: the tables that a lake has, and of each column its type and description.

Descriptions are those of the catalog, from the headers of `sql/views` and from `sql/columns.txt`. A column
that no table of this version has is not published.
"""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from warehouse.catalog.definitions import column_descriptions, definitions
from warehouse.lake import Lake
from warehouse.paths import relative_file
from warehouse.tables import STORED, TABLES


@dataclass(frozen=True)
class Column:
    """One column; `type` is DuckDB's."""

    name: str
    type: str
    description: str


@dataclass(frozen=True)
class Table:
    """One table and the files it is in, by their paths in the folder."""

    name: str
    description: str
    columns: tuple[Column, ...]
    rows: int
    files: tuple[str, ...]

    @property
    def pattern(self) -> str:
        return f"{self.name}/*.parquet"


def tables_of(connection: duckdb.DuckDBPyConnection, lake: Lake) -> list[Table]:
    """Those that have a file, in the order in which lakes store them."""
    own = {one.name: one.columns for one in definitions()}
    known = column_descriptions()
    found = []
    for name in STORED:
        files = _files(lake, name)
        if files:
            relation = connection.sql(f"from files.{name}")
            types = dict(zip(relation.columns, map(str, relation.types), strict=True))
            described = tuple(
                Column(
                    column,
                    types[column],
                    TABLES[name].notes.get(column) or own.get(name, {}).get(column) or known[column],
                )
                for column in TABLES[name].schema.names
            )
            [(rows,)] = relation.count("*").fetchall()
            found.append(Table(name, TABLES[name].grain, described, rows, tuple(files)))
    return found


def _files(lake: Lake, table: str) -> list[str]:
    """Without those of models that do not count because their row of `models` is gone."""
    counted = {*lake.model_names(), *lake.bundles()}
    stems = (stem for stem in lake.stems(table) if TABLES[table].stored == "whole lake" or stem in counted)
    return [relative_file(table, stem) for stem in stems]
