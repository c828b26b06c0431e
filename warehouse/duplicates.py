"""`duplicates`: models whose norms are those of one that is stored, to the value, and are not stored again.

Many fine-tunes leave norms untouched. A row is what `models` would say of such a model; which stored model
has its norms follows from `norms_digest`, so that it stays true when that one is read anew. One small file,
written whole.
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
    """The table with these rows besides those it has, but for models that are stored by now; how many it has.

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
