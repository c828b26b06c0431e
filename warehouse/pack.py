"""Packs a model's long table into `vectors`: one row per vector, by the query in `sql/packing/vectors.sql`.

Runs after the rows of a model are staged and before they are published, so that `norms` and `vectors` of a
lake always belong together. Linear in size; large matrices are packed one at a time, so that memory does not
grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.connections import connect, plain_pattern
from warehouse.definitions import read_query
from warehouse.parquet import parquet_writer
from warehouse.schemas import NORMS

# A row group is DuckDB's unit of parallel reading, and lists make a row heavy: 16 vectors of 4096 are 1.3 MB.
ROW_GROUP_VECTORS = 16

# One query packs vectors up to this many values in all, or one longer vector; bounds the lists in memory.
BATCH_VALUES = 1 << 20

# Born as BF16 or F16, a vector has a few hundred distinct values, and so have its pattern and its ranks:
# dictionaries suit all three lists. Measured on 393,216 BF16-born values, all columns counted: 3.8 bytes a
# value, plain 4.4, BYTE_STREAM_SPLIT 4.6 (zstd 3 each).
VECTORS_OPTIONS = {
    "compression": "zstd",
    "compression_level": 3,
    "use_dictionary": True,
    "store_schema": False,
}

Key = tuple[str, int]
"""ln_type and layer, the order of the rows."""


def pack_vectors(norms_file: Path, out: Path, provenance: Mapping[str, str]) -> None:
    """The `vectors` of one model from its norms (or projections) file; same rows, same bytes."""
    # What does not fit into memory is spilled beside the result, into the folder of the staged change. One
    # thread: a second makes nothing faster here and holds 200 MB more for a matrix of 4 million values.
    with connect(config={"temp_directory": str(out.parent / ".spill"), "threads": 1}) as connection:
        connection.read_parquet(plain_pattern(norms_file), hive_partitioning=False).create_view("source")
        connection.execute(f"create view unpacked as {read_query('packing/batch')}")
        packed = (_packed(connection, *batch) for batch in _batches(connection))
        first = next(packed, None) or empty_vectors()
        with parquet_writer(out, first.schema, VECTORS_OPTIONS, provenance) as writer:
            for table in chain([first], packed):
                _write(writer, table)


def _write(writer: pq.ParquetWriter, table: pa.Table) -> None:
    # DuckDB's list_inner_product refuses lists that were read together with a NULL one, also when a filter
    # has dropped that: vectors with NaN or Inf have row groups of their own, after the others.
    pattern = table["pattern"]
    for rows in (table.filter(pattern.is_valid()), table.filter(pattern.is_null())):
        if rows.num_rows:
            writer.write_table(rows, row_group_size=ROW_GROUP_VECTORS)


def empty_vectors() -> pa.Table:
    """`vectors` without a row: the columns and types that the query gives."""
    with connect() as connection:
        connection.from_arrow(NORMS.empty_table()).create_view("unpacked")
        return connection.sql(read_query("packing/vectors")).to_arrow_table()


def _batches(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[Key, Key]]:
    """First and last vector of each batch; all batches cover `source`."""
    vectors = connection.sql(
        "select ln_type, layer, count(*) from source group by all order by ln_type, layer"
    ).fetchall()
    batch: list[Key] = []
    size = 0
    for ln_type, layer, values in vectors:
        if batch and size + values > BATCH_VALUES:
            yield batch[0], batch[-1]
            batch, size = [], 0
        batch.append((ln_type, layer))
        size += values
    if batch:
        yield batch[0], batch[-1]


def _packed(connection: duckdb.DuckDBPyConnection, first: Key, last: Key) -> pa.Table:
    for end, (ln_type, layer) in (("first", first), ("last", last)):
        connection.execute(f"set variable {end}_type = ?", [ln_type])
        connection.execute(f"set variable {end}_layer = ?", [layer])
    return connection.sql(read_query("packing/vectors")).to_arrow_table()
