"""What is published: the tables that a lake has, each column with its type and the catalog's own words.

The words stand in the headers of `sql/views` and in `sql/columns.txt`, once; the catalog shows the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from warehouse.catalog_files import EVERY_MODEL, SOME_MODELS, WHOLE
from warehouse.definitions import column_descriptions, definitions
from warehouse.lake import Lake, relative_file

STORED = (*EVERY_MODEL, *SOME_MODELS, *WHOLE)

# Stored tables that no view of their own name shows.
WITHOUT_VIEW = {
    "rough_norms": "one row per norm of a model whose dimensions have a place: ranks less their smooth part",
    "correlations": "one row per model and part of its norms: how they resemble each other, by rank",
    "projection_vectors": "one row per k_proj or v_proj matrix, taken as one long vector, as in vectors",
}

# What `sql/columns.txt` says of another table's column of that name.
OWN_COLUMNS = {
    ("correlations", "part"): "which norms: weights or biases",
    ("rough_norms", "part"): "which norms: weights or biases",
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
        return f"{self.name}/**/*.parquet"


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
            typed = zip(relation.columns, map(str, relation.types), strict=True)
            described = tuple(
                Column(
                    column,
                    kind,
                    OWN_COLUMNS.get((name, column)) or own.get(name, {}).get(column) or known[column],
                )
                for column, kind in typed
            )
            [(rows,)] = relation.count("*").fetchall()
            found.append(Table(name, words[name], described, rows, tuple(files)))
    return found


def _files(lake: Lake, table: str) -> list[str]:
    """Without those of models that do not count because their row of `models` is gone."""
    if table in WHOLE:
        return sorted(path.relative_to(lake.path).as_posix() for path in lake.path.glob(f"{table}/*.parquet"))
    there = {relative_file(table, name) for name in {*lake.model_names(), *lake.parts()}}
    return sorted(file for file in there if (lake.path / file).exists())


def descriptions() -> dict[str, str]:
    """What one row of each stored table is."""
    return {**{one.name: one.description for one in definitions() if one.kind == "view"}, **WITHOUT_VIEW}
