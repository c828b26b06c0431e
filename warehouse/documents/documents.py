"""What the documents are and say: the files of `sql/documents/`; no word about a document stands elsewhere.

documents.csv    key, names, repository, commit and file of each, in the order of every listing
printed.csv      the figures they print (warehouse/documents/printed.py reads and checks them)
items.csv        their statements, one a row
measured.csv     what others measured on the released weights, a row for each figure in their files
headlines.toml   the argument in a dozen lines
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from warehouse.catalog.definitions import SQL
from warehouse.errors import FormatError
from warehouse.tables import TABLES

FOLDER = SQL / "documents"
ITEMS_CSV = FOLDER / "items.csv"
HEADLINES = FOLDER / "headlines.toml"

OWN_GROUP = "normhouse"
"""Of what no document says."""


@dataclass(frozen=True)
class Document:
    """One source; documents of the same group are versions of one text, or of one author."""

    key: str
    short: str
    name: str
    repository: str
    commit: str
    file: str
    group: str
    kind: str
    """`document`, or `measurement`: output that its authors made from the released weights."""


def documents() -> dict[str, Document]:
    """The documents of the argument by key, in the order of `documents.csv`."""
    return {key: source for key, source in sources().items() if source.kind == "document"}


@cache
def sources() -> dict[str, Document]:
    """Documents and published measurements: all that `printed` has figures of."""
    table = TABLES["documents"]
    return {row["key"]: Document(**row) for _, row in read_rows(table.path, tuple(table.columns))}


def group_of(keys: tuple[str, ...]) -> str:
    """The group of something said by these documents."""
    return documents()[keys[0]].group if keys else OWN_GROUP


def short_name(key: str) -> str:
    return sources()[key].short if key in sources() else key


def read_rows(path: Path, columns: tuple[str, ...]) -> list[tuple[int, dict[str, str]]]:
    """Line number and cells of each row of a CSV file that has just these columns, or FormatError."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = csv.reader(file, strict=True)
            header = tuple(next(lines, []))
            if header != columns:
                raise FormatError(f"{path.name} line 1: columns are {header}; write {','.join(columns)}")
            rows = []
            for cells in lines:
                if len(cells) != len(columns):
                    raise FormatError(
                        f"{path.name} line {lines.line_num}: {len(cells)} cells; "
                        f"write one for each of the {len(columns)} columns"
                    )
                rows.append((lines.line_num, dict(zip(columns, cells, strict=True))))
    except FileNotFoundError:
        raise FormatError(f"{path} does not exist; restore it") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"{path.name} is not plain UTF-8 CSV: {error}; repair or restore it") from error
    return rows
