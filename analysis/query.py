"""`just sql`: one query on a lake, its rows as a table, CSV, JSON or Parquet."""

from __future__ import annotations

import csv
import io
import sys
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import BinaryIO

import duckdb

from analysis.json_text import json_text
from analysis.lakes import announce
from analysis.readonly_sql import read_only_rows
from warehouse.catalog.catalog import open_catalog
from warehouse.console.exhausted import exhausted
from warehouse.console.interrupts import was_interrupted
from warehouse.console.output import cell, remark, show
from warehouse.errors import UsageError, plain
from warehouse.lake import existing_lake

TABLE_ROWS = 1000  # more than anybody reads on a screen; the other formats have all rows
UNLIMITED = 1_000_000


def run_query(query: str, format: str, lake_name: str | None, output: Path | None) -> int:
    """Writes the result to stdout or a file; a query that DuckDB refuses is its message and exit code 1."""
    if format == "parquet" and output is None and sys.stdout.isatty():
        raise UsageError("Parquet is not for a terminal: add `--output FILE`, or send stdout into a file")
    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake)
        try:
            relation = read_only_rows(connection, lake, query)
            if relation is None:
                raise UsageError('there is no query in that text: try `just sql "from models"`')
            with output.open("wb") if output else nullcontext(sys.stdout.buffer) as file:
                WRITERS[format](relation, file)
                file.flush()
        except duckdb.Error as error:
            if was_interrupted():
                raise KeyboardInterrupt from None
            # further lines are indented, so that no text in the message can pass for a line of ours
            remark(*(exhausted(error) or str(error).replace("\n", "\n  ")).split("\n"))
            return 1
        except OSError as error:
            if output is None:
                raise
            raise UsageError(f"cannot write {output} ({error.strerror}): choose another --output") from error
    return 0


def write_table(relation: duckdb.DuckDBPyRelation, file: BinaryIO) -> None:
    rows = relation.materialize()
    drawn = io.StringIO()
    with redirect_stdout(drawn):
        # On a terminal DuckDB leaves out columns that do not fit, and says so.
        width = None if file.isatty() else UNLIMITED
        rows.limit(TABLE_ROWS).show(max_rows=UNLIMITED, max_width=width)
    lines = drawn.getvalue().removesuffix("\n").split("\n")
    if file is sys.stdout.buffer:
        show(*lines)
    else:
        file.write("".join(f"{plain(line, len(line))}\n" for line in lines).encode())
    count = rows.shape[0]
    if count > TABLE_ROWS:
        remark(f"{count - TABLE_ROWS:,} more rows of {count:,}: csv, json and parquet give all")


def write_csv(relation: duckdb.DuckDBPyRelation, file: BinaryIO) -> None:
    """RFC 4180 with \\n; NULL is empty, lists and structs are JSON. Only on a terminal texts are escaped."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    try:
        writer = csv.writer(text, lineterminator="\n")
        is_terminal = file.isatty()
        writer.writerow([cell(name, is_terminal=is_terminal) for name in relation.columns])
        for batch in relation.to_arrow_reader():
            columns = [
                [cell(_flat(value), is_terminal=is_terminal) for value in column.to_pylist()]
                for column in batch.columns
            ]
            writer.writerows(zip(*columns, strict=True))
    finally:
        text.detach()  # or it would close stdout when it goes, also after Ctrl-C


def write_json(relation: duckdb.DuckDBPyRelation, file: BinaryIO) -> None:
    """An array of objects, one a line; what is not finite is null."""
    separator = b"[\n"
    for batch in relation.to_arrow_reader():
        for row in batch.to_pylist():
            file.write(separator + json_text(row).encode())
            separator = b",\n"
    file.write(b"[]\n" if separator == b"[\n" else b"\n]\n")


def write_parquet(relation: duckdb.DuckDBPyRelation, file: BinaryIO) -> None:
    import pyarrow.parquet as pq  # slow to import, and a table on the screen does without

    reader = relation.to_arrow_reader()
    with pq.ParquetWriter(file, reader.schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)


WRITERS = {"table": write_table, "csv": write_csv, "json": write_json, "parquet": write_parquet}


def _flat(value: object) -> object:
    return json_text(value) if isinstance(value, (list, dict)) else value
