"""The table `duplicates`: models that were not stored because a stored one has exactly their norms.

Many fine-tunes leave norms untouched. `norms_digest` says which stored model has the same norms.
"""

from __future__ import annotations

from collections.abc import Iterable

from warehouse import VERSION
from warehouse.lake import Lake
from warehouse.rows import ModelRow
from warehouse.storage.commit import new_commit
from warehouse.storage.parquet import read_parquet, write_rows
from warehouse.tables import TABLES

FILE = "duplicates/duplicates.parquet"


def stored_duplicates(lake: Lake) -> list[ModelRow]:
    path = lake.folder / FILE
    rows = read_parquet(path).to_pylist() if path.exists() else []
    return [ModelRow(**{name: row.get(name) for name in TABLES["duplicates"].columns}) for row in rows]


def store_duplicates(lake: Lake, found: Iterable[ModelRow]) -> int:
    """Add these rows and drop those of models that are stored now. Returns how many rows the table has.

    Call while holding the write lock.
    """
    stored = set(lake.model_names())
    before = stored_duplicates(lake)
    rows = {row.model: row for row in (*before, *found) if row.model not in stored}
    if list(rows.values()) != before:
        with new_commit(lake) as commit:
            values = [
                tuple(getattr(row, name) for name in TABLES["duplicates"].columns)
                for _, row in sorted(rows.items())
            ]
            write_rows(commit.file(FILE), "duplicates", values, {"tool_version": VERSION})
            commit.publish()
    return len(rows)
