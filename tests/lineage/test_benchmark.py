"""`just benchmark`: pairs with published labels are judged once, and what cannot be read is named."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from analysis.__main__ import main
from analysis.lineage import benchmark
from tests.lineage.planted import planted_models
from tests.sql.lakes import write_lake

LABELS = """\
repo_a,repo_b,said,kind
base,child,related,fine-tuning
base,stranger,unrelated,no relation
stranger,child,related,mislabelled
base,gated/model,unrelated,no relation
base,wide,unrelated,no relation
"""


@pytest.fixture
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NORMHOUSE_DATA", str(tmp_path / "data"))
    models = planted_models()
    names = ("base", "child", "stranger", "wide")
    write_lake(tmp_path / "data" / "benchmark", {name: models[name] for name in names})
    monkeypatch.setattr(benchmark, "_ingest", lambda *_, **__: "gated: set HF_TOKEN")
    file = tmp_path / "pairs.csv"
    file.write_text(LABELS)
    return file


def run(pairs: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, list[dict[str, str]]]:
    out = pairs.with_name("out.csv")
    code = main(["benchmark", str(pairs), "--out", str(out)])
    with out.open() as file:
        return code, capsys.readouterr().out, list(csv.DictReader(file))


@pytest.mark.slow
def test_pairs_are_counted_by_label_and_kind_with_intervals(
    pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said, rows = run(pairs, capsys)
    assert code == 0
    assert [row["result"] for row in rows] == ["found", "right", "missed", "refused", "cannot tell"]
    assert "related pairs found: 1 of 2 (95 % interval" in said
    assert "unrelated pairs called related: 0 of 2" in said
    assert "gated/model: gated: set HF_TOKEN" in said


@pytest.mark.slow
def test_a_pair_that_is_labelled_unrelated_and_called_related_ends_with_1(
    pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs.write_text("repo_a,repo_b,said,kind\nbase,child,unrelated,mislabelled\n")
    code, _, rows = run(pairs, capsys)
    assert (code, rows[0]["result"]) == (1, "false")


@pytest.mark.slow
def test_a_second_run_asks_only_what_was_refused(
    pairs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, before = run(pairs, capsys)
    asked: list[str] = []
    judge = benchmark._judge

    def remembered(
        pair: dict[str, str], lake: str, source: str, refused: dict[str, str], *, slices: bool
    ) -> dict[str, str]:
        asked.append(pair["repo_b"])
        return judge(pair, lake, source, refused, slices=slices)

    monkeypatch.setattr(benchmark, "_judge", remembered)
    _, _, after = run(pairs, capsys)
    assert asked == ["gated/model"]
    assert after == before


@pytest.mark.parametrize("line", ["base,,related,x", "base,child,perhaps,x"])
def test_a_row_that_is_wrong_is_named_by_its_line(
    pairs: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs.write_text(f"repo_a,repo_b,said,kind\n{line}\n")
    assert main(["benchmark", str(pairs)]) == 1
    assert "pairs.csv, line 2: needs repo_a, repo_b and said" in capsys.readouterr().err


def test_the_shipped_pairs_can_be_read_and_name_no_pair_twice() -> None:
    rows = benchmark.read_pairs(benchmark.PAIRS)
    named = [frozenset((row["repo_a"], row["repo_b"])) for row in rows]
    assert len(named) == len(set(named)) > 250
    assert {row["said"] for row in rows} == {"related", "unrelated"}
