"""What `just verify`, `just blend` and `just audit` cost, and whether an audit finds what was planted."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from analysis.verify.audit import audit
from ingest.replica.running import HubProcess, serve_in_process
from tests.bench.families import families
from tests.bench.population_lake import population_lake, summary, truth_of
from tests.bench.scale import budget_line, run_measured
from tests.sql.lakes import write_lake
from warehouse.catalog.catalog import open_catalog

DELAY_SECONDS = 0.03
CHILD, BASE = "PrimeIntellect/INTELLECT-3", "zai-org/GLM-4.5-Air"
BLENDED = "from blend('f000000_1', 'f000000_0', 'f000000_2')"
MEMBERS = 10_000


def lines() -> Iterator[str]:
    """Run the benchmarks; a line for each figure, its bar behind it."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _verified(Path(folder))
        lake = write_lake(Path(folder) / "blend", dict(islice(families(0, 1, 32, 4096), 3)))
        with open_catalog(lake) as connection:
            connection.sql(BLENDED).fetchall()
            began = time.process_time()
            connection.sql(BLENDED).fetchall()
            yield budget_line("blend of 65 norms, 4096 wide", time.process_time() - began, 1, " s")
        yield from _audited(Path(folder) / "population")


def _verified(folder: Path) -> Iterator[str]:
    """Two models of the replica hub, read and compared, less what reading them takes; then once more.

    CPU time is compared, and requests, which latency multiplies: wall time depends on what else runs.
    """
    read = ("ingest", "models", "hub", CHILD, BASE, "--lake", "made")
    ask = ("analysis", "verify", CHILD, "--base", BASE, "--lake", "made")
    with serve_in_process(delay=DELAY_SECONDS) as hub:
        ingest, verify, again = (
            _cost(hub, folder / data, command)
            for data, command in (("one", read), ("two", ask), ("two", ask))
        )
    what = f"CPU of verify of two models ({verify[0]:.1f} s), less that of ingest ({ingest[0]:.1f} s)"
    yield budget_line(what, verify[0] - ingest[0], 3, " s")
    yield budget_line("requests beyond those of ingest", verify[1] - ingest[1], 0, "")
    yield budget_line("requests of verify where the lake has both", again[1], 0, "")
    yield f"no budget: CPU of verify where the lake has both: {again[0]:.2g} s"


def _cost(hub: HubProcess, data: Path, command: Sequence[str]) -> tuple[float, int]:
    """CPU seconds, and requests to the hub."""
    environment = {
        **os.environ,
        "NORMHOUSE_DATA": str(data),
        "HF_ENDPOINT": hub.endpoint,
        "NO_PROXY": "127.0.0.1",
    }
    hub.counters(reset=True)
    used = run_measured([sys.executable, "-m", *command], environment).cpu
    return used, hub.counters()["requests"]


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
