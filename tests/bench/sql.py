"""How fast the views are, against the documents' Python loop and a bare matrix product, and how they grow."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from ingest.registry import registry
from ingest.replica.population import synthetic
from ingest.replica.values import layer_norms
from tests.sql.lakes import INPUT, POST, Values, add_model, write_lake
from warehouse.catalog.catalog import build_catalog, open_catalog
from warehouse.catalog.places import catalog_file
from warehouse.lake import Lake

PROJECT = Path(__file__).parents[2]
SIZES = (10, 100, 1000)
LOOP_SIDE = 60  # the Python loop is timed on a square of this side and scaled up

ALL_PAIRS = "select sum(cosine), sum(pearson), sum(offset_share), sum(pattern_share) from pairs"
ONE_PAIR = "from compare('solar', 'glm')"


def lines() -> Iterator[str]:
    """Run the benchmarks; a line for each figure, its bar behind it."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _twelve_models(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        yield from _growth(Path(folder))


def _twelve_models(folder: Path) -> Iterator[str]:
    models = {model.alias: _norms(model.repo) for model in registry().values()}
    lake = write_lake(folder / "bench", models)
    yield f"catalog of twelve models: built in {_best(lambda: build_catalog(lake)):.2f} s"
    with open_catalog(lake) as connection:
        fast = _best(lambda: connection.sql(ALL_PAIRS).fetchall())
        warm = _best(lambda: connection.sql(ONE_PAIR).fetchall())
    groups = _stacked(models)
    pairs = sum(len(stack) ** 2 for stack in groups)
    loop = _loop_seconds(groups[0]) * pairs
    gemm = _gemm_seconds(groups)
    yield (
        f"all {pairs:,} layer pairs of twelve models (cosine, Pearson, both shares): SQL {fast:.2f} s, "
        f"Python double loop {loop:.1f} s = {loop / fast:.1f} times (bar 5), "
        f"float64 GEMM {gemm:.3f} s, SQL {fast / gemm:.1f} times that (bar 20)"
    )
    shell, python = _best(lambda: _cold_shell(lake)), _best(lambda: _cold_python(lake))
    yield (
        f"compare('solar', 'glm'): cold {shell:.2f} s by the duckdb command line, {python:.2f} s by `sql` "
        f"(bar 1.0), warm {warm:.3f} s (bar 0.1)"
    )


def _growth(folder: Path) -> Iterator[str]:
    lake = write_lake(folder / "bench", {})
    stored = 0
    for size in SIZES:
        made = {f"m{seed}": synthetic(seed, 32, 512) for seed in range(stored, size)}
        begin = time.perf_counter()
        for model, vectors in made.items():
            add_model(lake, model, vectors)
        packing = (time.perf_counter() - begin) / len(made)
        stored = size
        with open_catalog(lake) as connection:
            ask = connection.sql
            compare = _best(lambda ask=ask: ask("from compare('m0', 'm1')").fetchall())  # type: ignore[misc]
            nearest = _best(lambda ask=ask: ask("from nearest('m0')").fetchall())  # type: ignore[misc]
        yield (
            f"{size:,} models of 32 layers, 512 wide: writing and packing {packing * 1e3:.0f} ms a model, "
            f"compare {compare * 1e3:.0f} ms, nearest {nearest * 1e3:.0f} ms"
        )


def _norms(repo: str) -> dict[tuple[int, str], Values]:
    return {
        (layer, ln_type): values
        for ln_type, post in ((INPUT, False), (POST, True))
        for layer, values in enumerate(layer_norms(repo, post=post))
    }


def _stacked(models: Mapping[str, Mapping[tuple[int, str], Values]]) -> list[Values]:
    """The vectors that `pairs` compares with each other, as the rows of one matrix each."""
    groups: dict[tuple[str, int], list[Values]] = {}
    for vectors in models.values():
        for (_, ln_type), values in vectors.items():
            groups.setdefault((ln_type, len(values)), []).append(values)
    return [np.array(group) for group in groups.values()]


def _loop_seconds(stack: Values) -> float:
    """What the documents' scripts do, pair by pair in float32: seconds for one pair."""
    begin = time.perf_counter()
    for i, j in itertools.product(range(LOOP_SIDE), repeat=2):
        a, b = stack[i], stack[j]
        cosine = np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b))
        centred_a, centred_b = a - a.mean(), b - b.mean()
        pearson = np.dot(centred_a, centred_b) / (np.linalg.norm(centred_a) * np.linalg.norm(centred_b))
        assert cosine >= -1.001
        assert pearson >= -1.001
    return (time.perf_counter() - begin) / LOOP_SIDE**2


def _gemm_seconds(groups: Sequence[Values]) -> float:
    # Two copies, or numpy would notice the symmetry and do half of the work.
    doubles = [(stack.astype(float), stack.astype(float)) for stack in groups]
    return _best(lambda: [a @ b.T for a, b in doubles])


def _cold_shell(lake: Lake) -> None:
    program = Path(sys.executable).with_name("duckdb")
    _run([str(program), "-readonly", str(catalog_file(lake)), "-c", ONE_PAIR], os.environ)


def _cold_python(lake: Lake) -> None:
    environment = {**os.environ, "NORMHOUSE_DATA": str(lake.path.parent)}
    _run([sys.executable, "-m", "analysis", "sql", ONE_PAIR, "--lake", lake.name], environment)


def _run(command: Sequence[str], environment: Mapping[str, str]) -> None:
    subprocess.run(command, cwd=PROJECT, env=environment, check=True, capture_output=True)


def _best(work: Callable[[], object], times: int = 5) -> float:
    """Seconds of the fastest of some runs, because other processes share the machine."""
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


if __name__ == "__main__":
    for line in lines():
        print(line, flush=True)
