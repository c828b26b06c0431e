"""The planted lake, written once for all tests of Spark."""

from __future__ import annotations

import pytest

from tests.lineage.planted import planted_models
from tests.sql.lakes import write_lake
from warehouse.lake import Lake


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return write_lake(tmp_path_factory.mktemp("lakes") / "planted", planted_models())
