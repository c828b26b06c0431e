"""`just benchmark`, rehearsed on the replica hub's population with made-up labels."""

from __future__ import annotations

import csv
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest

from analysis.__main__ import main
from analysis.lineage import benchmark
from ingest.replica.population import is_untouched, member_of
from ingest.replica.published import MISTRAL_7B
from ingest.replica.running import serve_in_process

MEMBERS = 16
BASE, STRANGER = (member_of(number, MEMBERS).name for number in (0, 1))
CHILD = next(
    member.name
    for member in (member_of(number, MEMBERS) for number in range(2, MEMBERS))
    if member.base == 0 and not is_untouched(member)
)
WIDE, ABSENT = MISTRAL_7B, "lab-99/nobody"
HEADER = "repo_a,repo_b,said,kind\n"
LABELS = f"""\
{HEADER}{BASE},{CHILD},related,fine-tuning
{BASE},{STRANGER},unrelated,no relation
{STRANGER},{CHILD},related,mislabelled
{BASE},{ABSENT},unrelated,no relation
{BASE},{WIDE},unrelated,no relation
"""


@dataclass(frozen=True)
class Run:
    code: int
    said: str
    rows: list[dict[str, str]]
    requests: int


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run, Run]:
    """The folder, and two runs, the second of which continues the first."""
    folder = tmp_path_factory.mktemp("rehearsal")
    (folder / "pairs.csv").write_text(LABELS)
    with pytest.MonkeyPatch.context() as patch, serve_in_process(population=MEMBERS) as hub:
        patch.setenv("NORMHOUSE_DATA", str(folder / "data"))
        patch.setenv("HF_ENDPOINT", hub.endpoint)
        patch.setenv("NO_PROXY", "127.0.0.1")
        found = []
        for _ in range(2):
            hub.counters(reset=True)
            with redirect_stdout(StringIO()) as said:
                code = run(folder)
            found.append(Run(code, said.getvalue(), results(folder), hub.counters()["requests"]))
    return folder, found[0], found[1]


def run(folder: Path, pairs: str = "pairs.csv") -> int:
    return main(["benchmark", str(folder / pairs), "--out", str((folder / pairs).with_suffix(".out.csv"))])


def results(folder: Path, pairs: str = "pairs.csv") -> list[dict[str, str]]:
    with (folder / pairs).with_suffix(".out.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_pairs_are_counted_by_label_and_kind_with_intervals(runs: tuple[Path, Run, Run]) -> None:
    _, first, _ = runs
    assert first.code == 0
    assert [row["result"] for row in first.rows] == ["found", "right", "missed", "refused", "cannot tell"]
    assert "related pairs found: 1 of 2 (95 % interval" in first.said
    assert "unrelated pairs called related: 0 of 2" in first.said
    assert f"{ABSENT}: " in first.said


@pytest.mark.slow
def test_a_second_run_asks_only_for_what_was_refused(runs: tuple[Path, Run, Run]) -> None:
    _, first, second = runs
    assert second.rows == first.rows
    assert 0 < second.requests < first.requests / 5


@pytest.mark.slow
def test_a_pair_that_is_labelled_unrelated_and_called_related_ends_with_1(
    runs: tuple[Path, Run, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, *_ = runs
    monkeypatch.setenv("NORMHOUSE_DATA", str(folder / "data"))
    (folder / "wrong.csv").write_text(f"{HEADER}{BASE},{CHILD},unrelated,mislabelled\n")
    assert run(folder, "wrong.csv") == 1
    assert [row["result"] for row in results(folder, "wrong.csv")] == ["false"]


@pytest.mark.parametrize("line", ["base,,related,x", "base,child,perhaps,x"])
def test_a_row_that_is_wrong_is_named_by_its_line(
    tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pairs.csv").write_text(f"{HEADER}{line}\n")
    assert run(tmp_path) == 1
    assert "pairs.csv, line 2: needs repo_a, repo_b and said" in capsys.readouterr().err


def test_the_shipped_pairs_can_be_read_and_name_no_pair_twice() -> None:
    rows = benchmark.read_pairs(benchmark.PAIRS)
    named = [frozenset((row["repo_a"], row["repo_b"])) for row in rows]
    assert len(named) == len(set(named)) > 250
    assert {row["said"] for row in rows} == {"related", "unrelated"}
