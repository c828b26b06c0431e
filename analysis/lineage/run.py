"""A pair, or all pairs: open the lake, say which, test, print."""

from __future__ import annotations

import duckdb

from analysis.lakes import announce
from analysis.lineage.pair import (
    MATRIX_PERMUTATIONS,
    NormReader,
    Pair,
    add_permutations,
    compare_pair,
    records,
)
from analysis.lineage.show import matrix_lines, pair_lines
from warehouse.catalog import open_catalog
from warehouse.errors import UsageError
from warehouse.lake import existing_lake

# Beyond this many models of different depths, mapping their layers takes minutes and nobody reads the list.
MOST_MAPPED = 24


def show_pair(one: str, other: str, lake_name: str | None, permutations: int, seed: int) -> int:
    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake)
        known = _models(connection)
        for model in (one, other):
            if model not in known:
                raise UsageError(f"no model {model!r} in lake {lake.name!r}: there is {_listed(known)}")
        if one == other:
            raise UsageError(f"{one!r} twice: a model shares all its history with itself; name two models")
        if permutations < 1:
            raise UsageError(f"--permutations {permutations}: at least 1 is needed for a p-value")
        pair = compare_pair(connection, one, other, permutations, seed=seed)
    print("\n".join(pair_lines(pair)))
    return 0


def show_matrix(lake_name: str | None, seed: int) -> int:
    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake)
        pairs = compare_all(connection, seed)
    if not pairs:
        raise UsageError(
            f"lake {lake.name!r} has no two models: `just ingest … --lake {lake.name}` brings more"
        )
    print("\n".join(matrix_lines(pairs)))
    return 0


def compare_all(connection: duckdb.DuckDBPyConnection, seed: int = 0) -> list[Pair]:
    """Every two models, without p-values; layers are mapped blindly where depths differ, in small lakes."""
    rows = records(connection, "from lineage_matrix order by model_a, model_b")
    mapped = MATRIX_PERMUTATIONS if len(_models(connection)) <= MOST_MAPPED else 0
    read = NormReader(connection)
    return [add_permutations(read, row, 0, mapped, seed) for row in rows]


def _models(connection: duckdb.DuckDBPyConnection) -> list[str]:
    return [model for (model,) in connection.sql("select model from models order by model").fetchall()]


def _listed(names: list[str]) -> str:
    return ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
