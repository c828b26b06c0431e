"""The fingerprint of a lake: what the view `lake` says, and the same for a lake that has no catalog yet.

It covers each model's name, repo, commit, source and the digests of its norms and projections. Slices do not
count: no claim reads them, and `just lineage` says of each pair which layers it read.
"""

from __future__ import annotations

import hashlib
from functools import reduce
from operator import xor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warehouse.lake import Lake

HASHED = ("model", "repo", "commit", "source", "norms_digest", "projections_digest")


def fingerprint(lake: Lake) -> str:
    """Of a few models from their files, which takes less than a catalog; of many by their catalog."""
    if lake.bundles():
        from warehouse.catalog.catalog import open_catalog

        with open_catalog(lake) as connection:
            [(found,)] = connection.sql("select fingerprint from lake").fetchall()
        return str(found)
    return f"{reduce(xor, (_model_hash(lake, model) for model in lake.single_models()), 0):012x}"


def _model_hash(lake: Lake, model: str) -> int:
    """As sql/views/_model_hashes.sql has it."""
    row = lake.model(model)
    values = (getattr(row, name) for name in HASHED)
    text = "\t".join(value for value in values if value is not None) + "\n"
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)
