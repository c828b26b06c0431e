"""Builds the derived tables of models from their norms, so that no question has to.

    vectors           one row per vector: statistics, and lists of weights and ranks
    detrended_ranks   one row per norm of a model whose dimensions have a fixed order: its detrended ranks
    correlations      one row per model and kind of norm: the correlations of its own norms with each other
    sketches          one row per model: width, depth, and the bits that a search compares first

The queries are in `sql/features`; numpy sorts (vectors.py), multiplies and adds (structure.py). A model's
features are committed together with its other rows. Large matrices are processed one at a time, so that
memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import RLock
from typing import TypeAlias

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warehouse.catalog.connections import connect
from warehouse.catalog.definitions import read_query
from warehouse.features.structure import norm_products, norm_structure, norm_sums
from warehouse.features.vectors import Unpacked, rank_vectors, unpacked
from warehouse.rows import ModelRow
from warehouse.storage.parquet import model_rows, table_writer
from warehouse.tables import DERIVED, TABLES

# A row group is DuckDB's unit of parallel reading, and lists make a row heavy: 16 vectors of 4096 are 0.2 MB.
ROW_GROUP_VECTORS = 16

# Macros and views that the queries use.
MACROS = (
    *(
        "inner_product",
        "sorted_quantile",
        "is_residual_norm",
        "sketch_sums",
        "least_cv",
        "lineage_thresholds",
    ),
    *("without_neighbours", "without_smooth_part", "mean_of", "pattern_of"),
)
VIEWS = ("lineage_norms", "_detrended_ranks")

GIVEN_BACK = ("allocator_flush_threshold", "allocator_bulk_deallocation_flush_threshold")

# The connection below is for one thread at a time.
_ONE_AT_A_TIME = RLock()


ModelFeatures: TypeAlias = "Mapping[str, pa.Table]"
"""The derived rows of one or more models, by table."""


def write_features(
    features: ModelFeatures, model: str, place: Callable[[str], Path], provenance: Mapping[str, str]
) -> None:
    """Every derived table of one model; `place` says where each goes. Same rows, same bytes."""
    for table in DERIVED:
        rows = features[table].filter(pc.equal(features[table]["model"], model))
        if table == "vectors":
            write_vectors(place(table), table, [rows], provenance)
        else:
            with table_writer(place(table), TABLES[table], provenance) as writer:
                writer.write_table(rows)


def write_matrix_features(projections_file: Path, out: Path, provenance: Mapping[str, str]) -> None:
    """The `projection_vectors` of one model from its projections."""
    with _ONE_AT_A_TIME:
        tables = (_vectors(_connection(), batch) for batch in unpacked(projections_file))
        write_vectors(out, "projection_vectors", tables, provenance)


def build_features(vectors: Sequence[Unpacked], models: Sequence[ModelRow]) -> ModelFeatures:
    """The rows of some models: many at once, because planning the queries takes longer than a small model."""
    with _ONE_AT_A_TIME:
        return _build(_connection(), vectors, models)


def _build(
    connection: duckdb.DuckDBPyConnection, vectors: Sequence[Unpacked], models: Sequence[ModelRow]
) -> ModelFeatures:
    vectors = sorted(vectors, key=lambda vector: (vector.model, vector.ln_type, vector.layer))
    _hold(connection, "files.vectors", listed := _vectors(connection, vectors))
    _hold(connection, "models", model_rows(models))
    # lineage_norms needs the widths, detrended ranks need the places, and the bits of a sketch come last
    _hold(connection, "files.sketches", _answer(connection, "widths"))
    ranked = _correlations(connection, "ranked")
    _hold(connection, "places", _answer(connection, "places"))
    _hold(connection, "files.sketches", _answer(connection, "described"))
    _hold(connection, "files.detrended_ranks", detrended := _answer(connection, "detrended_ranks"))
    correlations = pa.concat_tables([ranked, _correlations(connection, "detrended")])
    found = {
        "vectors": listed,
        "detrended_ranks": detrended,
        "correlations": correlations.sort_by([("model", "ascending"), ("kind", "ascending")]),
        "sketches": _answer(connection, "sketches"),
    }
    return {table: rows.cast(TABLES[table].schema) for table, rows in found.items()}


def write_vectors(out: Path, table: str, parts: Iterable[pa.Table], provenance: Mapping[str, str]) -> None:
    with table_writer(out, TABLES[table], provenance) as writer:
        for rows in parts:
            write_lists(writer, rows.cast(TABLES[table].schema), ROW_GROUP_VECTORS)


def write_lists(writer: pq.ParquetWriter, vectors: pa.Table, group: int) -> None:
    """Write rows of `vectors` in row groups of this size."""
    # DuckDB's list_inner_product refuses lists that were read together with a NULL or empty one, also when a
    # filter has dropped that: vectors without ranks have row groups of their own, after the others.
    for rows in (vectors.filter(vectors["ranks"].is_valid()), vectors.filter(vectors["ranks"].is_null())):
        if rows.num_rows:
            writer.write_table(rows, row_group_size=group)


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    """One for the whole process: opening one takes longer than building the features of a small model."""
    # One thread: a second makes nothing faster here, and could add sums in another order.
    # Give memory back after each query: by default DuckDB keeps 150 MB of it for the next one.
    connection = connect(config={"threads": 1, **dict.fromkeys(GIVEN_BACK, "4MiB")})
    connection.execute("create schema files")
    for macro in MACROS:
        connection.execute(read_query(f"macros/{macro}"))
    for table in ("vectors", "sketches"):
        _hold(connection, f"files.{table}", TABLES[table].empty())
    for view in VIEWS:
        connection.execute(f"create view {view} as {read_query(f'views/{view}')}")
    return connection


def _correlations(connection: duckdb.DuckDBPyConnection, norms: str) -> pa.Table:
    compared = _answer(connection, norms)
    _hold(connection, "compared", compared.drop_columns(["vector"]))
    _hold(connection, "products", norm_products(compared))
    _hold(connection, "structure", norm_structure(compared))
    if norms == "ranked":
        _hold(connection, "sums", norm_sums(compared))
    return _answer(connection, "correlations")


def _vectors(connection: duckdb.DuckDBPyConnection, vectors: Sequence[Unpacked]) -> pa.Table:
    listed = rank_vectors(vectors)
    connection.register("listed", listed)
    statistics = _answer(connection, "statistics")
    connection.unregister("listed")
    lists = {name: listed[name] for name in ("weights", "ranks")}
    return pa.table({**dict(zip(statistics.column_names, statistics.columns, strict=True)), **lists})


def _hold(connection: duckdb.DuckDBPyConnection, name: str, rows: pa.Table) -> None:
    """Create or replace a table of the connection."""
    connection.register("given", rows)
    connection.execute(f"create or replace table {name} as from given")
    connection.unregister("given")


def _answer(connection: duckdb.DuckDBPyConnection, query: str) -> pa.Table:
    return connection.sql(read_query(f"features/{query}")).to_arrow_table()
