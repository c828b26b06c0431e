"""What a crawl of 2,000 made-up repos costs its client, 30 ms away: CPU, requests, seconds, files."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ingest.replica.population import LAYERS, WIDTH, population
from ingest.replica.running import serve_in_process

DELAY_SECONDS = 0.03
REPOS = 2_000
CPU_BAR = 0.5
PROJECT = Path(__file__).parents[2]


def lines() -> Iterator[str]:
    """Run the benchmark; a line for each figure, its bar behind it."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serve_in_process(delay=DELAY_SECONDS, population=REPOS) as hub,
    ):
        wanted = Path(folder) / "repos.txt"
        wanted.write_text("\n".join(population(REPOS)))
        first = _crawl(hub.endpoint, folder, wanted)
        files = sum(1 for _ in Path(folder).glob("made/*/*.parquet"))
        yield (
            f"crawl of {REPOS:,} repos of {2 * LAYERS + 1} norms, {WIDTH} wide, 30 ms added: "
            f"{first.cpu / REPOS * 1e3:.0f} ms of CPU a model, {first.cpu / REPOS / CPU_BAR:.2f} of the bar "
            f"({CPU_BAR} s); {first.seconds:.0f} s, {first.requests / REPOS:.1f} requests a model, "
            f"{files} files (bar {20 + REPOS // 500})"
        )
        again = _crawl(hub.endpoint, folder, wanted)
        yield (
            f"the same again, with nothing to read: {again.cpu:.1f} s of CPU, {again.seconds:.1f} s, "
            f"{again.requests} requests (bar 0)"
        )


@dataclass(frozen=True)
class Cost:
    """Of one command, in a process of its own."""

    seconds: float
    cpu: float
    requests: int


def _crawl(endpoint: str, folder: str, wanted: Path) -> Cost:
    environment = {**os.environ, "NORMHOUSE_DATA": folder, "HF_ENDPOINT": endpoint, "NO_PROXY": "127.0.0.1"}
    command = [sys.executable, "-m", "ingest", "crawl", str(wanted), "--lake", "made", "--quiet"]
    began, cpu = time.perf_counter(), _children_cpu()
    done = subprocess.run(command, cwd=PROJECT, env=environment, check=True, capture_output=True, text=True)
    found = re.search(r"([\d,]+) requests", done.stdout)
    assert found, done.stdout
    return Cost(time.perf_counter() - began, _children_cpu() - cpu, int(found[1].replace(",", "")))


def _children_cpu() -> float:
    """Of those that have ended: the hub goes on."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
