"""`just sql` writes the rows of one query; `just shell` opens the DuckDB command line on a lake."""

from __future__ import annotations

import csv
import io
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import BinaryIO

import duckdb

from analysis.lakes import announce, description
from analysis.readonly_sql import read_only_rows
from analysis.rows import json_text
from warehouse.catalog.catalog import ensure_catalog, open_catalog
from warehouse.console.exhausted import exhausted
from warehouse.console.interrupts import was_interrupted
from warehouse.console.output import cell, counted, remark, show
from warehouse.errors import UsageError, plain
from warehouse.lake import existing_lake

TABLE_ROWS = 1000  # of a table; the other formats have all rows
UNLIMITED = 1_000_000

# Replaces ~/.duckdbrc, so that the shell is the same for everybody.
NO_DOWNLOADS = "set autoinstall_known_extensions = false; set autoload_known_extensions = false"
STARTUP = ("-no-init", "-cmd", ".maxrows 60", "-cmd", ".nullvalue NULL", "-cmd", NO_DOWNLOADS)

QUESTIONS = """\
How alike are two models, layer by layer?
    select layer, ln_type, cosine, offset_share, pearson, permutation_z from compare('{a}', '{b}');
And their layers, all against all?
    select ln_type, matched_layers, cosine_mean, pearson_mean, pearson_contrast from summary('{a}', '{b}');
Which models are nearest to one?
    select rank, model, z_eff, pearson_mean, cosine_mean, verdict[:40] as verdict from nearest('{a}');
How far do a model's own layers differ?
    select layer_a, layer_b, ln_type, cosine, pearson, rel_l2 from within('{a}', [10, 20, 30]);
What is there to ask?
    select ask, answer[:75] as answer from macros_and_views;
"""


def run_query(query: str, format: str, lake_name: str | None, output: Path | None) -> int:
    """Write the rows to stdout or a file; 1 with DuckDB's message if DuckDB refuses the query."""
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
                count = WRITERS[format](relation, file)
                file.flush()
            if output:
                remark(f"wrote {counted(count, 'row')} to {output}")
        except duckdb.Error as error:
            if was_interrupted():
                raise KeyboardInterrupt from None
            # indented, so that no text quoted in the message looks like a line of ours
            remark(*(exhausted(error) or str(error).replace("\n", "\n  ")).split("\n"))
            return 1
        except OSError as error:
            if output is None:
                raise
            raise UsageError(f"cannot write {output} ({error.strerror}): choose another --output") from error
    return 0


def write_table(relation: duckdb.DuckDBPyRelation, file: BinaryIO) -> int:
    """At most TABLE_ROWS rows; like the other writers, returns how many it wrote."""
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
    return int(min(count, TABLE_ROWS))


def write_csv(relation: duckdb.DuckDBPyRelation, file: BinaryIO) -> int:
    """RFC 4180 with \\n; NULL is empty, lists and structs are JSON. Texts are escaped only on a terminal."""
    count = 0
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
            count += len(batch)
    finally:
        text.detach()  # else it would close stdout when it is deleted, also after Ctrl-C
    return count


def write_json(relation: duckdb.DuckDBPyRelation, file: BinaryIO) -> int:
    """An array of objects, one per line; NaN and infinities are null."""
    count = 0
    for batch in relation.to_arrow_reader():
        for row in batch.to_pylist():
            file.write((b",\n" if count else b"[\n") + json_text(row).encode())
            count += 1
    file.write(b"\n]\n" if count else b"[]\n")
    return count


def write_parquet(relation: duckdb.DuckDBPyRelation, file: BinaryIO) -> int:
    import pyarrow.parquet as pq  # slow to import, and a table on the screen does without

    count = 0
    reader = relation.to_arrow_reader()
    with pq.ParquetWriter(file, reader.schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)
            count += len(batch)
    return count


WRITERS = {"table": write_table, "csv": write_csv, "json": write_json, "parquet": write_parquet}


def _flat(value: object) -> object:
    return json_text(value) if isinstance(value, (list, dict)) else value


def open_shell(lake_name: str | None, arguments: Sequence[str]) -> int:
    """Print a greeting on a terminal, then become the `duckdb` process with these arguments."""
    lake = existing_lake(lake_name)
    program = duckdb_program()
    catalog = ensure_catalog(lake)
    with open_catalog(lake) as connection:
        lines = description(connection, lake)
        models = [model for (model,) in connection.sql("select model from models order by model").fetchall()]
    if sys.stdin.isatty() and not arguments:
        lines += greeting(models)
    remark(*lines)
    command = [program, "-readonly", *STARTUP, *arguments, str(catalog)]
    os.execv(program, command)


def greeting(models: Sequence[str]) -> list[str]:
    """The models by name and five questions that work on them."""
    first, second = (*models, "solar", "glm")[:2] if len(models) != 1 else (models[0], models[0])
    named = f"models: {', '.join(models[:20])}{', …' if len(models) > 20 else ''}"
    a, b = (name.replace("'", "''") for name in (first, second))
    return [plain(named), "", *(line.format(a=a, b=b) for line in QUESTIONS.splitlines()), ""]


def duckdb_program() -> str:
    """The `duckdb` of this environment, else the one on the path."""
    beside = Path(sys.executable).with_name("duckdb")
    program = str(beside) if beside.exists() else shutil.which("duckdb")
    if program is None:
        raise UsageError("the duckdb command line is not installed: `uv sync` brings it")
    return program
