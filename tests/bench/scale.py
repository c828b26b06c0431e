"""How a lake grows: packing, gathering, catalog, search and size, from ten models to a hundred thousand.

Seconds are of CPU, and what is compared is measured in one run: a busy machine moves both alike.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy as np

from analysis.lakes import description, find_models, trained_lake
from tests.bench.families import SIZE
from tests.bench.gathered import made
from tests.sql.lakes import Values, random_model, write_lake
from warehouse.catalog.catalog import build_catalog, ensure_catalog, open_catalog
from warehouse.lake import Lake, lake_at

WIDE = (1_000, 32, 512)  # models, layers, width
NARROW = (2, 256)
FEW, SOME, MANY, MOST = 10, 100, 10_000, 100_000
FAMILIES_ASKED = 100
SECOND_ZOO = "zoo_10000"
MATRIX = 1 << 20
PRODUCTS = 50

ONE, OTHER = "f000000_0", "f000000_1"
COMPARED = f"from compare('{ONE}', '{OTHER}')"
# The shortlist of `nearest`, before its models are compared.
LIKELY = (
    "select model from sketched($model) order by identical desc, z_sketch desc nulls last, model limit {}"
)


def lines() -> Iterator[str]:
    """Run the benchmarks; a line for each figure, and whether it keeps its bar."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _zoos(Path(folder))
        yield from _projections(Path(folder) / "matrices")
        yield from _exact(Path(folder) / "wide")
        shutil.rmtree(Path(folder) / "wide")
        yield from _growth(Path(folder))


def _row(what: str, value: float, bar: float, unit: str = "", about: str = "") -> str:
    """A figure that must not be larger than its bar."""
    holds = "PASS" if value <= bar else "MISS"
    return f"{holds}  {what}: {value:,.3g}{unit} (bar {bar:,g}{unit})" + (f"; {about}" if about else "")


def _zoos(folder: Path) -> Iterator[str]:
    """Trained models of known ancestry: is every honest child among the first twenty, or first relatives?"""
    second = lake_at(SECOND_ZOO)
    before = os.environ.get("NORMHOUSE_DATA")
    os.environ["NORMHOUSE_DATA"] = str(folder / "zoo")
    try:
        yield _missed(trained_lake(), "the shipped zoo")
    finally:
        os.environ.pop("NORMHOUSE_DATA")
        if before is not None:
            os.environ["NORMHOUSE_DATA"] = before
    if second.path.is_dir():
        yield _missed(second, "the second zoo")
    else:
        yield "not asked: the second zoo, which `just zoo --seed 10000` trains in some minutes"


def _missed(zoo: Lake, name: str) -> str:
    with open_catalog(zoo) as connection:
        truth = connection.sql("select parent, child, kind from lineage_truth where related").fetchall()
        missed, children = 0, 0
        for parent in sorted({parent for parent, _, _ in truth}):
            relatives = {child for of, child, _ in truth if of == parent}
            honest = {child for of, child, kind in truth if of == parent and kind == "child"}
            first = _first(connection, parent, max(20, len(relatives)))
            children += len(honest)
            missed += len(honest - first)
    return _row(f"honest children of {name} not in the first 20", missed, 0, "", f"of {children}")


def _projections(path: Path) -> Iterator[str]:
    """Two models without matrices are compared as fast in a lake where another has some."""
    models = {name: random_model(seed) for seed, name in enumerate((ONE, OTHER, "matrices"))}
    matrix: Values = np.random.default_rng(0).normal(size=MATRIX).astype(np.float32)
    seconds: list[float] = []
    for projections in ({}, {"matrices": {(0, "k_proj"): matrix, (0, "v_proj"): matrix}}):
        with open_catalog(
            write_lake(path / str(len(seconds)), models, projections=projections)
        ) as connection:
            seconds.append(_cpu(lambda: connection.sql(COMPARED).fetchall(), 5))
    yield _row("compare with projections in the lake, times that without", seconds[1] / seconds[0], 2)


def _exact(path: Path) -> Iterator[str]:
    models, layers, width = WIDE
    lake, packing = made(path, *WIDE)
    yield _row(
        f"all tables of {models:,} models of {layers} layers, {width} wide",
        _bytes(lake) / (models * (2 * layers + 1) * width),
        4,
        " bytes a value",
        f"packing {packing * 1e3:.1f} ms a model",
    )
    seconds, memory = _asked(lake, f"from nearest('{ONE}', most := null)")
    with open_catalog(lake) as connection:
        ranks = connection.sql("select ranks from files.vectors").fetchnumpy()["ranks"]
    matrix = np.concatenate([np.asarray(one, np.float32) for one in ranks]).reshape(models, -1)
    # many at once: of one, the clock may miss what the second core did
    product = _cpu(lambda: [matrix @ matrix[0] for _ in range(PRODUCTS)], 10) / PRODUCTS
    yield _row(
        f"nearest among {models:,}, all compared, times a matrix-vector product over the same ranks",
        seconds / product,
        100,
        "",
        f"{seconds:.2f} s and {memory:.0f} MB; the product {product * 1e3:.1f} ms",
    )


def _growth(folder: Path) -> Iterator[str]:
    catalog, compared, start, nearest = {}, {}, {}, {}
    memory = 0.0
    for models in (FEW, SOME, MANY, MOST):
        lake, _ = made(folder / f"lake{models}", models, *NARROW)
        catalog[models] = _cpu(lambda: build_catalog(lake), 5)  # noqa: B023
        compared[models], _ = _asked(lake, COMPARED)
        with open_catalog(lake) as connection:
            start[models] = _cpu(lambda: _begin(lake, connection), 5)  # noqa: B023
            recall = _recall(connection, models)
        nearest[models], memory = _asked(lake, f"from nearest('{ONE}')")
        if models in (MANY, MOST):
            files = sum(1 for _ in lake.path.rglob("*.parquet"))
            values = models * (2 * NARROW[0] + 1) * NARROW[1]
            yield _row(f"files of {models:,} models", files, 20 + models / 500)
            yield _row(f"all tables of {models:,} models", _bytes(lake) / values, 4, " bytes a value")
            yield _row(f"relatives among {models:,} not in the first 100", 1 - recall, 0.01)
        shutil.rmtree(lake.path)
    yield _row(
        f"catalog of {MANY:,} models, times that of {SOME}", catalog[MANY] / catalog[SOME], 2, "",
        f"{catalog[MANY]:.2f} s; {catalog[MOST]:.2f} s of {MOST:,}",
    )  # fmt: skip
    yield _row(
        f"compare in {MOST:,} models, times that in {FEW}", compared[MOST] / compared[FEW], 2, "",
        f"{compared[MOST] * 1e3:.0f} ms",
    )  # fmt: skip
    yield _row(
        f"start of a command on {MOST:,} models, times that on {SOME}", start[MOST] / start[SOME], 1.5, "",
        f"{start[MOST] * 1e3:.0f} ms",
    )  # fmt: skip
    yield _row(f"nearest among {MOST:,}", nearest[MOST], 2, " s")
    yield _row(f"nearest among {MOST:,}, memory", memory, 500, " MB")
    yield _row(f"nearest among {MOST:,}, times that among {MANY:,}", nearest[MOST] / nearest[MANY], 10)


def _begin(lake: Lake, connection: duckdb.DuckDBPyConnection) -> None:
    """What every command does first."""
    ensure_catalog(lake)
    description(connection, lake)
    find_models(connection, lake, ONE)


def _recall(connection: duckdb.DuckDBPyConnection, models: int) -> float:
    """Of the nine relatives of some bases, how many are among the hundred that are compared."""
    asked = range(0, models // SIZE, max(1, models // SIZE // FAMILIES_ASKED))
    there = 0
    for family in asked:
        first = _first(connection, f"f{family:06}_0", 100)
        there += sum(name.startswith(f"f{family:06}_") for name in first)
    return there / (len(asked) * (SIZE - 1))


def _first(connection: duckdb.DuckDBPyConnection, model: str, most: int) -> set[str]:
    return {name for (name,) in connection.execute(LIKELY.format(most), {"model": model}).fetchall()}


def _asked(lake: Lake, query: str) -> tuple[float, float]:
    """CPU seconds of the fastest of some runs and peak memory in MB, in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.asking", str(lake.path), query]
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return said["seconds"], said["megabytes"]


def _bytes(lake: Lake) -> int:
    return sum(file.stat().st_size for file in lake.path.rglob("*.parquet"))


def _cpu(work: Callable[[], object], times: int) -> float:
    """CPU seconds of the fastest of some runs: what else the machine does is not ours to measure."""
    seconds = []
    for _ in range(times):
        begin = time.process_time()
        work()
        seconds.append(time.process_time() - begin)
    return min(seconds)
