"""The planted lake, and the tiny zoo trained once for all tests that read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from tests.conftest import MadeOnce
from tests.lineage.planted import planted_models
from tests.sql.lakes import write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    lake = write_lake(tmp_path_factory.mktemp("lakes") / "planted", planted_models())
    with open_catalog(lake) as connection:
        yield connection


@pytest.fixture(scope="session")
def zoo(made_once: MadeOnce) -> Lake:
    """Trained for real, as `just zoo --size tiny` does."""
    from ingest.zoo.run_zoo import run_zoo

    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NORMHOUSE_DATA", str(folder))
            run_zoo("tiny", None, "zoo", print)

    return Lake("zoo", made_once("tiny_zoo", make) / "zoo")


@pytest.fixture(scope="session")
def calibration(zoo: Lake) -> dict[str, pa.Table]:
    from analysis.lineage.calibrate import calibrate

    return calibrate(zoo)
