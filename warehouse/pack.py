"""Packs a model's long table into what questions read: `vectors`, `correlations` and `sketches`.

    vectors        one row per vector: statistics, and lists of weights and ranks
    correlations   one row per model and part: how its own norms resemble each other
    sketches       one row per model: width, depth, and the bits that a search compares first

The queries are those of `sql/packing`; numpy sorts (warehouse/sorting.py). Runs after the rows of a model are
staged and before they are published, so that the tables of a lake always belong together. Linear in size; large
matrices are packed one at a time, so that memory does not grow with their number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.connections import connect
from warehouse.definitions import definitions, read_query
from warehouse.parquet import model_rows, parquet_writer, write_table
from warehouse.schemas import MODELS, Floats, ModelRow
from warehouse.sorting import MOST_RANKED, average_ranks

# A row group is DuckDB's unit of parallel reading, and lists make a row heavy: 16 vectors of 4096 are 0.2 MB.
ROW_GROUP_VECTORS = 16

# One query packs vectors up to this many values in all, or one longer vector; bounds the lists in memory.
BATCH_VALUES = 1 << 20

# Born as BF16 or F16, a vector has a few hundred distinct ranks: dictionaries suit them, and BYTE_STREAM_SPLIT the
# weights. Measured on 65 x 4096 such values, bytes a value (zstd 3; level 9 saves a hundredth and takes twice as
# long): ranks with a dictionary 1.5, else 1.7 to 1.8; weights 1.0, with a dictionary 1.2, plain 1.3.
VECTORS_OPTIONS = {
    "compression": "zstd",
    "compression_level": 3,
    "use_dictionary": ["model", "ln_type", "ranks.list.element"],
    "column_encoding": {"weights.list.element": "BYTE_STREAM_SPLIT"},
    "store_schema": False,
}

PER_MODEL = ("vectors", "correlations", "sketches")


@dataclass(frozen=True)
class Unpacked:
    """One vector of the long table."""

    model: str
    layer: int
    ln_type: str
    values: Floats


@dataclass(frozen=True)
class Packed:
    """The rows of one or more models, by table."""

    vectors: pa.Table
    correlations: pa.Table
    sketches: pa.Table


def pack_model(
    norms_file: Path, row: ModelRow, place: Callable[[str], Path], provenance: Mapping[str, str]
) -> None:
    """Every packed table of one model from its norms; `place` says where each goes. Same rows, same bytes."""
    packed = pack(list(chain.from_iterable(unpacked(norms_file))), [row])
    write_vectors(place("vectors"), [packed.vectors], provenance)
    write_table(place("correlations"), packed.correlations, provenance)
    write_table(place("sketches"), packed.sketches, provenance)


def pack_matrices(projections_file: Path, out: Path, provenance: Mapping[str, str]) -> None:
    """The `projection_vectors` of one model from its projections."""
    write_vectors(out, (_vectors(_connection(), batch) for batch in unpacked(projections_file)), provenance)


def pack(vectors: Sequence[Unpacked], models: Sequence[ModelRow]) -> Packed:
    """All packed rows of some models, whose vectors stand together."""
    connection = _connection()
    packed = _vectors(connection, vectors)
    _hold(connection, "files.vectors", packed.drop_columns("weights"))
    _hold(connection, "models", model_rows(models))
    _hold(connection, "digests", _digests(vectors))
    _hold(connection, "correlations", correlations := _answer(connection, "correlations"))
    _hold(connection, "places", _answer(connection, "places"))
    return Packed(packed, correlations, _answer(connection, "sketches"))


def empty_packed(table: str) -> pa.Table:
    """A packed table without a row: the columns and types that the query gives."""
    packed: pa.Table = getattr(pack([], []), table)
    return packed


def write_vectors(out: Path, tables: Iterable[pa.Table], provenance: Mapping[str, str]) -> None:
    rows = iter(tables)
    first = next(rows, None)
    if first is None:
        first = empty_packed("vectors")
    with parquet_writer(out, first.schema, VECTORS_OPTIONS, provenance) as writer:
        for table in chain([first], rows):
            _write(writer, table)


def _write(writer: pq.ParquetWriter, table: pa.Table) -> None:
    # DuckDB's list_inner_product refuses lists that were read together with a NULL one, also when a filter
    # has dropped that: vectors with NaN or Inf have row groups of their own, after the others.
    ranks = table["ranks"]
    for rows in (table.filter(ranks.is_valid()), table.filter(ranks.is_null())):
        if rows.num_rows:
            writer.write_table(rows, row_group_size=ROW_GROUP_VECTORS)


def unpacked(file: Path) -> Iterator[list[Unpacked]]:
    """The vectors of a norms or projections file, in batches of about BATCH_VALUES."""
    source = pq.ParquetFile(file)
    rest: pa.Table | None = None
    for group in range(source.num_row_groups):
        rows = source.read_row_group(group)
        rest = rows if rest is None else pa.concat_tables([rest, rows])
        if rest.num_rows < BATCH_VALUES and group < source.num_row_groups - 1:
            continue
        begins = np.flatnonzero(rest["dim"].to_numpy() == 0)
        # the last vector may go on in the next row group
        if group < source.num_row_groups - 1:
            if len(begins) > 1:
                yield _split(rest.slice(0, begins[-1]), begins[:-1])
                rest = rest.slice(begins[-1])
        elif rest.num_rows:
            yield _split(rest, begins)


def _split(rows: pa.Table, begins: np.ndarray) -> list[Unpacked]:
    values = rows["value"].to_numpy()
    ends = [*begins[1:], rows.num_rows]
    firsts = rows.select(["model", "layer", "ln_type"]).take(pa.array(begins)).to_pylist()
    return [
        Unpacked(**first, values=values[begin:end])
        for first, begin, end in zip(firsts, begins, ends, strict=True)
    ]


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    """One for the whole process: opening one takes longer than packing a small model."""
    # One thread: a second makes nothing faster here, and sums are always added in one order.
    connection = connect(config={"threads": 1})
    known = {one.name: one.statement for one in definitions()}
    connection.execute("create schema files")
    for kernel in ("inner_product", "sorted_quantile"):
        connection.execute(known[kernel])
    _hold(connection, "files.vectors", _vectors(connection, []).drop_columns("weights"))
    _hold(connection, "models", MODELS.empty_table())
    for needed in ("lineage_thresholds", "lineage_norms"):
        connection.execute(known[needed])
    return connection


def _vectors(connection: duckdb.DuckDBPyConnection, vectors: Sequence[Unpacked]) -> pa.Table:
    listed = _listed(vectors)
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
    return connection.sql(read_query(f"packing/{query}")).to_arrow_table()


def _listed(vectors: Sequence[Unpacked]) -> pa.Table:
    """The rows that `packing/statistics` reads, and the lists that are stored beside what it finds."""
    finite = _stacks(vectors, lambda values: bool(np.isfinite(values).all()))
    ranked = [(which, rows) for which, rows in finite if rows.shape[1] <= MOST_RANKED]

    def lists(work: Callable[[Floats], Floats], stacks: Sequence[Stack]) -> pa.ListArray:
        return _lists(_row_by_row(work, stacks, len(vectors)))

    return pa.table(
        {
            "model": pa.array([vector.model for vector in vectors], pa.string()),
            "layer": pa.array([vector.layer for vector in vectors], pa.int16()),
            "ln_type": pa.array([vector.ln_type for vector in vectors], pa.string()),
            "weights": _lists([vector.values for vector in vectors]),
            "ascending": lists(lambda rows: np.sort(rows, axis=1), finite),
            "ascending_abs": lists(lambda rows: np.sort(abs(rows), axis=1), finite),
            "ranks": lists(average_ranks, ranked),
        }
    )


Stack = tuple[list[int], Floats]
"""Vectors of one width, as the rows of a matrix, and which they are."""


def _stacks(vectors: Sequence[Unpacked], is_chosen: Callable[[Floats], bool]) -> list[Stack]:
    by_width: dict[int, list[int]] = {}
    for index, vector in enumerate(vectors):
        if is_chosen(vector.values):
            by_width.setdefault(len(vector.values), []).append(index)
    return [(which, np.stack([vectors[index].values for index in which])) for which in by_width.values()]


def _row_by_row(work: Callable[[Floats], Floats], stacks: Sequence[Stack], count: int) -> list[Floats | None]:
    done: list[Floats | None] = [None] * count
    for which, rows in stacks:
        for index, row in zip(which, work(rows), strict=True):
            done[index] = row
    return done


def _lists(rows: Sequence[Floats | None]) -> pa.ListArray:
    present = [row for row in rows if row is not None]
    lengths = [0 if row is None else len(row) for row in rows]
    return pa.ListArray.from_arrays(
        pa.array(np.cumsum([0, *lengths]), pa.int32()),
        pa.array(np.concatenate(present) if present else [], pa.float32()),
        mask=pa.array([row is None for row in rows], pa.bool_()),
    )


def _digests(vectors: Sequence[Unpacked]) -> pa.Table:
    """One row per model: a checksum of its norm values, whatever dtype or format they came in."""
    digests: dict[str, Any] = {}
    for vector in vectors:
        digest = digests.setdefault(vector.model, hashlib.sha256())
        digest.update(f"{vector.ln_type}\t{vector.layer}\t{len(vector.values)}\n".encode())
        digest.update(np.ascontiguousarray(vector.values, "<f4"))
    found = [digest.hexdigest()[:32] for digest in digests.values()]
    return pa.table({"model": pa.array(digests, pa.string()), "digest": pa.array(found, pa.string())})
