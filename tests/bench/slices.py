"""What slices of two 100B models cost, and the verdict on them: bytes, requests, seconds and memory."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ingest.replica.running import serve_in_process

DELAY_SECONDS = 0.03
PAIR = ("glm", "solar")
PROJECT = Path(__file__).parents[2]


def lines() -> Iterator[str]:
    """Run the benchmarks; a line for each figure, its bar behind it."""
    with serve_in_process(delay=DELAY_SECONDS) as hub, tempfile.TemporaryDirectory() as folder:
        _ingest(hub.endpoint, folder, "first", PAIR[0])  # the server has made up its tokenizers then
        for model in PAIR:
            yield _alone(hub.endpoint, folder, model)
        seconds, _, _ = _ingest(hub.endpoint, folder, "both", *PAIR)
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000  # kB on Linux
        yield f"both, norms and slices: {seconds:.1f} s, at most {memory:.0f} MB of memory (bar 1000)"
        stored = sum(file.stat().st_size for file in Path(folder).glob("both/slice*/*.parquet"))
        yield f"slices of both in the lake: {stored / 1e6:.0f} MB"
        yield _verdict(folder, "both")


def _alone(endpoint: str, folder: str, model: str) -> str:
    """Norms first, then slices; the bars are for both together, the time for what slices add."""
    norms, asked, size = _ingest(endpoint, folder, f"only_{model}", model, slices=False)
    slices, asked_more, size_more = _ingest(endpoint, folder, f"only_{model}", model)
    return (
        f"{model} with slices: {(size + size_more) / 1e6:.1f} MB (bar 55), {asked + asked_more} requests "
        f"(bar 600); 30 ms added: {slices:.1f} s for the slices (bar 3), {norms:.1f} s for the norms, each "
        f"with the start of Python"
    )


def _verdict(folder: str, lake: str) -> str:
    """`just lineage` of the two, by norms and slices, from a cold start."""
    command = [sys.executable, "-m", "analysis", "lineage", *PAIR, "--lake", lake]
    environment = {**os.environ, "NORMHOUSE_DATA": folder}
    started = time.perf_counter()
    done = subprocess.run(command, cwd=PROJECT, env=environment, check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - started
    assert "\nslices " in done.stdout, done.stdout
    # of all commands so far: more than before only if this one took more
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    return (
        f"lineage {' '.join(PAIR)} by norms and slices: {seconds:.1f} s (bar 5), at most {memory:.0f} MB "
        f"of memory (bar 1000)"
    )


def _ingest(
    endpoint: str, folder: str, lake: str, *models: str, slices: bool = True
) -> tuple[float, int, float]:
    """Seconds, requests and bytes of the command, in a process of its own."""
    environment = {**os.environ, "NORMHOUSE_DATA": folder, "HF_ENDPOINT": endpoint, "NO_PROXY": "127.0.0.1"}
    command = [sys.executable, "-m", "ingest", "models", "hub", *models, "--lake", lake, "--quiet"]
    started = time.perf_counter()
    done = subprocess.run(
        command + ["--slices"] * slices,
        cwd=PROJECT,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    seconds = time.perf_counter() - started
    found = re.search(r"([\d,]+) requests, ([\d.]+) MB read", done.stdout)
    assert found, done.stdout
    return seconds, int(found[1].replace(",", "")), float(found[2]) * 1e6
