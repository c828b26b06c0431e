"""How a lake grows: packing, gathering, catalog, search and size, from ten models to a hundred thousand."""

from __future__ import annotations

import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from ingest.replica.families import SIZE, families
from tests.sql.lakes import model_row, tensor_row
from warehouse.catalog import build_catalog, ensure_catalog, open_catalog
from warehouse.changes import staged_change, writing
from warehouse.compact import PART_MODELS, write_part
from warehouse.digests import VectorDigests
from warehouse.lake import Lake
from warehouse.pack import Packed, pack
from warehouse.parquet import model_rows, norm_rows, tensor_table
from warehouse.schemas import ModelRow, Vector
from warehouse.unpack import unpacked_norms

WIDE = (1_000, 32, 512)  # models, layers, width
MANY = ((10, 2, 256), (10_000, 2, 256), (100_000, 2, 256))
BATCH_VALUES = 1 << 22
QUESTIONS = 20


def lines() -> Iterator[str]:
    """Run the benchmarks; a line for each figure, its bar behind it."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _exact(Path(folder) / "wide")
        shutil.rmtree(Path(folder) / "wide")
        yield from _growth(Path(folder))


def _exact(path: Path) -> Iterator[str]:
    models, layers, width = WIDE
    lake, packing = _made(path, *WIDE)
    values = models * (2 * layers + 1) * width
    size = sum(file.stat().st_size for file in path.rglob("*.parquet"))
    yield (
        f"packing {2 * layers + 1} norms of {width}, with R and sketch: {packing * 1e3:.1f} ms of CPU; "
        f"all tables of {models:,} such models: {size / values:.2f} bytes a value (bar 4)"
    )
    with open_catalog(lake) as connection:
        exact = _best(lambda: connection.sql("from nearest('f000000_0', most := null)").fetchall())
        likely = _best(lambda: connection.sql("from nearest('f000000_0')").fetchall())
        ranks = connection.sql("select ranks from files.vectors where layer >= 0").fetchnumpy()["ranks"]
    matrix = np.concatenate([np.asarray(one, np.float32) for one in ranks]).reshape(models, -1)
    product = _best(lambda: matrix @ matrix[0])
    yield (
        f"nearest among {models:,}, all compared: {exact:.2f} s, {exact / product:.0f} times a matrix-vector "
        f"product over the same ranks, {product * 1e3:.0f} ms (bar 100); by sketches {likely:.2f} s"
    )


def _growth(folder: Path) -> Iterator[str]:
    found: dict[int, tuple[float, float, float]] = {}
    for models, layers, width in MANY:
        lake, _ = _made(folder / f"lake{models}", models, layers, width)
        files = sum(1 for _ in lake.path.rglob("*.parquet"))
        catalog = _best(lambda lake=lake: build_catalog(lake), 3)  # type: ignore[misc]
        again = _best(lambda lake=lake: ensure_catalog(lake), 3)  # type: ignore[misc]
        with open_catalog(lake) as connection:
            ask = connection.sql
            compare = _best(lambda ask=ask: ask("from compare('f000000_0', 'f000000_1')").fetchall())  # type: ignore[misc]
            nearest = _best(lambda ask=ask: ask("from nearest('f000000_0')").fetchall())  # type: ignore[misc]
            recall = _recall(ask, models)
        found[models] = (catalog, compare, nearest)
        yield (
            f"{models:,} models of {layers} layers, {width} wide: {files} files (bar {20 + models // 500}), "
            f"catalog built in {catalog:.2f} s, checked in {again * 1e3:.0f} ms, compare "
            f"{compare * 1e3:.0f} ms, nearest {nearest:.2f} s, {recall:.1%} of relatives in the first 100"
        )
        shutil.rmtree(lake.path)
    few, some, most = (found[models] for models, _, _ in MANY)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield (
        f"the middle one's catalog takes {some[0] / few[0]:.1f} times the smallest one's (bar 2); of the "
        f"largest, compare takes {most[1] / few[1]:.1f} times the smallest one's, nearest {most[2]:.2f} s "
        f"(bar 2), {most[2] / some[2]:.1f} times the middle one's (bar 10); peak memory {peak:.0f} MB"
    )


def _recall(ask: Callable[..., object], models: int) -> float:
    """Of the nine relatives of some models, which are among the first hundred."""
    there = 0
    asked = range(0, models // SIZE, max(1, models // SIZE // QUESTIONS))
    for family in asked:
        rows = ask(f"select model from nearest('f{family:06}_0')").fetchall()  # type: ignore[attr-defined]
        there += sum(name.startswith(f"f{family:06}_") for (name,) in rows)
    return there / (len(asked) * (SIZE - 1))


def _made(path: Path, models: int, layers: int, width: int) -> tuple[Lake, float]:
    """A gathered lake of families, and the CPU seconds that packing took a model."""
    lake = Lake(path.name, path)
    path.mkdir(parents=True)
    packing = 0.0
    batch = max(BATCH_VALUES // ((2 * layers + 1) * width) // SIZE, 1) * SIZE
    with writing(lake):
        for number, first in enumerate(range(0, models, PART_MODELS), start=1):
            batches = []
            for begin in range(first, min(first + PART_MODELS, models), batch):
                count = min(batch, first + PART_MODELS - begin, models - begin) // SIZE
                norms = [
                    (name, [Vector(tensor_row(*key, values), values) for key, values in sorted(made.items())])
                    for name, made in families(begin // SIZE, count, layers, width)
                ]
                rows = [replace(model_row(name, "local"), norms_digest=_digest(of)) for name, of in norms]
                vectors = [one for name, of in norms for one in unpacked_norms(name, of)]
                began = time.process_time()
                packed = pack(vectors, rows)
                packing += time.process_time() - began
                batches.append(Batch(norms, rows, packed))
            with staged_change(lake) as change:
                write_part(change, f"{number:05}", partial(_rows, batches))
                change.publish()
    ensure_catalog(lake)
    return lake, packing / models


@dataclass(frozen=True)
class Batch:
    """Models that were packed together."""

    norms: Sequence[tuple[str, Sequence[Vector]]]
    models: Sequence[ModelRow]
    packed: Packed


def _rows(batches: Sequence[Batch], table: str) -> Iterator[pa.Table]:
    for batch in batches:
        for model, norms in batch.norms:
            if table == "norms":
                yield norm_rows(model, norms)
            if table == "tensors":
                yield tensor_table(model, [one.row for one in norms])
        if table == "models":
            yield model_rows(batch.models)
        if table in ("correlations", "sketches"):
            yield getattr(batch.packed, table)
        if table == "vectors":
            size = len(batch.norms[0][1])
            for begin in range(0, batch.packed.vectors.num_rows, size):
                yield batch.packed.vectors.slice(begin, size)


def _digest(norms: Sequence[Vector]) -> str:
    digests = VectorDigests()
    for one in norms:
        digests.add(one.row.layer, one.row.ln_type, one.values)
    return digests.digest()


def _best(work: Callable[[], object], times: int = 3) -> float:
    """Seconds of the fastest of some runs: what else the machine does is not ours to measure."""
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)
