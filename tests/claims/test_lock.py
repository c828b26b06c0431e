"""No query changes in silence: the lock knows each claim's version and checksum."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.claims.claim_file import BrokenClaim, Claim, read_claims
from analysis.claims.lock import check_lock, read_lock, write_lock

CLAIM = Claim("a.b", "title", ("hyunwoong",), "1", "weights", (), 1, "", (), "select 1")
CHANGED = replace(CLAIM, query="select 2")


def test_the_claims_of_the_project_are_locked_as_they_are() -> None:
    claims, broken = read_claims()
    assert broken == []
    assert check_lock(claims) == []


def test_a_locked_claim_is_known(tmp_path: Path) -> None:
    assert write_lock([CLAIM], tmp_path) == ["a.b v1 (new)"]
    assert read_lock(tmp_path) == {"a.b": (1, CLAIM.sha256)}
    assert check_lock([CLAIM], tmp_path) == []
    assert write_lock([CLAIM], tmp_path) == []


def test_a_query_changed_under_its_old_version_is_found_and_cannot_be_locked(tmp_path: Path) -> None:
    write_lock([CLAIM], tmp_path)
    [problem] = check_lock([CHANGED], tmp_path)
    assert problem.startswith("a.b changed but is still version 1: raise it")
    with pytest.raises(BrokenClaim, match="changed but is still version 1"):
        write_lock([CHANGED], tmp_path)
    assert read_lock(tmp_path) == {"a.b": (1, CLAIM.sha256)}


def test_a_raised_version_is_locked_anew(tmp_path: Path) -> None:
    write_lock([CLAIM], tmp_path)
    raised = replace(CHANGED, version=2)
    assert check_lock([raised], tmp_path) == ["a.b is at v2, locked at v1: run `just claims-lock`"]
    assert write_lock([raised], tmp_path) == ["a.b v2 (was v1)"]
    assert check_lock([raised], tmp_path) == []


def test_new_and_lost_claims_are_found(tmp_path: Path) -> None:
    write_lock([CLAIM], tmp_path)
    problems = check_lock([replace(CLAIM, id="a.c")], tmp_path)
    assert problems == [
        "a.c is not locked: run `just claims-lock`",
        "a.b is locked but has no file: run `just claims-lock`",
    ]
    assert write_lock([], tmp_path) == ["a.b (gone)"]


def test_a_damaged_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / f"{tmp_path.name}.lock").write_text("a.b one 00ff\n")
    with pytest.raises(BrokenClaim, match="restore the file"):
        read_lock(tmp_path)
