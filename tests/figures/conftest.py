"""One planted lake with the twelve models and four toy ones, and the figures drawn from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

from analysis.figures import FIGURES, chart, rows, spec
from tests.claims.planted import planted_lake
from tests.sql.lakes import INPUT, POST, add_model, bf16
from warehouse.catalog import open_catalog
from warehouse.lake import Lake

# One figure of each query, because those that share one share their drawing; and two that differ in models.
ONE_EACH = [*{figure.query or name: name for name, figure in reversed(FIGURES.items())}.values()]
DRAWN = [*ONE_EACH, "figure_03", "figure_04a"]


@pytest.fixture(scope="session")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    found = planted_lake(tmp_path_factory.mktemp("figures") / "local")
    for number, (start, side) in enumerate((start, side) for start in ("ones", "rand") for side in "ab"):
        draw = np.random.default_rng(number)
        centre, spread = (1, 0.01) if start == "ones" else (0, 1)
        vectors = {
            (n, kind): bf16(draw.normal(centre, spread, 32)) for n in range(4) for kind in (INPUT, POST)
        }
        add_model(found, f"toy_{start}_{side}", vectors)
    return found


@pytest.fixture(scope="session")
def connection(lake: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(lake) as opened:
        yield opened


@pytest.fixture(scope="session")
def tables(connection: duckdb.DuckDBPyConnection) -> dict[str, pl.DataFrame]:
    """The rows of every figure."""
    return {name: rows(figure, connection) for name, figure in FIGURES.items()}


@pytest.fixture(scope="session")
def specs(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> dict[str, dict[str, Any]]:
    """Figures as Vega-Lite."""
    return {name: spec(chart(FIGURES[name], connection, tables[name])) for name in DRAWN}
