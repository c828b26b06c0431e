"""The table `ledger`: what every run of the claims observed, one Parquet file per run below `<lake>/ledger/`.

Runs are numbered from 1. A file appears whole, by a rename, or not at all, and is never changed afterwards.
`since` compares an earlier run with a later one and says whether the query, the weights or a printed figure
moved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pyarrow as pa

from analysis.claims.claim_file import Claim
from analysis.claims.run import Run
from analysis.claims.verdicts import Reading
from warehouse import VERSION
from warehouse.catalog import ensure_catalog
from warehouse.definitions import read_query
from warehouse.empty import LEDGER
from warehouse.errors import LakeError, UsageError
from warehouse.lake import Lake
from warehouse.parquet import write_table
from warehouse.scratch import scratch
from warehouse.turns import turn

FOLDER = "ledger"
_FILE = re.compile(r"run-(\d+)\.parquet")


@dataclass(frozen=True)
class Change:
    """One reading that differs between two runs, and what moved it."""

    claim: str
    item: str
    reading: str
    verdict_before: str | None
    verdict_after: str | None
    observed_before: float | None
    observed_after: float | None
    moved: str


def append(lake: Lake, run: Run, fingerprint: str) -> int:
    """Writes one run and returns its number; 0 for a published lake, which keeps none."""
    if lake.is_published:
        return 0
    folder = lake.path / FOLDER
    try:
        folder.mkdir(exist_ok=True)
        now = datetime.now(UTC).replace(microsecond=0)
        with scratch(lake.path) as own, turn(folder):
            number = max(runs(lake), default=0) + 1
            draft = own / _file(folder, number).name
            write_table(draft, _table(run, number, now, fingerprint), {"tool_version": VERSION})
            draft.rename(_file(folder, number))
    except OSError as error:
        raise LakeError(
            f"cannot write {folder} ({error.strerror}): check its rights and the space"
        ) from error
    # A catalog built before the first run has an empty view of the ledger, and a plain client builds none.
    ensure_catalog(lake)
    return number


def since(connection: duckdb.DuckDBPyConnection, lake: Lake, before: int, after: int) -> list[Change]:
    """What differs between two runs of a lake, reading by reading; a run stands on those before it."""
    check_run(lake, before)
    numbers = [*(number for number in runs(lake) if number <= before), after]
    with connection.cursor() as own:
        files = [str(check_run(lake, number)) for number in numbers]
        # By name: a run of an earlier version may lack a column.
        own.execute(
            "create temp table runs as from read_parquet(?, union_by_name = true, hive_partitioning = false)",
            [files],
        )
        for name, number in (("earlier", before), ("later", after)):
            own.execute(f"set variable {name} = ?", [_name(number)])
        return [Change(*row) for row in own.execute(read_query("judging/changes")).fetchall()]


def check_run(lake: Lake, number: int) -> Path:
    """The file of that run; refuses one that the ledger does not have."""
    path = _file(lake.path / FOLDER, number)
    if not path.exists():
        there = ", ".join(str(run) for run in runs(lake)[-5:])
        hint = f"the last are {there}" if there else "there is none yet: run `just claims` first"
        raise UsageError(f"no run {number} in the ledger of lake {lake.name!r}: {hint}")
    return path


def runs(lake: Lake) -> list[int]:
    """Numbers of the runs in the lake's ledger, oldest first."""
    names = (_FILE.fullmatch(path.name) for path in (lake.path / FOLDER).glob("run-*.parquet"))
    return sorted(int(name[1]) for name in names if name)


def _file(folder: Path, number: int) -> Path:
    return folder / f"run-{_name(number)}.parquet"


def _name(number: int) -> str:
    """Padded, so that runs sort as text."""
    return f"{number:06}"


def _table(run: Run, number: int, now: datetime, fingerprint: str) -> pa.Table:
    judged: list[tuple[Claim, str, Reading]] = [
        (result.claim, one.verdict, reading)
        for result in run.results
        for one in result.items
        for reading in one.readings
    ]
    judged += [(one.claim, one.verdict, reading) for one in run.findings for reading in one.readings]
    rows = [
        (
            *(_name(number), now, claim.id, claim.version, claim.sha256, fingerprint),
            *(reading.item, reading.reading, reading.expected, reading.tolerance),
            *(reading.observed, reading.holds, verdict),
        )
        for claim, verdict, reading in judged
    ]
    return pa.Table.from_pylist([dict(zip(LEDGER.names, row, strict=True)) for row in rows], schema=LEDGER)
