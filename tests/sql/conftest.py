"""The tiny lake, written once for all tests that only read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.sql.lakes import replace_row, tiny_models, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake
from warehouse.rows import DeclaredBase


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    path: Path = tmp_path_factory.mktemp("lakes") / "tiny"
    lake = write_lake(path, tiny_models())
    copy = lake.model("copy")
    declared: DeclaredBase = {
        "base": lake.model("base").repo,
        "relation": "finetune",
        "read_from": "README.md",
    }
    replace_row(lake, replace(copy, declared_bases=[declared]))
    return lake


@pytest.fixture(scope="session")
def catalog(tiny: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(tiny) as connection:
        yield connection


def rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    """A query's rows by column name."""
    result: list[dict[str, Any]] = connection.sql(query).to_arrow_table().to_pylist()
    return result
