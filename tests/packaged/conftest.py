"""The packaged models of the development group in a lake, by the real command, once for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from ingest.__main__ import main
from tests.conftest import MadeOnce
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

MODELS = ("minilm_l6", "minilm_l6_int8", "minilm_l6_sre", "bergamot_en_pt", "bergamot_pt_en", "smollm2")


@pytest.fixture(scope="session")
def real(made_once: MadeOnce) -> Iterator[duckdb.DuckDBPyConnection]:
    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NORMHOUSE_DATA", str(folder))
            assert main(["packaged", *MODELS]) == 0

    with open_catalog(Lake("real", made_once("packaged", make) / "real")) as connection:
        yield connection
