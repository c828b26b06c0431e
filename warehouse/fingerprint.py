"""The fingerprint of a lake: what the view `lake` computes in SQL, for those that have no catalog open.

A model's row of `models` has the digest of its norms and of its projections; of a model that an earlier
version wrote, which has none, the checksums of its tensors stand for them. Slices do not count: no claim
reads them, and `just lineage` says of each pair which layers it read.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from warehouse.parquet import read_parquet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from warehouse.lake import Lake

OF_A_MODEL = ("model", "repo", "commit", "source", "norms_digest", "projections_digest")
OF_A_TENSOR = ("layer", "ln_type", "dtype", "sha256")


def fingerprint(lake: Lake) -> str:
    lines: dict[str, str] = {}
    for holder in lake.holders():
        rows = read_parquet(lake.file("models", holder), OF_A_MODEL).to_pylist()
        found = {row["model"]: _line(row.get(name) for name in OF_A_MODEL) for row in rows}
        undigested = {row["model"] for row in rows if row.get("norms_digest") is None}
        if undigested:
            for model, line in _tensor_lines(lake, holder, undigested):
                found[model] += line
        lines = found | lines
    text = "".join(line for _, line in sorted(lines.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _tensor_lines(lake: Lake, holder: str, models: Collection[str]) -> list[tuple[str, str]]:
    rows = read_parquet(lake.file("tensors", holder), ("model", *OF_A_TENSOR)).to_pylist()
    return [
        (row["model"], _line(row[name] for name in OF_A_TENSOR)) for row in rows if row["model"] in models
    ]


def _line(values: Iterable[object]) -> str:
    return "\t".join(str(value) for value in values if value is not None) + "\n"
