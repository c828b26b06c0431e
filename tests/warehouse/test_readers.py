"""While a lake changes, readers of the catalog and of plain files see every row once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import duckdb
import polars
import pyarrow.parquet as pq
import pytest

from tests.sql.lakes import random_model, write_lake
from warehouse.lake import Lake

PROJECT = Path(__file__).parents[2]
ROWS = 9 * 64  # of one model in `norms`
FIRST = ["m0", "m1", "m2"]
MOST = 12
# Between two reads, except in exhaustive tests: readers that never wait use all of a processor.
PAUSE = 0.1

# Adds and replaces models, one per commit, and compacts from time to time.
COMMITTING = f"""
import sys
from pathlib import Path
from tests.sql.lakes import add_model, random_model
from warehouse.lake import Lake
from warehouse.storage.compaction import compact, take_out
from warehouse.storage.commit import new_commit, write_lock

lake, commits, every = Lake("lake", Path(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])
for number in range(commits):
    if every and number % every == every - 1:
        with write_lock(lake):
            compact(lake)
        continue
    name = f"m{{number % {MOST}}}"
    if name in lake.model_names() and not (lake.file("models", name)).exists():
        with write_lock(lake), new_commit(lake) as commit:
            take_out(commit, [name])
            commit.publish()
    add_model(lake, name, random_model(number))
"""

QUERY = """
select (select count(*) from models) as models, (select count(*) from norms) as values,
    (select count(distinct model) from vectors) as packed, (select count(*) from tensors) as tensors
"""


@contextmanager
def committing(lake: Lake, commits: int, compact_every: int = 0) -> Iterator[threading.Event]:
    """Another process commits; the event is set once it is done."""
    done = threading.Event()
    command = [sys.executable, "-c", COMMITTING, str(lake.path), str(commits), str(compact_every)]
    log = lake.path.with_name("committing.log")
    with log.open("w") as errors:
        child = subprocess.Popen(command, cwd=PROJECT, stderr=errors)

    def wait() -> None:
        child.wait()
        done.set()

    threading.Thread(target=wait).start()
    try:
        yield done
    finally:
        child.kill()
        done.wait()
    assert child.returncode == 0, log.read_text()


def read_by_catalog(lake: Path) -> int:
    """As the README says: through the catalog of the current snapshot."""
    catalog = Path(os.path.realpath(lake)) / "warehouse.duckdb"
    with duckdb.connect(str(catalog), read_only=True) as connection:
        [(models, values, packed, tensors)] = connection.sql(QUERY).fetchall()
    assert (values, packed, tensors) == (models * ROWS, models, models * 9)
    return int(models)


def read_by_duckdb(lake: Path) -> int:
    with duckdb.connect() as connection:
        [(models, values)] = connection.sql(
            f"select count(distinct model), count(*) from '{lake}/norms/*.parquet'"
        ).fetchall()
    assert values == models * ROWS
    return int(models)


class FileChangedError(Exception):
    """Polars opens a file twice, and fails in several ways if it was replaced in between."""


def read_by_polars(lake: Path) -> int:
    try:
        models = polars.scan_parquet(lake / "norms" / "*.parquet").select("model").collect()
    except (polars.exceptions.ComputeError, polars.exceptions.PanicException) as error:
        raise FileChangedError from error
    assert models.height == models["model"].n_unique() * ROWS
    return models["model"].n_unique()


def read_by_pyarrow(lake: Path) -> int:
    names = pq.read_table(lake / "norms", columns=["model"])["model"]
    assert len(names) == len(names.unique()) * ROWS
    return len(names.unique())


PLAIN = [read_by_duckdb, read_by_polars, read_by_pyarrow]


def read_all_the_while(
    lake: Lake, readers: Sequence[Callable[[Path], int]], done: threading.Event, pause: float = 0
) -> list[int]:
    """How often each reader read the lake. Models that it has seen never go."""

    def repeat(read: Callable[[Path], int]) -> int:
        count, seen, failed = 0, len(FIRST), 0
        while not done.is_set() or not count:
            try:
                found = read(lake.path)
            except FileChangedError:
                failed += 1
                continue
            assert seen <= found <= MOST
            seen, count = found, count + 1
            done.wait(pause)
        assert failed <= 1 + count // 20
        print(f"{read.__name__}: {count} reads, {failed} failed")
        return count

    with ThreadPoolExecutor(len(readers)) as threads:
        return [one.result() for one in [threads.submit(repeat, read) for read in readers]]


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return write_lake(tmp_path / "lake", {name: random_model(seed) for seed, name in enumerate(FIRST)})


@pytest.mark.slow
def test_plain_readers_see_every_row_once_while_models_come(lake: Lake) -> None:
    with committing(lake, MOST) as done:
        assert all(read_all_the_while(lake, PLAIN, done, PAUSE))
    assert len(lake.model_names()) == MOST


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
def test_plain_readers_see_every_row_once_during_500_commits(lake: Lake) -> None:
    with committing(lake, 500) as done:
        counts = read_all_the_while(lake, PLAIN, done)
    print(f"reads during 500 commits: {counts}")
    assert min(counts) > 50


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
def test_the_catalog_shows_every_row_once_during_500_commits_and_compactions(tmp_path: Path) -> None:
    models = {f"m{number}": random_model(number) for number in range(MOST)}
    lake = write_lake(tmp_path / "lake", models)
    with committing(lake, 500, compact_every=5) as done:
        counts = read_snapshots(lake, done)
    print(f"reads during 500 commits: {counts}")
    assert min(counts) > 50


@pytest.mark.slow
def test_the_catalog_shows_every_row_once_while_models_come_and_are_compacted(lake: Lake) -> None:
    with committing(lake, 12, compact_every=4) as done:
        assert all(read_snapshots(lake, done, PAUSE))


def read_snapshots(lake: Lake, done: threading.Event, pause: float = 0) -> list[int]:
    """Two readers by the catalog; a replaced model may be absent for one commit of the writer above."""

    def repeat() -> int:
        count = 0
        while not done.is_set() or not count:
            assert len(FIRST) - 1 <= read_by_catalog(lake.path) <= MOST
            count += 1
            done.wait(pause)
        return count

    with ThreadPoolExecutor(2) as threads:
        return [one.result() for one in [threads.submit(repeat) for _ in range(2)]]
