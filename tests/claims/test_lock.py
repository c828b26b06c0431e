"""No query changes unnoticed: the lock has each claim's version and checksum, and nothing runs past it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.claims.claim_file import BrokenClaim, Claim
from analysis.claims.lock import read_lock, read_locked, write_lock
from tests.claims.test_claim_file import QUERY, text
from warehouse.documents import ITEMS_CSV

CLAIM = Claim("a.b", "title", ("hyunwoong",), "1", "weights", (), 1, "", (), "select 1")
CHANGED = replace(CLAIM, query="select 2")
RAISED = {"version": "2", "history": "v2: why"}


@pytest.fixture
def sql(tmp_path: Path) -> Path:
    """A folder like `sql/`, with one claim that is locked as version 1."""
    (tmp_path / "claims" / "sionic").mkdir(parents=True)
    (tmp_path / "findings").mkdir()
    (tmp_path / "documents").mkdir()
    shutil.copy(ITEMS_CSV, tmp_path / "documents")
    write(tmp_path)
    write_lock(read_locked(tmp_path, allow_unlocked=True).claims, tmp_path / "claims")
    return tmp_path


def write(sql: Path, query: str = QUERY, **changed: str) -> None:
    (sql / "claims" / "sionic" / "example.sql").write_text(text(query, **changed))


def reason(sql: Path, *, allow_unlocked: bool = False) -> str:
    """Why the claim is not run."""
    files = read_locked(sql, allow_unlocked=allow_unlocked)
    assert files.claims == []
    [one] = files.broken
    assert one.name == "sionic.example"
    assert "\n" not in one.reason
    return one.reason


def test_the_claims_and_findings_of_the_project_are_locked_as_they_are() -> None:
    files = read_locked()
    assert files.broken == []
    assert len(files.claims) > 100
    assert len(files.findings) > 20


def test_a_locked_claim_runs(sql: Path) -> None:
    files = read_locked(sql)
    assert [claim.id for claim in files.claims] == ["sionic.example"]
    assert (files.broken, files.unlocked) == ([], [])


def test_prose_and_layout_may_change(sql: Path) -> None:
    write(sql, f"\n  {QUERY} -- why", title="Better words.")
    assert read_locked(sql).broken == []


@pytest.mark.parametrize("allow_unlocked", [True, False])
def test_a_query_changed_under_its_version_does_not_run(sql: Path, allow_unlocked: bool) -> None:
    write(sql, QUERY + " + 0")
    assert reason(sql, allow_unlocked=allow_unlocked) == (
        "the query changed but is still version 1: raise the version, say why in `-- history:`, "
        "then run `just claims-lock`"
    )


def test_a_query_changed_under_a_lower_version_does_not_run(sql: Path) -> None:
    write(sql, **RAISED)
    write_lock(read_locked(sql, allow_unlocked=True).claims, sql / "claims")
    write(sql, QUERY + " + 0")
    assert "still version 1" in reason(sql)


@pytest.mark.parametrize("changed", [{"id": "sionic.example"}, RAISED], ids=["new", "raised"])
def test_what_is_not_locked_yet_runs_only_unrecorded(sql: Path, changed: dict[str, str]) -> None:
    write(sql, QUERY + " + 0", **changed)
    if changed is not RAISED:
        (sql / "claims" / "claims.lock").unlink()
    assert "is not locked: run `just claims-lock`" in reason(sql)
    files = read_locked(sql, allow_unlocked=True)
    assert (files.broken, files.unlocked) == ([], ["sionic.example"])


def test_a_claim_that_lost_its_file_is_named(sql: Path) -> None:
    (sql / "claims" / "sionic" / "example.sql").unlink()
    assert "is locked but has no file" in reason(sql)
    assert read_locked(sql, {"sionic.other"}).broken == []


def test_only_the_files_that_are_asked_for_are_opened(sql: Path) -> None:
    (sql / "claims" / "sionic" / "other.sql").write_bytes(b"\xff")
    assert [one.name for one in read_locked(sql).broken] == ["sionic.other"]
    assert read_locked(sql, {"sionic.example"}).broken == []


def test_locking_says_what_moved(tmp_path: Path) -> None:
    assert write_lock([CLAIM], tmp_path) == ["a.b v1 (new)"]
    assert read_lock(tmp_path) == {"a.b": (1, CLAIM.sha256)}
    assert write_lock([CLAIM], tmp_path) == []
    assert write_lock([replace(CHANGED, version=2)], tmp_path) == ["a.b v2 (was v1)"]
    assert write_lock([], tmp_path) == ["a.b (gone)"]


def test_a_query_changed_under_its_version_cannot_be_locked(tmp_path: Path) -> None:
    write_lock([CLAIM], tmp_path)
    with pytest.raises(BrokenClaim, match="changed but is still version 1"):
        write_lock([CHANGED], tmp_path)
    assert read_lock(tmp_path) == {"a.b": (1, CLAIM.sha256)}


def test_a_damaged_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / f"{tmp_path.name}.lock").write_text("a.b one 00ff\n")
    with pytest.raises(BrokenClaim, match="restore the file"):
        read_lock(tmp_path)
