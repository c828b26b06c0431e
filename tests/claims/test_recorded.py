"""What `just claims`, `just claims-lock` and `just readme` record, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.claims.claim_file import BrokenClaim
from analysis.claims.headlines import rewrite
from analysis.claims.lock import read_lock
from tests.claims.test_claim_file import text
from tests.claims.three_claims import HOLDS, RAISED, change, lock, recorded, relock, run
from warehouse.errors import LakeError
from warehouse.lake import Lake


@pytest.mark.slow
def test_only_a_full_run_is_recorded(claims: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(claims, "sionic.holds") == 0
    before = files_below(data)
    for arguments in (["sionic.holds"], ["sionic"], ["findings"], ["--document", "sionic"], ["--as-if-hub"]):
        assert run(claims, *arguments) == 0
        assert run(claims, *arguments, "--json") == 0
    assert files_below(data) == before
    assert recorded(data) == []
    assert "ledger" not in capsys.readouterr().err
    assert run(claims) == 0
    assert recorded(data) == ["run-000001.parquet"]
    assert "run 1 is in the ledger of lake replica" in capsys.readouterr().err


@pytest.mark.slow
def test_one_claim_is_compared_with_a_run_and_not_recorded(
    claims: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(claims)
    capsys.readouterr()
    assert run(claims, "sionic.holds", "--since", "1") == 0
    assert capsys.readouterr().out == "nothing changed between run 1 and now\n"
    change(claims, "holds", ("2 + 2", "2 + 3"), RAISED)
    assert run(claims, "sionic.holds", "--since", "1", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    [moved] = told["changes"]
    assert (moved["claim"], moved["observed_after"], told["run"]) == ("sionic.holds", 5, None)
    assert run(claims, "--document", "sionic", "--since", "1") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 readings differ between run 1 and now"
    assert recorded(data) == ["run-000001.parquet"]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [[], ["sionic.holds"], ["--document", "sionic"], ["--as-if-hub"]])
def test_a_query_changed_under_its_version_is_refused_in_one_line(
    claims: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    change(claims, "holds", ("2 + 2", "2 + 3"))
    assert run(claims, *arguments) == 1
    out, err = capsys.readouterr()
    [said] = [line for line in err.splitlines() if line.startswith("broken: ")]
    assert said == (
        "broken: sionic.holds: the query changed but is still version 1: raise the version, say why in "
        "`-- history:`, then run `just claims-lock`"
    )
    assert "found 5" not in out


@pytest.mark.slow
def test_a_raised_version_can_be_looked_at_and_is_recorded_once_it_is_locked(
    claims: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(claims, "holds", ("2 + 2", "2 + 3"), RAISED)
    assert run(claims, "sionic.holds") == 0
    out, err = capsys.readouterr()
    assert "sionic.holds  v2" in out
    assert "sionic.holds is not locked yet: `just claims-lock` locks it" in err
    assert run(claims) == 1
    assert "broken: sionic.holds: version 2 is not locked: run `just claims-lock`" in capsys.readouterr().err
    assert lock(claims) == 0
    assert run(claims) == 0
    assert len(recorded(data)) == 2


@pytest.mark.slow
def test_an_item_of_two_claims_or_of_none_fails_a_full_run(
    claims: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (claims / "sionic" / "twice.sql").write_text(
        text(HOLDS, id="sionic.twice", evidence="analytic", needs="")
    )
    relock(claims)
    assert run(claims) == 1
    assert "broken: sionic.twice: item sionic.x is returned by sionic.holds too" in capsys.readouterr().err
    for name in ("holds", "twice"):
        (claims / "sionic" / f"{name}.sql").unlink()
    relock(claims)
    assert run(claims) == 1
    assert "broken: items.csv: no claim returns item sionic.x: " in capsys.readouterr().err
    assert run(claims, "sionic") == 0


@pytest.mark.slow
def test_claims_that_read_models_refuse_a_damaged_lake_and_others_do_not(claims: Path, data: Path) -> None:
    flip_a_byte(data / "replica" / "norms" / "solar.parquet")
    assert run(claims, "sionic.holds") == 0
    for arguments in (["sionic.misses"], ["sionic.undefined"], ["sionic"], []):
        with pytest.raises(LakeError, match="damaged"):
            run(claims, *arguments)
    assert recorded(data) == []


@pytest.mark.slow
def test_claims_about_models_trained_here_refuse_their_damaged_lake(claims: Path, own_zoo: Lake) -> None:
    change(claims, "misses", ("-- evidence: weights", "-- evidence: toy"))
    items = claims.parent / "documents" / "items.csv"
    items.write_text(items.read_text().replace("sionic.y,sionic,weights", "sionic.y,sionic,toy"))
    assert run(claims, "sionic.misses") == 0
    flip_a_byte(next(own_zoo.folder.glob("norms/*.parquet")))
    with pytest.raises(LakeError, match="'zoo' is damaged"):
        run(claims, "sionic.misses")


def files_below(folder: Path) -> dict[Path, int]:
    """Every file and folder, and when it was last changed."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def flip_a_byte(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


@pytest.mark.slow
def test_locking_runs_what_is_new_and_says_what_moved(
    claims: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (claims / "claims.lock").unlink()
    (claims.parent / "findings" / "findings.lock").unlink()
    assert lock(claims) == 0
    assert capsys.readouterr().out.splitlines() == [
        *(f"sionic.{name} v1 (new)" for name in ("holds", "misses", "undefined")),
        "findings.sum v1 (new)",
    ]
    assert recorded(data) == []
    assert lock(claims) == 0
    assert capsys.readouterr().out == "3 claims and 1 finding are locked as they are\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("selec 1", "the query fails: Parser Error"),
        ("select 'sionic.x' as item, 1 as observed", "returns item, observed: return item, reading,"),
        (HOLDS.replace("sionic.x", "sionic.q"), "item sionic.q is not in items.csv"),
    ],
    ids=["fails", "columns", "item"],
)
def test_a_query_that_cannot_be_judged_is_not_locked(
    claims: Path, capsys: pytest.CaptureFixture[str], query: str, said: str
) -> None:
    change(claims, "holds", (HOLDS, query), RAISED)
    (claims.parent / "findings" / "sum.sql").unlink()
    before = read_lock(claims)
    assert lock(claims) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert f"broken: sionic.holds: {said}" in err
    assert read_lock(claims) == before
    assert read_lock(claims.parent / "findings") != {}


@pytest.mark.slow
def test_nothing_is_locked_while_a_file_is_unreadable_or_changed_under_its_version(
    claims: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = read_lock(claims)
    change(claims, "holds", RAISED)
    change(claims, "misses", ("above 9", "above 8"))
    assert lock(claims) == 1
    assert "broken: sionic.misses: the query changed but is still version 1" in capsys.readouterr().err
    change(claims, "misses", ("above 8", "above 9"))
    (claims / "sionic" / "no_header.sql").write_text("select 1")
    assert lock(claims) == 1
    assert "broken: sionic.no_header" in capsys.readouterr().err
    assert read_lock(claims) == before


@pytest.mark.slow
def test_the_readme_is_left_as_it_is_by_a_broken_claim_and_a_damaged_lake(
    claims: Path, data: Path, tmp_path: Path
) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("as it is")
    lake = Lake("replica", data / "replica")
    change(claims, "holds", ("2 + 2", "2 + 3"))
    with pytest.raises(BrokenClaim, match=r"sionic\.holds is broken: the query changed but"):
        rewrite(lake, readme, claims.parent)
    flip_a_byte(lake.file("norms", "solar"))
    with pytest.raises(LakeError, match="damaged"):
        rewrite(lake, readme, claims.parent)
    assert readme.read_text() == "as it is"
