"""Makes DuckDB's views and macros into Spark's: read from the same files, translated by sqlglot.

Portable are QUESTIONS and everything in `sql/macros` and `sql/views` that they mention. Functions that each
engine has to define in its own way, the kernels, are also in `sql/spark`, with the same names and parameters.
Spark is always asked about all models, so table macros are read with the defaults of their parameters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlglot import exp, parse_one
from sqlglot.errors import ErrorLevel, ParseError

from warehouse.catalog.definitions import SQL, definitions
from warehouse.errors import SparkError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

QUESTIONS = ("_caution", "_source_counts", "lineage_pairs")
"""What Spark is asked."""

FILES = "files_"
"""The views of a lake's tables begin with this."""

_MACRO = re.compile(r"create macro \w+\((.*?)\) as( table)?\s(.*)", re.DOTALL)


@dataclass(frozen=True)
class Portable:
    """A macro for an expression; or a view or table macro, whose parameters have been replaced."""

    parameters: tuple[str, ...]
    body: exp.Expr
    is_table: bool


def kernels(folder: Path = SQL) -> list[Path]:
    return sorted((folder / "spark").glob("*.sql"))


@cache
def portable(folder: Path = SQL) -> dict[str, Portable]:
    """By name: the questions and what they mention, directly or not; of the kernels, Spark's."""
    by_name = {one.name: one for one in definitions(folder)}
    found = {
        path.stem: _parsed(path.stem, path.read_text(encoding="utf-8"), "spark") for path in kernels(folder)
    }
    left = list(QUESTIONS)
    while left:
        if (name := left.pop()) not in found:
            found[name] = _parsed(name, by_name[name].sql, "duckdb")
            left += sorted(by_name.keys() & _mentioned(found[name].body))
    return found


def _mentioned(body: exp.Expr) -> set[str]:
    """The views and macros of a query; `files.vectors` is neither, nor are its own steps."""
    calls = {call.name for call in body.find_all(exp.Anonymous)}
    tables = {table.name for table in body.find_all(exp.Table) if not table.db}
    return (calls | tables) - {step.alias for step in body.find_all(exp.CTE)}


def _parsed(name: str, sql: str, dialect: str) -> Portable:
    text = re.sub("--.*", "", sql).strip()
    macro = _MACRO.fullmatch(text)
    listed, table, body = macro.groups() if macro else ("", "table", text)
    parameters = [one.partition(":=") for one in listed.split(",")] if listed else []
    try:
        # an expression can only be read as part of a query
        tree = parse_one(body if table else f"select {body}", read=dialect, error_level=ErrorLevel.RAISE)
    except ParseError as error:
        reason = error.errors[0]["description"] if error.errors else str(error).partition("\n")[0]
        raise SparkError(f"{name}.sql: sqlglot cannot read it for Spark ({reason})") from error
    if not table:
        return Portable(tuple(one.strip() for one, *_ in parameters), tree.expressions[0], is_table=False)
    defaults = {one.strip(): parse_one(default, read="duckdb") for one, _, default in parameters}
    return Portable((), _filled(tree, defaults), is_table=True)


def _filled(body: exp.Expr, values: Mapping[str, exp.Expr]) -> exp.Expr:
    """A copy of a body with its parameters replaced."""

    def fill(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column) or node.table or node.name not in values:
            return node
        value = values[node.name]
        return exp.paren(value) if isinstance(value, exp.Binary) else value.copy()

    return body.copy().transform(fill)


class Views:
    """The views that one Spark session has of one lake; each is created when it is first mentioned."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._known = portable()
        self._created: set[str] = set()
        self._has_folder = spark.sparkContext.getCheckpointDir() is not None

    def rows(self, name: str) -> DataFrame:
        """The rows of a view or table macro."""
        self._create(name)
        return self._spark.table(name)

    def _create(self, name: str) -> None:
        if name in self._created:
            return
        self._created.add(name)
        query = self._expanded(self._known[name].body.copy())
        mentions = Counter(table.name for table in query.find_all(exp.Table))
        steps: dict[str, str] = {}
        if with_ := query.args.get("with_"):
            for step in with_.expressions:
                rows = self._selected(step.this, steps)
                # Otherwise Spark would plan and compute the step for every mention.
                if step.args.get("materialized") or mentions[step.alias] > 1:
                    rows = self._kept(rows)
                steps[step.alias] = f"{name}__{step.alias}"
                rows.createOrReplaceTempView(steps[step.alias])
            with_.pop()
        self._selected(query, steps).createOrReplaceTempView(name)

    def _expanded(self, tree: exp.Expr) -> exp.Expr:
        """With macros for expressions written out."""

        def expand(node: exp.Expr) -> exp.Expr:
            one = self._known.get(node.name) if isinstance(node, exp.Anonymous) else None
            if one is None or one.is_table:
                return node
            values = dict(zip(one.parameters, node.expressions, strict=True))
            return exp.paren(self._expanded(_filled(one.body, values)), copy=False)

        return tree.transform(expand)

    def _selected(self, query: exp.Expr, steps: Mapping[str, str]) -> DataFrame:
        """The rows of a query, in which each table keeps the name by which the query calls it."""
        for table in list(query.find_all(exp.Table)):
            if table.db == "files":
                view = FILES + table.name
            elif (view := steps.get(table.name, "")) == "":
                view = table.this.name
                self._create(view)
            named = exp.to_table(view, alias=table.alias or table.this.name)
            named.set("joins", table.args.get("joins"))
            table.replace(named)
        return self._spark.sql(query.sql(dialect="spark", unsupported_level=ErrorLevel.RAISE))

    def _kept(self, rows: DataFrame) -> DataFrame:
        """Kept in the folder of checkpoints, or by executors, which may be lost together with the rows.

        Not by persist(), after which Spark still plans at every mention all that the rows were made from.
        """
        return rows.checkpoint() if self._has_folder else rows.localCheckpoint()
