"""`just explore`: a page in the browser that shows a lake; server.py says who can reach it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from warehouse.errors import UsageError

APP = Path(__file__).with_name("app.py")


def explore(lake_name: str | None, port: int, *, opens_browser: bool) -> int:
    """Serve the page once the lake is known to be readable."""
    if importlib.util.find_spec("marimo") is None:
        raise UsageError(
            "marimo is not installed: `just explore` installs it, so does `uv sync --group explore`"
        )
    from analysis.explore.server import serve
    from analysis.lakes import announce
    from warehouse.catalog.catalog import open_catalog
    from warehouse.lake import existing_lake

    lake = existing_lake(lake_name)
    with open_catalog(lake) as connection:
        announce(connection, lake)
    serve(APP, lake_name or lake.name, port, opens_browser)
