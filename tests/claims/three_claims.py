"""Three claims and a finding, locked, on a lake of one model; and `just claims` run on them."""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.claims.command import main, main_lock
from analysis.claims.lock import read_locked, write_lock
from analysis.cli import add_parsers
from tests.claims.test_claim_file import text
from tests.sql.lakes import random_model, write_lake
from warehouse.lake import remember_current

HOLDS = "select 'sionic.x' as item, 'plain' as reading, 4 as expected, 0 as tolerance, 2 + 2 as observed"
MISSES = """
select
    'sionic.y' as item, 'plain' as reading, 'the mean is above 9' as statement, avg(value) > 9 as holds,
    avg(value) as observed
from norms
"""
UNDEFINED = "select 'sionic.z' as item, 'plain' as reading, 1 as expected, 0 as tolerance, null as observed"
RAISED = ("-- version: 1", "-- version: 2\n-- history: v2: another sum")


def write_claims(tmp_path: Path, data: Path) -> Path:
    """A folder like `sql/claims`, and a replica lake with one model as the current one."""
    remember_current(write_lake(data / "replica", {"solar": random_model(1)}, source="replica"))
    folder = tmp_path / "sql" / "claims"
    inventory = tmp_path / "sql" / "documents" / "items.csv"
    inventory.parent.mkdir(parents=True)
    inventory.write_text(
        "item,group,evidence,statement\n"
        "sionic.x,sionic,analytic,Two and two make four.\n"
        "sionic.y,sionic,weights,Solar's norms are large.\n"
        "sionic.z,sionic,weights,GLM has one norm.\n"
    )
    (tmp_path / "sql" / "findings").mkdir()
    (tmp_path / "sql" / "findings" / "sum.sql").write_text(
        text(HOLDS, id="findings.sum", title="Sums are sums.", evidence="analytic", needs="")
    )
    for name, query, changed in (
        ("holds", HOLDS, {"evidence": "analytic", "needs": ""}),
        ("misses", MISSES, {"needs": "solar"}),
        ("undefined", UNDEFINED, {"needs": "glm"}),
    ):
        (folder / "sionic").mkdir(parents=True, exist_ok=True)
        (folder / "sionic" / f"{name}.sql").write_text(text(query, id=f"sionic.{name}", **changed))
    relock(folder)
    return folder


def relock(claims: Path) -> None:
    files = read_locked(claims.parent, allow_unlocked=True)
    write_lock(files.claims, claims)
    write_lock(files.findings, claims.parent / "findings")


def change(claims: Path, name: str, *replacements: tuple[str, str]) -> None:
    """Edits the file of the claim `sionic.<name>`."""
    file = claims / "sionic" / f"{name}.sql"
    text = file.read_text()
    for before, after in replacements:
        assert before in text
        text = text.replace(before, after)
    file.write_text(text)


def run(claims: Path, *arguments: str) -> int:
    return main(options("claims", *arguments), sql=claims.parent)


def lock(claims: Path) -> int:
    return main_lock(options("claims-lock"), sql=claims.parent)


def options(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_parsers(parser.add_subparsers())
    return parser.parse_args(arguments)


def recorded(data: Path) -> list[str]:
    """The files of the replica's ledger."""
    return sorted(path.name for path in (data / "replica" / "ledger").glob("*"))
