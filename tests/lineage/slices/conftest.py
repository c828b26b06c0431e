"""A catalog without models: the test on slices needs its macros only."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from tests.sql.lakes import write_lake
from warehouse.catalog.catalog import open_catalog


@pytest.fixture(scope="session")
def macros(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(write_lake(tmp_path_factory.mktemp("lakes") / "empty", {})) as connection:
        yield connection
