"""Portable SQL on Spark: macros are expanded, every step becomes a view, sqlglot writes Spark's dialect.

A step that is mentioned more than once, or that DuckDB's files call materialized, is computed once and kept;
a table macro asked twice with the same arguments is one view. Without that, Spark would plan and compute a
step for every mention, mentions of mentions included, which takes longer than any answer may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from analysis.spark.portable import Portable, portable
from analysis.spark.scratch import Keep, with_executors

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Arguments = Mapping[str, exp.Expr]

FILES = "files_"
"""What the views over a lake's tables begin with."""


class Expansion:
    """The views made so far in one session, for one lake."""

    def __init__(self, spark: SparkSession, keep: Keep = with_executors) -> None:
        self._spark = spark
        self._keep = keep
        self._known = portable()
        self._views: dict[str, str] = {}

    def ask(self, name: str, **arguments: str | int | None) -> DataFrame:
        """The rows of a view or table macro."""
        given = {key: exp.convert(value) for key, value in arguments.items()}
        return self._spark.table(self._view(self._known[name], given))

    def _view(self, one: Portable, given: Arguments) -> str:
        """The name of the view that holds these rows, made if it is not there."""
        values = {name: given.get(name) or default for name, default in one.parameters.items()}
        filled = {name: value or exp.null() for name, value in values.items()}
        key = f"{one.name}({', '.join(value.sql() for value in filled.values())})"
        if key not in self._views:
            self._views[key] = self._made(one, filled)
        return self._views[key]

    def _made(self, one: Portable, values: Arguments) -> str:
        tree = self._expanded(_filled(one.body, values))
        prefix = f"v{len(self._views)}_{one.name}"
        # taken at once, so that views made on the way have other numbers
        self._views[prefix] = prefix
        steps: dict[str, str] = {}
        mentions = Counter(table.name for table in tree.find_all(exp.Table))
        if with_ := tree.args.get("with_"):
            for step in with_.expressions:
                name = f"{prefix}_{step.alias}"
                kept = bool(step.args.get("materialized")) or mentions[step.alias] > 1
                self._create(name, step.this, steps, kept=kept)
                steps[step.alias] = name
            with_.pop()
        self._create(prefix, tree, steps)
        return prefix

    def _create(self, name: str, query: exp.Expr, steps: Mapping[str, str], *, kept: bool = False) -> None:
        rows = self._rows(query, steps)
        (self._keep(rows) if kept else rows).createOrReplaceTempView(name)

    def _rows(self, query: exp.Expr, steps: Mapping[str, str]) -> DataFrame:
        resolved = self._resolved(query, steps)
        return self._spark.sql(resolved.sql(dialect="spark", unsupported_level=ErrorLevel.RAISE))

    def _resolved(self, query: exp.Expr, steps: Mapping[str, str]) -> exp.Expr:
        """With every table by the name of its view; each keeps the name by which the query calls it."""
        for table in list(query.find_all(exp.Table)):
            if isinstance(call := table.this, exp.Anonymous):
                called = table.alias or call.name
                view = self._view(self._known[call.name], self._arguments(call))
            else:
                called = table.alias or table.name
                view = self._stored(table) or steps.get(table.name) or self._view(self._known[table.name], {})
            named = exp.to_table(view, alias=called)
            named.set("joins", table.args.get("joins"))
            table.replace(named)
        return query

    def _stored(self, table: exp.Table) -> str:
        return FILES + table.name if table.db == "files" else ""

    def _arguments(self, call: exp.Anonymous) -> Arguments:
        parameters = self._known[call.name].parameters
        names = list(parameters)
        given: dict[str, exp.Expr] = {}
        for place, argument in enumerate(call.expressions):
            is_named = isinstance(argument, exp.PropertyEQ)
            name, value = (argument.name, argument.expression) if is_named else (names[place], argument)
            given[name] = _typed(value, parameters[name])
        return given

    def _expanded(self, tree: exp.Expr) -> exp.Expr:
        """With macros that stand for expressions written out."""

        def expand(node: exp.Expr) -> exp.Expr:
            one = self._known.get(node.name) if isinstance(node, exp.Anonymous) else None
            if one is None or one.is_table:
                return node
            values = dict(zip(one.parameters, node.expressions, strict=True))
            return exp.paren(self._expanded(_filled(one.body, values)), copy=False)

        return tree.transform(expand)


def _typed(value: exp.Expr, default: exp.Expr | None) -> exp.Expr:
    """A NULL of no type has that of the parameter's default: Spark asks for one."""
    if isinstance(value, exp.Null) and isinstance(default, exp.Cast):
        return exp.cast(value, default.to)
    return value


def _filled(body: exp.Expr, values: Arguments) -> exp.Expr:
    """A body with its parameters replaced."""

    def fill(node: exp.Expr) -> exp.Expr:
        is_name = isinstance(node.parent, exp.PropertyEQ) and node.arg_key == "this"
        if isinstance(node, exp.Column) and not node.table and node.name in values and not is_name:
            value = values[node.name]
            return exp.paren(value) if isinstance(value, exp.Binary) else value.copy()
        return node

    return body.copy().transform(fill)
