"""One planted lake with the twelve models and four toy ones, and the figures drawn from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from analysis.figures.catalogue import FIGURES
from analysis.figures.draw import chart, rows, source_lines, spec
from tests.claims.planted import declare_bases
from tests.sql.lakes import INPUT, POST, add_models, bf16, copy_of, write_whole
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake
from warehouse.tables import TABLES

# One figure per query, because figures of one query are drawn by one function; and two of other models.
ONE_EACH = [*{figure.query or name: name for name, figure in reversed(FIGURES.items())}.values()]
DRAWN = [*ONE_EACH, "figure_03", "figure_04a"]


@pytest.fixture(scope="session")
def lake(twelve: Lake, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    found = copy_of(twelve, tmp_path_factory.mktemp("figures") / "local")
    toys = {}
    for number, (start, side) in enumerate((start, side) for start in ("ones", "rand") for side in "ab"):
        draw = np.random.default_rng(number)
        centre, spread = (1, 0.01) if start == "ones" else (0, 1)
        toys[f"toy_{start}_{side}"] = {
            (n, kind): bf16(draw.normal(centre, spread, 32)) for n in range(4) for kind in (INPUT, POST)
        }
    add_models(found, toys, "toy")
    declare_bases(found)
    return with_calibration(found)


def with_calibration(lake: Lake) -> Lake:
    """Pairs as `just calibrate` leaves them, few of each sort: one above the threshold, one undefined."""
    draw = np.random.default_rng(0)
    made = {"ft": ("child", 20.0), "permuted": ("disguise", 0.5), "folded": ("disguise", None)}
    pairs: list[dict[str, Any]] = [
        {
            "model_a": f"b{n:02}",
            "model_b": f"b{n:02}_{name}",
            "relation": "related",
            "grouping": "derived",
            "transformation": name,
            "kind": kind,
            "verdict": "as it is",
            "z_eff": None if z is None else z + n,
            "z_naive": None if z is None else 2 * z,
        }
        for n in range(2)
        for name, (kind, z) in made.items()
    ]
    for group, spread in (("plain", 1.0), ("outliers", 4.0)):
        pairs += [
            {
                "model_a": f"{group}_{n}",
                "model_b": f"{group}_{n + 1}",
                "relation": "independent",
                "grouping": group,
                "z_eff": z,
                "z_naive": spread * z,
                "verdict": "no sign",
            }
            for n, z in enumerate(draw.normal(0, 1, 40))
        ]
    write_whole(lake, "calibration_pairs", pa.Table.from_pylist(pairs, TABLES["calibration_pairs"].schema))
    return lake


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
    lines = {name: source_lines(FIGURES[name], connection)["en"] for name in DRAWN}
    return {name: spec(chart(FIGURES[name], tables[name], lines[name])) for name in DRAWN}
