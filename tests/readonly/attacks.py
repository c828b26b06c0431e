"""Queries that write, in many spellings, and queries that only look like them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import duckdb

# `{file}` is where it would write.
COPIES = (
    "copy (select 1 as a) to '{file}'",
    "copy (select 1 as a, 2 as b) to '{file}' (format csv, header)",
    "copy (select 1 as a) to '{file}' with (format json)",
    "copy (with x as (select 1 as a) from x) to '{file}' (format parquet)",
    "copy duckdb_types to '{file}' (format csv)",
    "copy (select 1 as a, 2 as b) to '{file}' (format parquet, partition_by (b), overwrite_or_ignore)",
)
# `{copy}` is one of these, `{quoted}` the same inside a string.
AROUND_A_COPY = (
    "{copy}",
    "with a as ({copy}) from a",
    "with a as materialized ({copy}) select 1",
    "with b as (select 1), a as not materialized ({copy}) select 1 union all select 2",
    "(with a as ({copy}) from a)",
    "with a as (select 1), c as ({copy}) (with b as (select 2) select 3)",
    "explain analyze {copy}",
    "explain (analyze) {copy}",
    "explain (analyze, format json) {copy}",
    "explain analyze (format json) {copy}",
    "explain analyze with a as ({copy}) from a",
    "explain (analyze, format json) with a as ({copy}) from a",
    "with a as ({copy}), p as (pivot (select 1 as x) on x) from a, p",
    "with a as ({copy}) pivot a on Count",
    "pivot (select 'b' as x) on x in (with a as ({copy}) from a)",
    "explain analyze with a as ({copy}), p as (pivot (select 1 as x) on x) from a, p",
    "select 1; {copy}",
    "set variable q = 1; with a as ({copy}) from a",
    "prepare x as {copy}; execute x",
    "from json_execute_serialized_sql(json_serialize_sql('with a as ({quoted}) from a'))",
    "pivot (from json_execute_serialized_sql(json_serialize_sql('with a as ({quoted}) from a'))) on Count",
    "from query('from json_execute_serialized_sql(json_serialize_sql(''with a as ({twice}) from a''))')",
    "from query('from json' || '_execute_serialized_sql(json_serialize_sql("
    "''with a as ({twice}) from a''))')",
    "set variable q = (from json_execute_serialized_sql(json_serialize_sql('with a as ({quoted}) from a')))",
)
OTHERS = (
    "attach '{file}' as e",
    "attach '{file}' as e; create table e.t as select 1",
    "export database '{file}'",
    "create table t as select 1",
    "create temp table t as select 1",
    "create or replace macro compare(one, other) as table select 1",
    "create persistent secret s (type http)",
    "insert into models select * from models",
    "with a as (insert into models select * from models) from a",
    "with a as (update models set model = 'x' returning *) from a",
    "with a as (delete from models returning *) from a",
    "with a as (truncate models) from a",
    "with a as (delete from models), p as (pivot (select 1 as x) on x) from a, p",
    "merge into models using models as m on models.model = m.model when matched then delete",
    "drop view models",
    "alter view models rename to others",
    "comment on view models is 'x'",
    "install httpfs",
    "update extensions",
    "update extensions (json)",
    "load '{file}'",
    "import database '{file}'",
    "checkpoint",
    "force checkpoint",
    "from checkpoint()",
    "vacuum",
    "use files",
    "begin",
    "call enable_logging(storage = 'file', storage_path = '{file}')",
    "from enable_logging(storage = 'file', storage_path = '{file}')",
    "from system.main.enable_logging(storage = 'file', storage_path = '{file}')",
    "select * from range(1), lateral (from \"enable_logging\"(storage = 'file', storage_path = '{file}'))",
    "pivot (from enable_logging(storage = 'file', storage_path = '{file}')) on Success",
    "from enable_profiling(save_location = '{file}')",
    "set profiling_output = '{file}'",
    "pragma profiling_output = '{file}'",
    "pragma enable_profiling = 'json'",
    "set temp_directory = '{file}'",
    "select write_log('x')",
)
READING = (
    "select 'copy (select 1) to ''x''' as said, $$with a as (copy (select 1) to 'x') from a$$ as other",
    'select "copy", "insert" from (select 1 as "copy", 2 as "insert")',
    "select 1 as copy",
    "from models where model = 'copy'",
    "from compare('base', 'copy')",
    "explain analyze from models where model = 'copy'",
    "explain (format json) select 'copy'",
    "pivot (from models where model <> 'copy') on model using count(*)",
    "with p as (pivot (select 'copy' as x) on x) from p",
    "set variable q = 'copy'; select getvariable('q')",
    "describe models",
    "summarize models",
    "show tables",
    "values ('copy (select 1)')",
    "from query('select ''copy (select 1)'' as said')",
)

COMMENTS = (" ", "\n", "\t", "  ", "\r\n", "\f", " /* copy */ ", "/**/", " -- copy\n", " /* it's */ ")
# Unless a quote in a comment precedes them, which makes DuckDB take them for letters.
UNICODE = (" ", "\n", "/**/", " /* copy */ ", "\u00a0", "\u3000", "\u2003 ", "\ufeff", "\u200b")


def writing(
    numbers: random.Random,
    files: Sequence[str],
    count: int,
    kinds: Sequence[str] = (*AROUND_A_COPY * 3, *OTHERS),
) -> Iterator[str]:
    """This many queries that would write one of these files; most of them use COPY."""
    for number in range(count):
        query = filled(kinds[number % len(kinds)], numbers.choice(COPIES), numbers.choice(files))
        yield respelled(numbers, query, numbers.choice((COMMENTS, UNICODE)))


def reading(numbers: random.Random, count: int) -> Iterator[str]:
    for number in range(count):
        yield respelled(numbers, READING[number % len(READING)], COMMENTS)


def filled(kind: str, copy: str, file: str) -> str:
    quoted = copy.replace("'", "''")
    parts = {"{copy}": copy, "{quoted}": quoted, "{twice}": quoted.replace("'", "''"), "{file}": file}
    for name, text in parts.items():
        kind = kind.replace(name, text)
    return kind


def respelled(numbers: random.Random, query: str, spaces: Sequence[str]) -> str:
    """The same query with other spaces and capitals, with comments, and some strings in dollars."""
    source = query.encode()
    tokens = duckdb.tokenize(query)
    ends = [at for at, _ in tokens[1:]] + [len(source)]
    written = numbers.choice(("", " ", "-- from\n", "/* select */"))
    for (at, kind), end in zip(tokens, ends, strict=True):
        token = source[at:end].decode()
        word = token.rstrip()
        if kind == duckdb.token_type.keyword:
            word = "".join(numbers.choice((one.lower(), one.upper())) for one in word)
        elif kind == duckdb.token_type.string_const and numbers.random() < 0.2 and word.startswith("'"):
            word = f"$a${word[1:-1].replace(2 * chr(39), chr(39))}$a$"
        written += word
        if token != word or (word == "(" and numbers.random() < 0.3):
            written += numbers.choice(spaces) if numbers.random() < 0.5 else " "
    return written
