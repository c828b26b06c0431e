"""The table `ledger`: what every recorded run observed, one Parquet file per run.

Runs are numbered from 1, and their files never change. `since` compares a recorded run with a later one and
says whether the query, the weights or a printed figure changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pyarrow as pa

from analysis.claims.claim_file import Claim
from analysis.claims.results import Reading, Run
from warehouse import VERSION
from warehouse.catalog.definitions import read_query
from warehouse.console.output import remark
from warehouse.errors import LakeBusy, UsageError
from warehouse.lake import Lake
from warehouse.storage.commit import new_commit, write_lock
from warehouse.storage.parquet import write_table
from warehouse.tables import TABLES

FOLDER = "ledger"
# A commit takes a fraction of a second; an ingest may hold the lake for hours.
SECONDS_TO_WAIT = 60
NOW = "now"
"""The name of the current run in `since`."""
_FILE = re.compile(r"run-(\d+)\.parquet")


@dataclass(frozen=True)
class Change:
    """One reading that differs between two runs, and why."""

    claim: str
    item: str
    reading: str
    verdict_before: str | None
    verdict_after: str | None
    observed_before: float | None
    observed_after: float | None
    moved: str


def append(lake: Lake, run: Run, fingerprint: str) -> int:
    """Record a run and return its number; 0 for a foreign lake, or one that an ingest is writing."""
    if not lake.is_ours:
        return 0
    try:
        with write_lock(lake, wait=SECONDS_TO_WAIT), new_commit(lake) as commit:
            number = max(runs(lake), default=0) + 1
            path = commit.file(f"{FOLDER}/{_file_name(number)}")
            write_table(path, _table(run, _name(number), fingerprint), {"tool_version": VERSION})
            commit.publish()
            return number
    except LakeBusy as error:
        remark(f"{error}; this run is not in its ledger")
        return 0


def since(
    connection: duckdb.DuckDBPyConnection, lake: Lake, number: int, run: Run, fingerprint: str
) -> list[Change]:
    """The readings that differ between a recorded run and `run`, which need not be recorded.

    A claim that the recorded run lacks is compared with the last run before it that has the claim.
    """
    check_run(lake, number)
    files = [str(check_run(lake, one)) for one in runs(lake) if one <= number]
    with connection.cursor() as own:
        own.register("now", _table(run, NOW, fingerprint))
        # by name: the file of an earlier version may lack a column
        own.execute(
            "create temp table runs as from read_parquet(?, union_by_name = true, hive_partitioning = false) "
            "union all by name from now",
            [files],
        )
        for variable, name in (("earlier", _name(number)), ("later", NOW)):
            own.execute(f"set variable {variable} = ?", [name])
        return [Change(*row) for row in own.execute(read_query("judging/changes")).fetchall()]


def check_run(lake: Lake, number: int) -> Path:
    """The file of that run; UsageError if there is none."""
    path = lake.folder / FOLDER / _file_name(number)
    if not path.exists():
        there = ", ".join(str(run) for run in runs(lake)[-5:])
        hint = f"the last are {there}" if there else "there is none yet: run `just claims` first"
        raise UsageError(f"no run {number} in the ledger of lake {lake.name!r}: {hint}")
    return path


def runs(lake: Lake) -> list[int]:
    """Numbers of the runs in the lake's ledger, oldest first."""
    names = (_FILE.fullmatch(path.name) for path in (lake.folder / FOLDER).glob("run-*.parquet"))
    return sorted(int(name[1]) for name in names if name)


def _file_name(number: int) -> str:
    return f"run-{_name(number)}.parquet"


def _name(number: int) -> str:
    """Padded, so that runs sort as text."""
    return f"{number:06}"


def _table(run: Run, name: str, fingerprint: str) -> pa.Table:
    now = datetime.now(UTC).replace(microsecond=0)
    judged: list[tuple[Claim, str, Reading]] = [
        (result.claim, one.verdict, reading)
        for result in run.results
        for one in result.items
        for reading in one.readings
    ]
    judged += [(one.claim, one.verdict, reading) for one in run.findings for reading in one.readings]
    rows = [
        (
            *(name, now, claim.id, claim.version, claim.sha256, fingerprint),
            *(reading.item, reading.reading, reading.expected, reading.tolerance),
            *(reading.observed, reading.holds, verdict),
        )
        for claim, verdict, reading in judged
    ]
    schema = TABLES["ledger"].schema
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema=schema)
