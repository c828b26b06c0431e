"""`python -m ingest embed`: ship the trained lake, after `just zoo` and `just toy`."""

from __future__ import annotations

import platform
from importlib.metadata import version

from warehouse import VERSION
from warehouse.embedded import MOST_BYTES, embed_lake
from warehouse.lake import existing_lake


def embed(lake_name: str) -> int:
    """1 when the files became too large to ship."""
    lake = existing_lake(lake_name)
    provenance = {
        "made_by": "just zoo, just toy --size published",
        "fingerprint": lake.fingerprint(),
        "tool_version": VERSION,
        "trained_with": f"jax {version('jax')}, optax {version('optax')}, {platform.machine()} CPU",
    }
    size = embed_lake(lake, provenance)
    print(f"{len(lake.model_names())} models, {size:,} bytes")
    return 0 if size <= MOST_BYTES else 1
