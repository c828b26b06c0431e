"""The inventory: every statement of the documents, with its words and what could decide it.

`sql/documents/items.csv` has one row per item:

    item        its id, which begins with the group of its document
    group       whose statement it is
    evidence    weights, toy, printed or analytic, as the claim that judges it; or `definition`: it follows
                from the definitions and cannot fail, so it is shown and not counted as evidence
    statement   what is said, in our words, hedges included; what a reader sees beside the verdict
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from warehouse.documents import ITEMS_CSV, read_rows
from warehouse.errors import FormatError

DEFINITION = "definition"
EVIDENCES = ("weights", "toy", "printed", "analytic", DEFINITION)


@dataclass(frozen=True)
class Item:
    """One statement of one document."""

    item: str
    group: str
    evidence: str
    statement: str


def read_items(path: Path = ITEMS_CSV) -> Mapping[str, Item]:
    """By id, in the file's order. FormatError names the line at fault."""
    found: dict[str, Item] = {}
    for line, row in read_rows(path, tuple(field.name for field in fields(Item))):
        where = f"{path.name} line {line}"
        if empty := [name for name, text in row.items() if not text]:
            raise FormatError(f"{where}: {' and '.join(empty)} is empty; fill it in")
        if row["evidence"] not in EVIDENCES:
            raise FormatError(
                f"{where}: unknown evidence {row['evidence']!r}; use one of {', '.join(EVIDENCES)}"
            )
        if row["item"] in found:
            raise FormatError(f"{where}: item {row['item']} stands twice; keep one")
        found[row["item"]] = Item(**row)
    return found
