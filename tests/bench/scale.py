"""Budgets of commands in lakes of 1,000 and 100,000 models.

Each command runs in a process of its own, without packages that only developers have. We compare the CPU
time (user and system, Python's start included) of the cheapest of some runs with its budget.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.families import SIZE, families
from tests.bench.gathered import of_families, with_features
from tests.ingest.headers import safetensors
from tests.limited import hide_packages
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake
from warehouse.storage.commit import new_commit, write_lock
from warehouse.storage.compaction import write_new_models

PROJECT = Path(__file__).parents[2]
RUNS = 3
# Arrow imports pandas where it can, and httpx its own command line with click: 0.4 s and 0.1 s.
DEVELOPERS_PACKAGES = ("pandas", "click")

# Models, layers, width. Models of 65 norms take 15 ms each to make: 100,000 of them would take half an hour.
SOME, MANY = (1_000, 32, 512), (100_000, 2, 256)

ONE, OTHER, THIRD = "f000000_0", "f000000_1", "f000000_2"
FIVE = "from models limit 5"
FIRST_FEW = 100
FAMILIES_ASKED = 100
# The models that `nearest` compares.
LIKELY = (
    "select model from sketched($model) order by identical desc, z_sketch desc nulls last, model limit {}"
)


@dataclass(frozen=True)
class Cost:
    cpu: float
    megabytes: float


def lines() -> Iterator[str]:
    """Make the lakes and run the commands; a line for each budget."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _among_some(_made(Path(folder) / "some", SOME))
        yield from _among_many(_made(Path(folder) / "many", MANY))


def _among_some(lake: Lake) -> Iterator[str]:
    among = f"among {SOME[0]:,} models of {2 * SOME[1] + 1} norms, {SOME[2]} wide"
    commands = {
        "sql": ("analysis", "sql", FIVE),
        "nearest": ("analysis", "nearest", ONE),
        "compare, without its page": ("analysis", "compare", ONE, OTHER, "--json"),
        "lineage of two": ("analysis", "lineage", ONE, OTHER),
        "blend": ("analysis", "blend", ONE, OTHER, THIRD),
    }
    for name, command in commands.items():
        yield budget_line(f"{name} {among}", _cost(lake, command).cpu, 1, " s")
    ingest = ("ingest", "models", str(_one_more(lake.path.parent)))
    yield budget_line(f"ingest of one more {among}", _cost(lake, ingest, runs=1).cpu, 1, " s")
    yield budget_line(f"a commit {among}", _commit(lake), 0.5, " s")
    every = _cost(lake, ("analysis", "nearest", ONE, "--all"), runs=1).cpu
    check = _cost(lake, ("analysis", "check", lake.name), option="", runs=1).cpu
    yield f"no budget: nearest --all {among}, which compares every model: {every:.2g} s"
    yield f"no budget: check {among}, which reads every byte ({_bytes(lake) >> 20} MB): {check:.2g} s"


def _among_many(lake: Lake) -> Iterator[str]:
    among = f"among {MANY[0]:,} models of {2 * MANY[1] + 1} norms, {MANY[2]} wide"
    nearest = _cost(lake, ("analysis", "nearest", ONE))
    yield budget_line(f"nearest {among}", nearest.cpu, 2, " s")
    yield budget_line(f"memory of nearest {among}", nearest.megabytes, 500, " MB")
    compare = _cost(lake, ("analysis", "compare", ONE, OTHER, "--json"))
    yield budget_line(f"compare, without its page, {among}", compare.cpu, 1, " s")
    yield budget_line(f"sql '{FIVE}' {among}", _cost(lake, ("analysis", "sql", FIVE)).cpu, 1, " s")
    yield budget_line(
        f"start of a command {among}", _cost(lake, ("analysis", "sql", "select 1")).cpu, 0.3, " s"
    )
    values = MANY[0] * (2 * MANY[1] + 1) * MANY[2]
    files = sum(1 for _ in lake.folder.glob("*/*.parquet"))
    yield f"no budget: the lake {among}: {files} files, {_bytes(lake) / values:.2g} bytes per value"
    yield f"no budget: of their relatives, nearest compares {_recall(lake):.1%}"


def budget_line(what: str, value: float, budget: float, unit: str) -> str:
    """A figure that must not be larger than its budget."""
    verdict = "PASS" if value <= budget else "MISSED"
    return f"{verdict}  {what}: {value:,.3g}{unit} (budget {budget:,g}{unit})"


def _made(path: Path, size: tuple[int, int, int]) -> Lake:
    run_measured([sys.executable, "-m", "tests.bench.gathered", str(path), *map(str, size)], os.environ)
    return Lake(path.name, path)


def _cost(lake: Lake, command: Sequence[str], option: str = "--lake", runs: int = RUNS) -> Cost:
    """The least of some runs."""
    data = lake.path.parent
    hidden = hide_packages(data / ".hidden", *DEVELOPERS_PACKAGES)
    environment = {**os.environ, "NORMHOUSE_DATA": str(data), "PYTHONPATH": str(hidden)}
    named = [option, lake.name] if option else []
    costs = [run_measured([sys.executable, "-m", *command, *named], environment) for _ in range(runs)]
    return Cost(min(cost.cpu for cost in costs), min(cost.megabytes for cost in costs))


def run_measured(command: Sequence[str], environment: os._Environ[str] | dict[str, str]) -> Cost:
    with subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    # in kilobytes on Linux; on macOS in bytes
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / unit)


def _one_more(folder: Path) -> Path:
    """A model as a folder of safetensors."""
    _, norms = next(families(SOME[0], 1, *SOME[1:]))
    tensors = {_tensor_name(*key): values for key, values in norms.items()}
    path = folder / "one-more"
    path.mkdir()
    (path / "model.safetensors").write_bytes(safetensors(tensors, "BF16"))
    return path


def _tensor_name(layer: int, kind: str) -> str:
    return "model.norm.weight" if layer < 0 else f"model.layers.{layer}.{kind}.weight"


def _commit(lake: Lake) -> float:
    """Of ten new models, whose rows are written already."""
    seconds = []
    for family in range(RUNS):
        new = list(with_features(of_families(SOME[0] + 1 + family, 1, *SOME[1:])))
        with write_lock(lake), new_commit(lake) as commit:
            write_new_models(commit, new)
            began = time.process_time()
            commit.publish()
            seconds.append(time.process_time() - began)
    return min(seconds)


def _recall(lake: Lake) -> float:
    """The share of the relatives of some bases that are among the models that `nearest` compares."""
    found = 0
    asked = range(0, MANY[0] // SIZE, MANY[0] // SIZE // FAMILIES_ASKED)
    with open_catalog(lake) as connection:
        for family in asked:
            query = LIKELY.format(FIRST_FEW)
            names = connection.execute(query, {"model": f"f{family:06}_0"}).fetchall()
            found += sum(name.startswith(f"f{family:06}_") for (name,) in names)
    return found / (len(asked) * (SIZE - 1))


def _bytes(lake: Lake) -> int:
    return sum(file.stat().st_size for file in lake.folder.glob("*/*.parquet"))
