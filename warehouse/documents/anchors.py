"""The anchors: strings that most tokenizers have as one token, by which embeddings are compared.

`sql/slices/anchors.csv` is of our own making: letters, digits, punctuation, common words of several languages
with and without a leading space, code. The order is the order of reading, what most tokenizers share first:
each model gives the first of them that it has, and so two models have most of theirs in common.
"""

from __future__ import annotations

from functools import cache

from warehouse.documents.documents import read_rows
from warehouse.tables import TABLES


@cache
def anchors() -> tuple[str, ...]:
    """All of them, in the shipped order; a leading space is part of the string."""
    table = TABLES["anchors"]
    return tuple(row["anchor"] for _, row in read_rows(table.path, tuple(table.columns)))
