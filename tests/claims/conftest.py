"""Lakes to run claims on: the planted models, and one with printed figures and nothing else; its answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from analysis.claims.claim_file import CLAIMS, FINDINGS, read_claims
from analysis.claims.lock import read_locked
from analysis.claims.results import Reading, Run
from analysis.claims.run import run_claims, run_files
from tests.claims.by_numpy import readings_by_name
from tests.claims.three_claims import write_claims
from tests.sql.lakes import write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake


@pytest.fixture(scope="session")
def twelve_catalog(twelve: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(twelve) as connection:
        yield connection


@pytest.fixture(scope="session")
def twelve_run(twelve_catalog: duckdb.DuckDBPyConnection) -> Run:
    """All claims and findings on twelve models; a broken one, or an item in two claims, fails here."""
    found = run_files(twelve_catalog, read_locked())
    assert found.broken == []
    return found


@pytest.fixture(scope="session")
def replica_run(replica_lake: Lake, shipped_zoo: Lake) -> Run:
    """All claims as if the replica were the released weights, those on trained models on the whole zoo."""
    with open_catalog(replica_lake) as connection, open_catalog(shipped_zoo) as trained:
        run = run_claims(connection, read_claims()[0], trained, as_if_hub=True)
    assert run.broken == []
    return run


@pytest.fixture(scope="session")
def printed_lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """No model, only what the documents print."""
    return empty_lake(tmp_path_factory.mktemp("lakes") / "figures")


@pytest.fixture(scope="session")
def printed_catalog(printed_lake: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(printed_lake) as connection:
        yield connection


@pytest.fixture(scope="session")
def checks(printed_lake: Lake) -> dict[str, Reading]:
    """Every reading that needs no weights, on a lake without a single model; findings likewise."""
    claims, findings = (
        [claim for claim in read_claims(root)[0] if claim.evidence in ("printed", "analytic")]
        for root in (CLAIMS, FINDINGS)
    )
    with open_catalog(printed_lake) as connection:
        return readings_by_name(connection, claims, findings)


@pytest.fixture
def claims(tmp_path: Path, data: Path, own_zoo: Lake) -> Path:  # noqa: ARG001
    """Three claims, and a replica lake with one model as the current one."""
    return write_claims(tmp_path, data)


def empty_lake(folder: Path) -> Lake:
    return write_lake(folder, {})
