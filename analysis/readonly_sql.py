"""Runs a user's SQL on a lake so that it can only read, for `just sql` and `just explore`.

Three things are needed:

1. The caller opens the catalog read-only (`open_catalog`).
2. `lock_down` closes the connection to every file outside the lake and locks its settings.
3. `reading_statements` checks each statement before it runs, because no setting of DuckDB allows reading a
   folder but not writing there: `with a as (copy … to 'LAKE/file') from a` is a SELECT to DuckDB.

Statements are checked by DuckDB's own syntax tree, which comments, quotes and spaces cannot mislead. PIVOT
and SET VARIABLE have no such tree; their tokens are checked, more strictly.
"""

from __future__ import annotations

import json
import secrets
import string
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from warehouse.catalog.connections import connect, plain_pattern
from warehouse.catalog.definitions import Word, macro_names, words
from warehouse.errors import UsageError
from warehouse.lake import Lake

LONGEST = 100_000
"""Characters. DuckDB's parser is recursive: 400,000 characters of nested PIVOTs overflow the stack."""

SPILLED = "10GB"
"""How much a large query may spill to disk, into a folder of its own that DuckDB removes."""

READING_STATEMENTS = {"SELECT", "EXPLAIN", "MULTI", "SET"}  # MULTI is PIVOT
READING_NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
READING_WORDS = {
    *("select", "from", "with", "values", "table", "pivot", "pivot_wider", "unpivot", "describe", "desc"),
    *("show", "summarize", "("),
}
WRITING_WORDS = {"copy", "insert", "update", "delete", "truncate", "merge"}

# DuckDB's own table functions are refused unless they are here: `enable_logging` writes files, and
# `json_execute_serialized_sql` runs statements that were not checked.
READING_TABLE_FUNCTIONS = {
    *("range", "generate_series", "repeat", "repeat_row", "unnest", "json_each", "json_tree"),
    *("glob", "read_parquet", "read_csv", "read_csv_auto", "read_json", "read_json_auto", "read_ndjson"),
    *("read_ndjson_auto", "read_text", "read_blob", "sniff_csv", "query", "query_table"),
    *("icu_calendar_names", "pg_timezone_names", "test_all_types"),
}
READING_PREFIXES = ("duckdb_", "parquet_", "pragma_")

# Scalar functions that do more than compute a value, or that trust bytes without checking them.
REFUSED_SCALARS = {
    *("write_log", "nextval", "setval", "currval", "sleep_ms"),
    *("combine", "finalize", "to_aggregate_state", "json_serialize_plan"),
}
REFUSED_PREFIX = "__internal"
# Safe as operators. Called as functions, `"<"(1, {'a': 2})`, they read foreign memory or end the process.
COMPARISONS = {"=", "==", "!=", "<>", "<", "<=", ">", ">="}

# Runs a text as SQL, which must be a literal so that it can be checked.
RUNS_TEXT = "query"


def read_only_rows(
    connection: duckdb.DuckDBPyConnection, lake: Lake, query: str
) -> duckdb.DuckDBPyRelation | None:
    """The rows of the query's last statement; None if there is no statement. UsageError if one could write.

    `connection`, or what it is a cursor of, was opened by `open_catalog(lake)`.
    """
    lock_down(connection, lake)
    statements = reading_statements(connection, query)
    for statement in statements[:-1]:
        connection.execute(statement)
    return connection.sql(statements[-1]) if statements else None


def lock_down(connection: duckdb.DuckDBPyConnection, lake: Lake) -> None:
    """Close the database to all files but the lake's and lock its settings, for all its connections.

    This cannot be undone. Until the last connection is closed, no second `open_catalog` of this lake works in
    this process: DuckDB would return the same database, whose settings are locked.
    """
    [(locked,)] = connection.execute("select current_setting('lock_configuration')").fetchall()
    if locked:
        return
    [(root,)] = connection.execute("select root from files.catalog").fetchall()
    # the snapshot that the catalog's views read, and the lake's link for queries that name it
    folders = [Path(root), lake.path]
    settings = {
        # Python's variables must not be tables
        "python_enable_replacements": False,
        "allow_persistent_secrets": False,
        "temp_directory": _spill_folder(),
        "max_temp_directory_size": SPILLED,
        # the catalog's views name the files by patterns, and DuckDB asks for both
        "allowed_directories": [f"{text}/" for path in folders for text in (path, plain_pattern(path))],
        "enable_external_access": False,
        "lock_configuration": True,
    }
    for name, value in settings.items():
        connection.execute(f"set {name} = $value", {"value": value})


def _spill_folder() -> str:
    """DuckDB creates it when needed; without it, a query that exceeds the memory fails."""
    try:
        return f"{tempfile.gettempdir()}/normhouse-spilled-{secrets.token_hex(8)}"
    except FileNotFoundError:  # nowhere to write
        return ""


def reading_statements(connection: duckdb.DuckDBPyConnection, query: str) -> list[str]:
    """The query's statements, to be run one by one; UsageError if one does anything but read.

    Run these texts, not the query: within the query, a text might be parsed differently. For example, after a
    quote in a comment DuckDB takes Unicode spaces for letters.
    """
    if len(query) > LONGEST:
        raise UsageError(
            f"the query has {len(query):,} characters, and at most {LONGEST:,} are run: ask in parts"
        )
    if "\0" in query or any("\ud800" <= one <= "\udfff" for one in query):
        raise UsageError("the query is not plain UTF-8 text: remove what is no character")
    statements = connection.extract_statements(query)
    for statement in statements:
        for objection in _objections_to_statement(connection, statement):
            begin = " ".join(statement.query.split())[:40]
            raise UsageError(
                f"only queries that read are run, and {begin!r} is refused: {objection}; for rows in a file "
                "use `just sql` with --output FILE, for anything else `just shell`"
            )
    return [statement.query for statement in statements]


def _objections_to_statement(
    connection: duckdb.DuckDBPyConnection, statement: duckdb.Statement
) -> Iterator[str]:
    try:
        kind = statement.type.name
    except ValueError:  # a kind of statement that DuckDB's Python package has no name for
        kind = "this statement"
    if kind not in READING_STATEMENTS:
        yield f"{kind} is not allowed"
    else:
        yield from _objections(connection, statement.query)


def _objections(connection: duckdb.DuckDBPyConnection, text: str) -> Iterator[str]:
    """Why a statement is refused, if it does more than read."""
    tree = _tree(connection, text)
    if tree is None:
        yield from _objections_to_tokens(connection, text)
    else:
        yield from _objections_to_tree(connection, tree)


def _tree(connection: duckdb.DuckDBPyConnection, text: str) -> dict[str, Any] | None:
    """DuckDB's syntax tree of the SELECTs in a text; None if it holds anything else."""
    [(answer,)] = connection.execute("select json_serialize_sql($text)", {"text": text}).fetchall()
    try:
        tree: dict[str, Any] = json.loads(answer)
    except RecursionError:
        raise UsageError("the query is nested too deeply: use fewer brackets or subqueries") from None
    return None if tree["error"] else tree


def _nodes(tree: object) -> Iterator[dict[str, Any]]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


def _objections_to_tree(connection: duckdb.DuckDBPyConnection, tree: dict[str, Any]) -> Iterator[str]:
    for node in _nodes(tree):
        kind = node.get("type")
        if isinstance(kind, str) and kind.endswith("_NODE") and kind not in READING_NODES:
            yield f"{kind.split('_')[0]} writes"
        if kind == "TABLE_FUNCTION" and _is_refused_table(name := _name_of(node["function"])):
            yield f"{name}() is not a function for reading"
        if "function_name" in node:
            name = _name_of(node)
            is_operator = node.get("is_operator") and name not in COMPARISONS and "." not in name
            if _is_refused_scalar(name) or not (name.isidentifier() or is_operator):
                yield f"{name}() is not a function for reading"
            if name == RUNS_TEXT:
                yield from _objections_to_texts(connection, node["arguments"])


def _name_of(node: dict[str, Any]) -> str:
    return str(node.get("function_name", "")).lower()


def _objections_to_texts(
    connection: duckdb.DuckDBPyConnection, arguments: list[dict[str, Any]]
) -> Iterator[str]:
    for argument in arguments:
        literal = argument["expression"].get("literal") or {}
        if literal.get("kind") != "STRING":
            yield f"what {RUNS_TEXT}() runs must be written out as one text"
        elif (tree := _tree(connection, literal["text"])) is None:
            yield f"what {RUNS_TEXT}() runs must be a SELECT"
        else:
            yield from _objections_to_tree(connection, tree)


def _objections_to_tokens(connection: duckdb.DuckDBPyConnection, text: str) -> Iterator[str]:
    if not all(one.isprintable() or one in string.whitespace for one in text):
        # DuckDB's parser takes some of them for spaces, and `tokenize` for letters
        yield "EXPLAIN, PIVOT and SET VARIABLE take no invisible characters but plain spaces"
    found = words(text)
    if found[0].text == "explain":
        yield from _objections(connection, _explained(connection, text, found))
        return
    first = " ".join(word.text for word in found[:2]) if found[0].text == "set" else found[0].text
    if first not in READING_WORDS | {"set variable"}:
        yield f"{first.upper()} is not allowed"
    for word, following in zip(found, [*found[1:], None], strict=True):
        if word.kind == duckdb.token_type.keyword and word.text in WRITING_WORDS:
            yield f"{word.text.upper()} writes (a name goes in double quotes)"
        if word.text == ";" and following:
            yield "it is more than one statement"
        if following and following.text == "(":
            name = word.text
            is_strange = word.kind == duckdb.token_type.identifier and not name.isidentifier()
            is_refused = _is_refused_scalar(name) or _is_refused_table(name) or name == RUNS_TEXT
            if is_strange or is_refused or name == "operator":
                yield f"{name}() is not a function for PIVOT or SET VARIABLE"


def _explained(connection: duckdb.DuckDBPyConnection, text: str, found: list[Word]) -> str:
    """The statement after EXPLAIN, ANALYZE and options in brackets."""

    def since(word: Word) -> str:
        return text.encode()[word.at :].decode()

    found = found[2:] if found[1].text in ("analyze", "analyse") else found[1:]
    if found[0].text == "(" and _tree(connection, since(found[0])) is None:
        end = next(at for at, word in enumerate(found) if word.text == ")")
        # options have no brackets in them, and a query in brackets that could write has
        if found[end + 1 :] and all(word.text != "(" for word in found[1:end]):
            found = found[end + 1 :]
    return since(found[0])


def _is_refused_scalar(name: str) -> bool:
    return name in REFUSED_SCALARS or name.startswith(REFUSED_PREFIX)


def _is_refused_table(name: str) -> bool:
    if name in READING_TABLE_FUNCTIONS or name.startswith(READING_PREFIXES) or name in macro_names():
        return False
    return name in _table_functions()


@cache
def _table_functions() -> frozenset[str]:
    """DuckDB's own table functions; listing them takes 20 ms."""
    with connect() as connection:
        rows = connection.sql("select function_name from duckdb_functions() where function_type = 'table'")
        return frozenset(name for (name,) in rows.fetchall())
