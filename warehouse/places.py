"""Stores with each model whether its dimensions have a place, which every lineage question asks.

The definition is SQL's (`lineage_places`), and a model without a stored row is measured when asked: storing
saves time and changes no answer. A model that is written anew loses its row in the same change.
"""

from __future__ import annotations

from warehouse import VERSION
from warehouse.catalog import ensure_catalog, open_catalog
from warehouse.changes import staged_change
from warehouse.empty import PLACES
from warehouse.lake import Lake, relative_file
from warehouse.parquet import write_table

TABLE = "places"


def store_places(lake: Lake) -> None:
    """For the models that lack it; call while holding the lake's write lock."""
    with open_catalog(lake) as connection:
        [(missing,)] = connection.sql("select list(model) from files.unplaced").fetchall()
        if not missing:
            return
        rows = connection.sql("from lineage_places(among := ?)", params=[missing]).to_arrow_table()
    with staged_change(lake) as change:
        for row in rows.select(PLACES.names).cast(PLACES).to_pylist():
            table = PLACES.empty_table().from_pylist([row], schema=PLACES)
            file = change.file(relative_file(TABLE, row["model"]))
            write_table(file, table, {"tool_version": VERSION})
        change.publish()
    ensure_catalog(lake)
