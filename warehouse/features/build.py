"""Builds the derived tables of models from their norms, so that no question has to.

    vectors           one row per vector: statistics, and lists of weights and ranks
    detrended_ranks   one row per norm of a model whose dimensions have a fixed order: its detrended ranks
    correlations      one row per model and kind of norm: the correlations of its own norms with each other
    sketches          one row per model: width, depth, and the bits that a search compares first

The queries are in `sql/features`; numpy sorts (ranks.py), multiplies and adds (pairwise.py). A model's
features are committed together with its other rows. Large matrices are processed one at a time, so that
memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from threading import RLock

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warehouse.catalog.connections import connect
from warehouse.catalog.definitions import definitions, read_query
from warehouse.features.pairwise import norm_products, norm_sums
from warehouse.features.ranks import rank_vectors
from warehouse.features.unpack import Unpacked, unpacked
from warehouse.schemas import MODELS, ModelRow
from warehouse.storage.parquet import model_rows, parquet_writer

# A row group is DuckDB's unit of parallel reading, and lists make a row heavy: 16 vectors of 4096 are 0.2 MB.
ROW_GROUP_VECTORS = 16

# Born as BF16 or F16, a vector has a few hundred distinct ranks, which suits a dictionary; BYTE_STREAM_SPLIT
# suits the weights. Measured on 65 x 4096 such values, bytes a value at zstd 3 (level 9 saves a hundredth in
# twice the time): ranks with a dictionary 1.5, else 1.7; weights 1.0, with a dictionary 1.2, plain 1.3.
VECTORS_OPTIONS = {
    "compression": "zstd",
    "compression_level": 3,
    "use_dictionary": ["model", "ln_type", "ranks.list.element"],
    "column_encoding": {"weights.list.element": "BYTE_STREAM_SPLIT"},
    "store_schema": False,
}

DETRENDED_RANKS_OPTIONS = {
    **VECTORS_OPTIONS,
    "use_dictionary": ["model", "kind", "ln_type"],
    "column_encoding": {"detrended_ranks.list.element": "BYTE_STREAM_SPLIT"},
}
CORRELATIONS_OPTIONS = {
    **VECTORS_OPTIONS,
    "use_dictionary": ["model", "kind", "norms.list.element"],
    "column_encoding": {"correlations.list.element": "BYTE_STREAM_SPLIT"},
}
# Bits are as good as random: nothing to compress.
SKETCHES_OPTIONS = {"compression": "none", "use_dictionary": ["layers"], "store_schema": False}

# What the queries are made of.
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

PER_MODEL = ("vectors", "detrended_ranks", "correlations", "sketches")

GIVEN_BACK = ("allocator_flush_threshold", "allocator_bulk_deallocation_flush_threshold")

# The connection below is for one thread at a time.
_ONE_AT_A_TIME = RLock()


@dataclass(frozen=True)
class ModelFeatures:
    """The rows of one or more models, by table."""

    vectors: pa.Table
    detrended_ranks: pa.Table
    correlations: pa.Table
    sketches: pa.Table


def write_features(
    packed: ModelFeatures, model: str, place: Callable[[str], Path], provenance: Mapping[str, str]
) -> None:
    """Every packed table of one model; `place` says where each goes. Same rows, same bytes."""
    rows = {table: getattr(packed, table) for table in PER_MODEL}
    of_model = {table: found.filter(pc.equal(found["model"], model)) for table, found in rows.items()}
    write_vectors(place("vectors"), [of_model["vectors"]], provenance)
    for table, options in (
        ("detrended_ranks", DETRENDED_RANKS_OPTIONS),
        ("correlations", CORRELATIONS_OPTIONS),
        ("sketches", SKETCHES_OPTIONS),
    ):
        with parquet_writer(place(table), of_model[table].schema, options, provenance) as writer:
            writer.write_table(of_model[table])


def write_matrix_features(projections_file: Path, out: Path, provenance: Mapping[str, str]) -> None:
    """The `projection_vectors` of one model from its projections."""
    with _ONE_AT_A_TIME:
        tables = (_vectors(_connection(), batch) for batch in unpacked(projections_file))
        write_vectors(out, tables, provenance)


def build_features(vectors: Sequence[Unpacked], models: Sequence[ModelRow]) -> ModelFeatures:
    """The rows of some models: many at once, because planning the queries takes longer than a small model."""
    with _ONE_AT_A_TIME:
        return _build(_connection(), vectors, models)


def _build(
    connection: duckdb.DuckDBPyConnection, vectors: Sequence[Unpacked], models: Sequence[ModelRow]
) -> ModelFeatures:
    vectors = sorted(vectors, key=lambda vector: (vector.model, vector.ln_type, vector.layer))
    packed = _vectors(connection, vectors)
    _hold(connection, "files.vectors", packed)
    _hold(connection, "models", model_rows(models))
    ranked = _describe(connection)
    _hold(connection, "files.detrended_ranks", detrended := _answer(connection, "detrended_ranks"))
    correlations = pa.concat_tables([ranked, _correlations(connection, "detrended")])
    ordered = correlations.sort_by([("model", "ascending"), ("kind", "ascending")])
    return ModelFeatures(packed, detrended, ordered, _answer(connection, "sketches"))


def _describe(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """Holds all that `sketches` has but for the bits; how norms of a model resemble each other, by rank."""
    _hold(connection, "files.sketches", _answer(connection, "widths"))
    _hold(connection, "correlations", ranked := _correlations(connection, "ranked"))
    _hold(connection, "places", _answer(connection, "places"))
    _hold(connection, "files.sketches", _answer(connection, "described"))
    return ranked


@cache
def empty_features(table: str) -> pa.Table:
    """A packed table without a row: the columns and types that the query gives."""
    packed: pa.Table = getattr(build_features([], []), table)
    return packed


def write_vectors(out: Path, tables: Iterable[pa.Table], provenance: Mapping[str, str]) -> None:
    rows = iter(tables)
    first = next(rows, None)
    if first is None:
        first = empty_features("vectors")
    with parquet_writer(out, first.schema, VECTORS_OPTIONS, provenance) as writer:
        for table in chain([first], rows):
            write_lists(writer, table, ROW_GROUP_VECTORS)


def write_lists(writer: pq.ParquetWriter, vectors: pa.Table, group: int) -> None:
    """Rows of `vectors`, so many to a row group."""
    # DuckDB's list_inner_product refuses lists that were read together with a NULL or empty one, also when a
    # filter has dropped that: vectors without ranks have row groups of their own, after the others.
    for rows in (vectors.filter(vectors["ranks"].is_valid()), vectors.filter(vectors["ranks"].is_null())):
        if rows.num_rows:
            writer.write_table(rows, row_group_size=group)


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    """One for the whole process: opening one takes longer than packing a small model."""
    # One thread: a second makes nothing faster here, and sums are always added in one order.
    # Memory that a query is done with goes back at once: else DuckDB keeps 150 MB of it for the next one.
    connection = connect(config={"threads": 1, **dict.fromkeys(GIVEN_BACK, "4MiB")})
    known = {one.name: one.statement for one in definitions()}
    connection.execute("create schema files")
    for macro in MACROS:
        connection.execute(known[macro])
    _hold(connection, "files.vectors", _vectors(connection, []))
    _hold(connection, "models", MODELS.empty_table())
    _hold(connection, "files.sketches", _answer(connection, "widths"))
    connection.execute(known["lineage_norms"])
    _describe(connection)
    for name in ("lineage_models", "_detrended_ranks"):
        connection.execute(known[name])
    return connection


def _correlations(connection: duckdb.DuckDBPyConnection, norms: str) -> pa.Table:
    compared = _answer(connection, norms)
    _hold(connection, "compared", compared.drop_columns(["vector"]))
    _hold(connection, "products", norm_products(compared))
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
    """As a table of the connection, in place of one of that name."""
    connection.register("given", rows)
    connection.execute(f"create or replace table {name} as from given")
    connection.unregister("given")


def _answer(connection: duckdb.DuckDBPyConnection, query: str) -> pa.Table:
    return connection.sql(read_query(f"features/{query}")).to_arrow_table()
