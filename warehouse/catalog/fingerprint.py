"""The fingerprint of a lake: what the view `lake` says, and the same for a lake that has no catalog yet.

A model's row of `models` has the digest of its norms and of its projections; of a model that an earlier
version wrote, which has none, the checksums of its tensors stand for them. Slices do not count: no claim
reads them, and `just lineage` says of each pair which layers it read.
"""

from __future__ import annotations

import hashlib
from functools import reduce
from operator import xor
from typing import TYPE_CHECKING

from warehouse.storage.parquet import read_parquet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from warehouse.lake import Lake

OF_A_MODEL = ("model", "repo", "commit", "source", "norms_digest", "projections_digest")
OF_A_TENSOR = ("layer", "ln_type", "dtype", "sha256")


def fingerprint(lake: Lake) -> str:
    """Of a few models from their files, which takes less than a catalog; of many by their catalog."""
    if lake.bundles():
        from warehouse.catalog.catalog import open_catalog

        with open_catalog(lake) as connection:
            [(found,)] = connection.sql("select fingerprint from lake").fetchall()
        return str(found)
    return f"{reduce(xor, (_mark(lake, model) for model in lake.single_models()), 0):012x}"


def _mark(lake: Lake, model: str) -> int:
    """As sql/views/_marks.sql has it."""
    [row] = read_parquet(lake.file("models", model), OF_A_MODEL).to_pylist()
    text = _line(row.get(name) for name in OF_A_MODEL)
    if row.get("norms_digest") is None:
        tensors = read_parquet(lake.file("tensors", model), OF_A_TENSOR).to_pylist()
        text += "".join(_line(tensor[name] for name in OF_A_TENSOR) for tensor in tensors)
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)


def _line(values: Iterable[object]) -> str:
    return "\t".join(str(value) for value in values if value is not None) + "\n"
