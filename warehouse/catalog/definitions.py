"""Reads the views and macros of `sql/` with their descriptions.

A view's file is a query below a header of comments: the grain, the question that it answers, and optional
`-- column: text` lines. Other columns are described by the macro that defines them or by `sql/columns.txt`.
A macro's file is a `create macro` statement below its description.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

from warehouse import tables
from warehouse.errors import FormatError

if TYPE_CHECKING:  # every command imports this module, and those that ask no question do without DuckDB
    import duckdb

SQL = tables.SQL

_COLUMN = re.compile(r"(\w+): (.+)")
_MACRO = re.compile(r"create macro \w+\(.*?\) as (table\b)?", re.DOTALL)


@dataclass(frozen=True)
class Definition:
    """One view or macro."""

    name: str
    sql: str
    description: str
    columns: dict[str, str] = field(default_factory=dict)
    kind: str = "view"

    @cached_property
    def statement(self) -> str:
        """Creates it. FormatError if the file holds anything else, which would also be executed."""
        import duckdb

        kind, after = ("view", "as") if self.kind == "view" else ("macro", "(")
        text = f"create view {self.name} as {self.sql}" if kind == "view" else self.sql
        try:
            statements = duckdb.extract_statements(text)
        except duckdb.Error as error:
            raise FormatError(f"sql/{kind}s/{self.name}.sql: {error}; correct or restore it") from error
        begin = [word.text for word in words(statements[0].query)[:4]] if statements else []
        if len(statements) != 1 or begin != ["create", kind, self.name.lower(), after]:
            wanted = "one query" if kind == "view" else f"`create macro {self.name}(…)`"
            raise FormatError(
                f"sql/{kind}s/{self.name}.sql must hold {wanted} and nothing else: correct or restore it"
            )
        return text

    @cached_property
    def words(self) -> set[str]:
        return set(re.findall(r"\w+", re.sub("--.*", "", self.sql)))


def read_query(name: str) -> str:
    """The text of `sql/<name>.sql`, for queries that are run by name: `calibration/known_pairs`."""
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")


def definitions(folder: Path = SQL) -> list[Definition]:
    """All views and macros, each after those that it uses."""
    found = [_view(path) for path in sorted((folder / "views").glob("*.sql"))]
    found += [_macro(path) for path in sorted((folder / "macros").glob("*.sql"))]
    by_name = {definition.name: definition for definition in found}
    graph = {name: (by_name.keys() & one.words) - {name} for name, one in by_name.items()}
    return [by_name[name] for name in TopologicalSorter(graph).static_order()]


@cache
def macro_names() -> frozenset[str]:
    return frozenset(path.stem for path in (SQL / "macros").glob("*.sql"))


def column_descriptions(folder: Path = SQL) -> dict[str, str]:
    """Descriptions of columns by name, from `columns.txt` and the macros of metrics."""
    known = _columns((folder / "columns.txt").read_text(encoding="utf-8").splitlines())
    for path in sorted((folder / "macros").glob("*.sql")):
        known |= _macro(path).columns
    return known


def _view(path: Path) -> Definition:
    sql = path.read_text(encoding="utf-8")
    header = _header(sql)
    prose = [line for line in header if line and not _COLUMN.fullmatch(line)]
    return Definition(path.stem, sql, "; ".join(prose), _columns(header))


def _macro(path: Path) -> Definition:
    sql = path.read_text(encoding="utf-8")
    match = _MACRO.search(sql)
    kind = "macro table" if match and match[1] else "macro"
    header = _header(sql)
    columns = {name: text for name, text in _columns(header).items() if name != "example"}
    return Definition(path.stem, sql, "\n".join(header), columns, kind)


def _columns(lines: Iterable[str]) -> dict[str, str]:
    return {match[1]: match[2] for line in lines if (match := _COLUMN.fullmatch(line))}


def _header(sql: str) -> list[str]:
    """The comment lines that a file begins with, without their dashes."""
    lines = []
    for line in sql.splitlines():
        if not line.startswith("--"):
            break
        lines.append(line.removeprefix("--").strip())
    return lines


@dataclass(frozen=True)
class Word:
    """A token that is not a comment: in lower case and, if it is a quoted name, without its quotes."""

    text: str
    kind: duckdb.token_type
    at: int
    """Byte of the text at which it begins."""


def words(text: str) -> list[Word]:
    import duckdb

    source = text.encode()
    tokens = duckdb.tokenize(text)
    ends = [at for at, _ in tokens[1:]] + [len(source)]
    found = []
    for (at, kind), end in zip(tokens, ends, strict=True):
        word = source[at:end].decode().strip().lower()
        if kind != duckdb.token_type.comment:
            if word.startswith('"'):
                word = word[1:-1].replace('""', '"')
            found.append(Word(word, kind, at))
    return found
