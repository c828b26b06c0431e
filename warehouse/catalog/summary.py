"""The catalog's summary of a lake's models, so that commands start in a time that does not grow with them.

    files.source_counts   the rows of the view `_source_counts`, for the caution
    files.lake_hash       the xor of `_model_hashes`, for the fingerprint

Bundles never change, so they are summed up once; single models again in every commit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import duckdb

from warehouse.catalog.connections import literal

Kind = Literal["bundled", "single"]

KNOWN = {
    "source_counts": (
        "select source, namesake, models from _source_counts order by all",
        {"source": "varchar", "namesake": "varchar", "models": "bigint"},
    ),
    "lake_hash": ("select bit_xor(model_hash) as model_hash from _model_hashes", {"model_hash": "bigint"}),
}


def create_known(connection: duckdb.DuckDBPyConnection, kind: Kind, *, is_any: bool) -> None:
    """Of one kind of models, which alone the tables have at the moment, if there are any."""
    for name, (query, columns) in KNOWN.items():
        # an empty catalog has no such views yet
        rows = connection.sql(query).fetchall() if is_any else []
        connection.execute(f"create or replace view files.{name}_{kind} as {_constant(rows, columns)}")


def join_known(connection: duckdb.DuckDBPyConnection) -> None:
    for name in KNOWN:
        connection.execute(
            f"create or replace view files.{name} as "
            f"from files.{name}_bundled union all from files.{name}_single"
        )


def _constant(rows: Sequence[tuple[object, ...]], columns: Mapping[str, str]) -> str:
    """A query of these rows, which reads nothing."""
    nothing = ", ".join(f"null::{kind} as {name}" for name, kind in columns.items())
    queries = [f"select {nothing} where false"]
    for row in rows:
        values = ["null" if value is None else literal(str(value)) for value in row]
        typed = (f"{value}::{kind}" for value, kind in zip(values, columns.values(), strict=True))
        queries.append(f"select {', '.join(typed)}")
    return " union all ".join(queries)
