"""A recorded run is kept whole, and a later one can be compared with it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from analysis.claims import ledger
from analysis.claims.results import Run
from tests.claims.conftest import empty_lake
from tests.claims.made import claim, reading, result
from warehouse.catalog.catalog import open_catalog
from warehouse.errors import LakeError, UsageError
from warehouse.lake import Lake

CLAIM = claim("select 1", "weights")
ONCE = Run([result(CLAIM, "reproduced", reading())])


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return empty_lake(tmp_path / "made")


def changed(
    lake: Lake, before: Run, after: Run, fingerprints: tuple[str, str] = ("f", "f")
) -> list[ledger.Change]:
    """What `after`, which is not recorded, changes against `before`."""
    number = ledger.append(lake, before, fingerprints[0])
    with duckdb.connect() as connection:
        return ledger.since(connection, lake, number, after, fingerprints[1])


@pytest.mark.slow
def test_a_run_is_rows_of_the_view_ledger(lake: Lake) -> None:
    assert ledger.append(lake, ONCE, "f00d") == 1
    with open_catalog(lake) as connection:
        query = """
            select run, claim, version, sql_sha256, fingerprint, item, reading, expected, observed, verdict
            from ledger
        """
        [row] = connection.execute(query).fetchall()
    assert row == ("000001", "a.b", 1, CLAIM.sha256, "f00d", "x", "plain", 0.95, 0.951, "reproduced")


@pytest.mark.slow
def test_a_plain_client_sees_the_first_run_at_once(lake: Lake) -> None:
    ledger.append(lake, ONCE, "f00d")
    with duckdb.connect(str(lake.path / "warehouse.duckdb"), read_only=True) as connection:
        assert connection.sql("select count(*) from ledger").fetchall() == [(1,)]


@pytest.mark.slow
def test_runs_are_numbered_and_earlier_ones_stay(lake: Lake) -> None:
    assert [ledger.append(lake, ONCE, "f") for _ in range(3)] == [1, 2, 3]
    assert ledger.runs(lake) == [1, 2, 3]
    names = {path.name for path in (lake.path / "ledger").iterdir()}
    assert names == {"run-000001.parquet", "run-000002.parquet", "run-000003.parquet"}


@pytest.mark.slow
def test_runs_at_the_same_time_each_get_a_number(lake: Lake) -> None:
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(lambda _: ledger.append(lake, ONCE, "f"), range(24)))
    assert sorted(numbers) == list(range(1, 25))
    assert all(pq.read_table(path).num_rows == 1 for path in (lake.path / "ledger").iterdir())


@pytest.mark.slow
def test_a_run_that_was_killed_is_no_run(lake: Lake) -> None:
    ledger.append(lake, ONCE, "f")
    unfinished = lake.store / f"{int(lake.folder.name) + 1:08}" / "ledger"
    unfinished.mkdir(parents=True)
    (unfinished / "run-000002.parquet").touch()
    assert ledger.append(lake, ONCE, "f") == 2
    with open_catalog(lake) as connection:
        assert connection.execute("select count(*) from ledger").fetchall() == [(2,)]


@pytest.mark.slow
def test_nothing_changed_is_nothing_to_show(lake: Lake) -> None:
    assert changed(lake, ONCE, ONCE) == []


@pytest.mark.slow
def test_the_last_digits_that_threads_shuffle_are_no_change(lake: Lake) -> None:
    nudged = Run([result(CLAIM, "reproduced", reading(observed=0.951 + 1e-15))])
    assert changed(lake, ONCE, nudged) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "fingerprint", "moved"),
    [
        ("select 1", "g", "data"),
        ("select 2", "f", "query"),
        ("select 2", "g", "query and data"),
    ],
)
def test_a_changed_figure_says_what_moved(lake: Lake, query: str, fingerprint: str, moved: str) -> None:
    failing = reading(observed=0.97, holds=False)
    after = Run([result(replace(CLAIM, query=query), "contradicted", failing)])
    [change] = changed(lake, ONCE, after, ("f", fingerprint))
    assert change == ledger.Change("a.b", "x", "plain", "reproduced", "contradicted", 0.951, 0.97, moved)


@pytest.mark.slow
def test_another_printed_figure_is_told_from_a_changed_query(lake: Lake) -> None:
    after = Run([result(CLAIM, "reproduced", replace(reading(), expected=0.94))])
    assert [change.moved for change in changed(lake, ONCE, after)] == ["printed figure"]


@pytest.mark.slow
def test_a_figure_that_became_undefined_is_a_change(lake: Lake) -> None:
    after = Run([result(CLAIM, "reproduced", reading(observed=None))])
    [change] = changed(lake, ONCE, after, ("f", "g"))
    assert (change.observed_after, change.moved) == (None, "data")


@pytest.mark.slow
def test_checks_of_one_run_only_are_shown_as_such(lake: Lake) -> None:
    other = Run([result(CLAIM, "reproduced", reading("y"))])
    moved = {change.item: change.moved for change in changed(lake, ONCE, other)}
    assert moved == {"x": "not in the later run", "y": "not in the earlier run"}


@pytest.mark.slow
def test_two_readings_of_an_item_are_two_rows_with_its_one_verdict(lake: Lake) -> None:
    both = result(CLAIM, "depends on the reading", reading(), reading("x", "other", 0.97, holds=False))
    ledger.append(lake, Run([both]), "f")
    with open_catalog(lake) as connection:
        rows = connection.execute("select reading, holds, verdict from ledger").fetchall()
    assert rows == [
        ("plain", True, "depends on the reading"),
        ("other", False, "depends on the reading"),
    ]


def test_a_run_that_does_not_exist_is_refused_with_those_that_do(lake: Lake) -> None:
    with pytest.raises(UsageError, match="run `just claims` first"):
        ledger.check_run(lake, 7)
    ledger.append(lake, ONCE, "f")
    with pytest.raises(UsageError, match=r"no run 7 .* the last are 1"):
        ledger.check_run(lake, 7)


def test_a_folder_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / ".gone").touch()  # where its snapshots would be
    with pytest.raises(LakeError, match="cannot lock"):
        ledger.append(Lake("gone", tmp_path / "gone"), ONCE, "f")


@pytest.mark.slow
def test_a_claim_that_a_run_left_out_is_compared_with_the_last_run_that_asked_it(lake: Lake) -> None:
    other = claim("select 2", "weights", name="other.claim")
    both = Run([result(CLAIM, "reproduced", reading()), result(other, "reproduced", reading(observed=1.0))])
    moved = Run(
        [result(CLAIM, "reproduced", reading()), result(other, "contradicted", reading(observed=2.0))]
    )
    ledger.append(lake, both, "f")
    ledger.append(lake, ONCE, "f")
    with duckdb.connect() as connection:
        [change] = ledger.since(connection, lake, 2, moved, "f")
    assert (change.claim, change.observed_before, change.observed_after) == ("other.claim", 1.0, 2.0)
