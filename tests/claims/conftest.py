"""Lakes to run claims on: the planted models, and one with printed figures and nothing else; its answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from analysis.claims.claim_file import read_claims
from analysis.claims.run import Check, run_claims
from tests.claims.planted import planted_lake
from warehouse.catalog import open_catalog
from warehouse.lake import Lake


@pytest.fixture(scope="session")
def twelve(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """Twelve small models under the real aliases, as if from local files."""
    return planted_lake(tmp_path_factory.mktemp("lakes") / "local")


@pytest.fixture(scope="session")
def twelve_catalog(twelve: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(twelve) as connection:
        yield connection


@pytest.fixture(scope="session")
def printed_lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """No model, only what the documents print."""
    return empty_lake(tmp_path_factory.mktemp("lakes") / "figures")


@pytest.fixture(scope="session")
def checks(printed_lake: Lake) -> dict[str, Check]:
    """Every check of the printed and analytic groups, on a lake without a single model."""
    claims, _ = read_claims()
    with open_catalog(printed_lake) as connection:
        results, broken = run_claims(
            connection, [claim for claim in claims if claim.group in ("printed", "analytic")]
        )
    assert broken == []
    assert {result.verdict for result in results} == {"reproduced", "contradicted"}
    return {check.item: check for result in results for check in result.checks}


def empty_lake(folder: Path) -> Lake:
    folder.mkdir()
    return Lake(folder.name, folder)
