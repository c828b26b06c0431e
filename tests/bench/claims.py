"""How long all claims take on the twelve models of the replica, from one connection."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from analysis.claims.claim_file import FINDINGS, read_claims
from analysis.claims.run import run_claims
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

PROJECT = Path(__file__).parents[2]


def lines() -> Iterator[str]:
    """Ingests the replica once, then runs the claims."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ingest", "replica", "--quiet"]
        environment = {**os.environ, "NORMHOUSE_DATA": folder}
        subprocess.run(command, cwd=PROJECT, env=environment, check=True, capture_output=True)
        claims = read_claims()[0]
        seconds = []
        for _ in range(2):
            with open_catalog(Lake("replica", Path(folder) / "replica")) as connection:
                started = time.perf_counter()
                run = run_claims(connection, claims, findings=read_claims(FINDINGS)[0])
                seconds.append(time.perf_counter() - started)
        readings = sum(len(one.readings) for one in run.answered)
        yield f"{len(run.answered)} claims and findings, {readings} readings: {min(seconds):.1f} s (bar 5)"
