"""What `just verify`, `just blend` and `just audit` cost, and whether an audit finds what was planted."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from analysis.verify.audit import audit
from ingest.replica.running import serve_in_process
from tests.bench.families import families
from tests.bench.population_lake import population_lake, summary, truth_of
from tests.bench.scale import budget_line
from tests.sql.lakes import write_lake
from warehouse.catalog.catalog import open_catalog

PROJECT = Path(__file__).parents[2]
DELAY_SECONDS = 0.03
CHILD, BASE = "PrimeIntellect/INTELLECT-3", "zai-org/GLM-4.5-Air"
BLENDED = "from blend('f000000_1', 'f000000_0', 'f000000_2')"
MEMBERS = 10_000


def lines() -> Iterator[str]:
    """Run the benchmarks; a line for each figure, its bar behind it."""
    with tempfile.TemporaryDirectory() as folder:
        yield _verified(Path(folder))
        lake = write_lake(Path(folder) / "blend", dict(families(0, 1, 32, 4096)))
        with open_catalog(lake) as connection:
            connection.sql(BLENDED).fetchall()
            began = time.process_time()
            connection.sql(BLENDED).fetchall()
            yield budget_line("blend of 65 norms, 4096 wide", time.process_time() - began, 1, " s")
        yield from _audited(Path(folder) / "population")


def _verified(folder: Path) -> str:
    """Two models of the replica hub, read and compared, less what reading them takes."""
    with serve_in_process(delay=DELAY_SECONDS) as hub:
        ingest = _seconds(
            folder / "one", hub.endpoint, "ingest", "models", "hub", CHILD, BASE, "--lake", "made"
        )
        verify = _seconds(folder / "two", hub.endpoint, "analysis", "verify", CHILD, "--base", BASE)
    what = f"verify of two models 30 ms away ({verify:.1f} s), less ingest of the two ({ingest:.1f} s)"
    return budget_line(what, verify - ingest, 3, " s")


def _seconds(data: Path, endpoint: str, module: str, *arguments: str) -> float:
    environment = {
        **os.environ,
        "NORMHOUSE_DATA": str(data),
        "HF_ENDPOINT": endpoint,
        "NO_PROXY": "127.0.0.1",
    }
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=PROJECT,
        env=environment,
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - began


def _audited(path: Path) -> Iterator[str]:
    lake = population_lake(path, MEMBERS)
    with open_catalog(lake) as connection:
        began = time.process_time()
        found = audit(connection)
        seconds = time.process_time() - began
    expected, observed = truth_of(MEMBERS), summary(found)
    missed = sum(len(expected[name] - observed[name]) for name in expected)
    invented = sum(len(observed[name] - expected[name]) for name in expected)
    yield budget_line(f"audit of {MEMBERS:,} models of 65 norms, 512 wide", seconds, 120, " s")
    yield budget_line("declarations, families and undeclared relatives that it missed", missed, 0, "")
    yield budget_line("those that it invented", invented, 0, "")
