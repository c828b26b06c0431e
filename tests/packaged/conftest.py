"""The packaged models of the development group in a lake, by the real command, once for all tests."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from ingest.__main__ import main
from warehouse.catalog import open_catalog
from warehouse.lake import lake_at

MODELS = ("minilm_l6", "minilm_l6_int8", "minilm_l6_sre", "bergamot_en_pt", "bergamot_pt_en")


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(tmp_path_factory.mktemp("packaged") / "data"))
        assert main(["packaged", *MODELS]) == 0
        with open_catalog(lake_at("real")) as connection:
            yield connection
