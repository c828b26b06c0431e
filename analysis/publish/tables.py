"""What is published: the tables that a lake has, and of each column its type and description.

Descriptions are those of the catalog, from the headers of `sql/views` and from `sql/columns.txt`. A column
that no table of this version has is not published.
"""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from warehouse.catalog.definitions import column_descriptions, definitions
from warehouse.catalog.files import EVERY_MODEL, SOME_MODELS, WHOLE
from warehouse.empty import empty_table
from warehouse.lake import Lake, relative_file

STORED = (*EVERY_MODEL, *SOME_MODELS, *WHOLE)

# Stored tables that no view of their own name shows.
WITHOUT_VIEW = {
    "detrended_ranks": "one row per norm of a model whose dimensions have a fixed order: its detrended ranks",
    "correlations": "one row per model and kind of norm: how its norms resemble each other, by rank",
    "projection_vectors": "one row per k_proj or v_proj matrix, taken as one long vector, as in vectors",
}

# What `sql/columns.txt` says of another table's column of that name.
OWN_COLUMNS = {
    ("correlations", "kind"): "which norms: weights or biases",
    ("detrended_ranks", "kind"): "which norms: weights or biases",
}


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
    words = descriptions()
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
                    OWN_COLUMNS.get((name, column)) or own.get(name, {}).get(column) or known[column],
                )
                for column in empty_table(name).schema.names
            )
            [(rows,)] = relation.count("*").fetchall()
            found.append(Table(name, words[name], described, rows, tuple(files)))
    return found


def _files(lake: Lake, table: str) -> list[str]:
    """Without those of models that do not count because their row of `models` is gone."""
    counted = {*lake.model_names(), *lake.bundles()}
    stems = (stem for stem in lake.stems(table) if table in WHOLE or stem in counted)
    return [relative_file(table, stem) for stem in stems]


def descriptions() -> dict[str, str]:
    """What one row of each stored table is."""
    return {**{one.name: one.description for one in definitions() if one.kind == "view"}, **WITHOUT_VIEW}
