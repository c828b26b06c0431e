"""`python -m ingest.complete LAKE`: what a lake has besides its models, for one that was not ingested.

The shipped zoo becomes a lake without any ingest; the documents' figures, which every lake has, come here.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ingest.jobs import store_printed
from warehouse.catalog import ensure_catalog
from warehouse.changes import writing
from warehouse.command import command
from warehouse.lake import Lake, existing_lake


def complete(lake: Lake) -> None:
    """The documents' figures and the catalog; call while holding the lake's write lock."""
    store_printed(lake)
    ensure_catalog(lake)


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    [name] = sys.argv[1:] if arguments is None else arguments
    lake = existing_lake(name)
    with writing(lake):
        complete(lake)
    return 0


if __name__ == "__main__":
    sys.exit(main())
