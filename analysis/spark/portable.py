"""The definitions that run on more than one engine, read from the files that DuckDB's catalog is made of.

Portable are the questions below and what they mention in `sql/macros` and `sql/views`. What each engine has
to define in its own way, the kernels, stands once more in `sql/spark`: the same names, the same parameters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlglot import exp, parse_one
from sqlglot.errors import ErrorLevel, ParseError

from warehouse.catalog.definitions import SQL, definitions
from warehouse.errors import SparkError

# Questions that are asked of Spark; they and all that they mention are portable.
QUESTIONS = ("_caution", "_source_counts", "lineage_pairs")

_MACRO = re.compile(r"create macro (\w+)\((.*?)\) as( table)?\s(.*)", re.DOTALL)


@dataclass(frozen=True)
class Portable:
    """A view, a table macro or a macro that stands for an expression."""

    name: str
    parameters: dict[str, exp.Expr | None]
    body: exp.Expr
    is_table: bool


def kernels(folder: Path = SQL) -> list[Path]:
    return sorted((folder / "spark").glob("*.sql"))


@cache
def portable(folder: Path = SQL) -> dict[str, Portable]:
    """By name: what the questions mention, directly or not; of the kernels, Spark's."""
    by_name = {one.name: one for one in definitions(folder)}
    found = {
        path.stem: _parsed(path.read_text(encoding="utf-8"), "spark", path.stem) for path in kernels(folder)
    }
    left = list(QUESTIONS)
    while left:
        if (name := left.pop()) not in found:
            found[name] = _parsed(by_name[name].sql, "duckdb", name)
            left += sorted(by_name.keys() & _mentioned(found[name].body))
    return found


def _mentioned(body: exp.Expr) -> set[str]:
    """The views and macros of a query; `files.vectors` is neither, nor are its own steps."""
    calls = {call.name for call in body.find_all(exp.Anonymous)}
    tables = {table.name for table in body.find_all(exp.Table) if not table.db}
    return (calls | tables) - {step.alias for step in body.find_all(exp.CTE)}


def _parsed(sql: str, dialect: str, name: str) -> Portable:
    text = re.sub("--.*", "", sql).strip()
    macro = _MACRO.fullmatch(text)
    _, parameters, table, body = macro.groups() if macro else (name, "", "table", text)
    try:
        # an expression has to stand in a query to be read
        tree = parse_one(body if table else f"select {body}", read=dialect, error_level=ErrorLevel.RAISE)
    except ParseError as error:
        reason = error.errors[0]["description"] if error.errors else str(error).partition("\n")[0]
        raise SparkError(f"{name}.sql: sqlglot cannot read it for Spark ({reason})") from error
    return Portable(
        name, _parameters(parameters), tree if table else tree.expressions[0], is_table=bool(table)
    )


def _parameters(text: str) -> dict[str, exp.Expr | None]:
    """Names, with what they are when nothing is given."""
    found: dict[str, exp.Expr | None] = {}
    for one in text.split(",") if text else ():
        name, _, default = (part.strip() for part in one.partition(":="))
        found[name] = parse_one(default, read="duckdb") if default else None
    return found
