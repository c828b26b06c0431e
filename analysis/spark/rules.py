"""What portable SQL may say: only what is known to mean the same on every engine. `just lint` asks this.

`python -m analysis.spark.rules` prints a line for each breach, with its file, and ends with 1.

sqlglot silently translates much else into something different: it drops the order in `list(x order by y)`,
makes `len(list)` the length of a text and `log(x)` another logarithm. So functions are allowed by name, once
tests have asked them of both engines; what an engine has to do in its own way is a kernel (sql/spark).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from sqlglot import exp

from analysis.spark.portable import kernels, portable
from warehouse.catalog.definitions import SQL
from warehouse.console.command import command
from warehouse.console.output import remark, show

SAME = {
    *("Abs", "And", "ArgMax", "ArrayContains", "ArraySize", "Avg", "Case", "Cast", "Coalesce", "ConcatWs"),
    *("Count", "CountIf", "EndsWith", "Exp", "Greatest", "If", "Least", "Max", "Min", "Nullif", "Or", "Pow"),
    *("RegexpExtract", "RegexpReplace", "Round", "RowNumber", "SHA", "Sqrt", "Sum", "Transform"),
}
TYPES = {"INT", "DOUBLE", "VARCHAR"}


@command()
def main(folder: Path = SQL) -> int:
    found = list(breaches(folder))
    if found:
        remark(*found)
        return 1
    show("portable SQL: every rule kept")
    return 0


def breaches(folder: Path = SQL) -> Iterator[str]:
    """`file: reason`, once each, of all that the questions to Spark mention."""
    known = portable(folder)
    for name in sorted(known.keys() - {path.stem for path in kernels(folder)}):
        kind = "views" if (folder / "views" / f"{name}.sql").exists() else "macros"
        for reason in dict.fromkeys(broken(known[name].body, known)):
            yield f"{folder.name}/{kind}/{name}.sql: not portable to Spark: {reason}"


def broken(body: exp.Expr, known: Collection[str]) -> Iterator[str]:
    """Why a view or macro is not portable; `known` are the portable macros and kernels."""
    for node in body.walk():
        match node:
            case exp.Anonymous():
                if node.name not in known:
                    yield f"{node.name}() is neither a kernel nor portable"
            case exp.Order():
                if not isinstance(node.parent, exp.Window):
                    yield "an order outside a window is lost, in an aggregate silently"
            case exp.Div():
                if not _is_never_zero(node.expression):
                    yield f"division by {node.expression.sql()}: engines differ at 0, nullif does not"
            case exp.IntDiv() | exp.Mod():
                yield "whole-number division differs by engine"
            case exp.Bracket() | exp.Slice():
                yield "lists are numbered from 0 or from 1, by engine"
            case exp.Literal():
                if node.is_number and re.search(r"^\d*\.\d*$", node.this):
                    yield f"{node.this} is a decimal: write {node.this}e0"
            case exp.Cast():
                if node.to.sql().upper() not in TYPES and not isinstance(node.this, exp.Null):
                    yield f"a cast to {node.to.sql()}"
            case exp.RegexpReplace():
                if "g" not in (node.args.get("modifiers") or exp.null()).name:
                    yield "regexp_replace without 'g' replaces once, or all, by engine"
            case exp.SetOperation():
                if node.args.get("by_name"):
                    yield "union by name"
            case exp.Star():
                if node.args.get("replace"):
                    yield "* replace (…)"
            case exp.ArrayAgg() | exp.Explode() | exp.Unnest():
                # on both, a list has one row per element, and NULL has none
                is_list = isinstance(node, exp.Explode) and isinstance(node.this, exp.Column | exp.Cast)
                if not (is_list or _is_distinct(node)):
                    yield f"{node.sql_name().lower()}() is not known to mean the same"
            case exp.Func():
                if type(node).__name__ not in SAME:
                    yield f"{node.sql_name().lower()}() is not known to mean the same"


def _is_distinct(node: exp.Expr) -> bool:
    """`list(distinct x)`, or the unnesting of such lists: the order of values that differ does not matter."""
    lists = list(node.find_all(exp.ArrayAgg))
    return bool(lists) and all(isinstance(one.this, exp.Distinct) for one in lists)


def _is_never_zero(node: exp.Expr) -> bool:
    match node:
        case exp.Paren():
            return _is_never_zero(node.this)
        case exp.Literal():
            return float(node.this) != 0
        case exp.Sqrt() | exp.Pow():
            return isinstance(node.this, exp.Literal)
        # 1 + something that is not negative
        case exp.Add():
            return isinstance(node.this, exp.Literal)
    return isinstance(node, exp.Nullif)


if __name__ == "__main__":
    sys.exit(main())
