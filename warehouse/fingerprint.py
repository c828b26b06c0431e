"""The fingerprint of a lake: what the view `lake` computes in SQL, for those that have no catalog open.

Slices do not count: no claim reads them, and `just lineage` says of each pair which layers it read. Of a file
some columns are read: a second for a hundred thousand models in parts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from warehouse.parquet import read_parquet

if TYPE_CHECKING:
    from pathlib import Path

    from warehouse.lake import Lake

OF_A_MODEL = ("model", "repo", "commit", "source")
OF_A_TENSOR = ("layer", "ln_type", "dtype", "sha256")


def fingerprint(lake: Lake) -> str:
    lines: dict[str, list[str]] = {}
    for holder in lake.holders():
        found = {model: [line] for model, line in _lines(lake.file("models", holder), OF_A_MODEL)}
        for model, line in _lines(lake.file("tensors", holder), OF_A_TENSOR):
            found[model].append(line)
        lines = found | lines
    text = "".join(line for _, of_model in sorted(lines.items()) for line in of_model)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _lines(file: Path, columns: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Of each row the model and, in one line, these columns."""
    rows = read_parquet(file)
    values = zip(*(rows[name].to_pylist() for name in columns), strict=True)
    texts = ("\t".join(map(str, row)) + "\n" for row in values)
    return zip(rows["model"].to_pylist(), texts, strict=True)
