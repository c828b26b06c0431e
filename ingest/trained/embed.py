"""`python -m ingest.trained.embed`: ship the trained lake, after `just zoo` and `just toy`."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version

from warehouse import VERSION
from warehouse.command import command
from warehouse.embedded import MOST_BYTES, embed_lake
from warehouse.lake import existing_lake


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write warehouse/embedded/ from a trained lake.")
    parser.add_argument("--lake", default="zoo", metavar="NAME", help="which lake (default: zoo)")
    options = parser.parse_args(arguments)
    lake = existing_lake(options.lake)
    provenance = {
        "made_by": "just zoo, just toy --size published",
        "fingerprint": lake.fingerprint(),
        "tool_version": VERSION,
        "trained_with": f"jax {version('jax')}, optax {version('optax')}, {platform.machine()} CPU",
    }
    size = embed_lake(lake, provenance)
    print(f"{len(lake.models())} models, {size:,} bytes")
    return 0 if size <= MOST_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
