"""What is committed of the calibration meets its bars, and the README says what it says."""

from __future__ import annotations

import csv
import json
import re

import duckdb
import pytest

from analysis.__main__ import main
from analysis.lineage.slices.results import Results, check_bars, report_lines, results_of, stored_results
from tests.lineage.readme import README, table_row
from warehouse.tables import TABLES


@pytest.fixture(scope="module")
def stored() -> Results:
    return stored_results()


def test_every_bar_is_met(stored: Results) -> None:
    assert [text for text, holds in check_bars(stored) if not holds] == []


def test_the_readme_says_what_was_found(stored: Results) -> None:
    text = README.read_text("utf-8")
    said = " ".join(text.split())
    with_slices = text.partition("**Zoo of disguises, with slices**")[2]
    for name, rate in (
        ("models without relation", stored.unrelated),
        ("children as they are", stored.found(attacked=False)),
        ("children after the full attack", stored.found(attacked=True, held_to=False)),
    ):
        assert table_row(name, rate) in with_slices
    line = " ".join(report_lines(stored))
    for pattern in (r"largest exact z [0-9.]+, largest share [0-9.]+%", r"missed: (.*)\."):
        assert (found := re.search(pattern, line)) is not None
        assert found[found.re.groups] in said
    assert f"{stored.pairs('stress')} of the pairs without relation are of two models" in said


def test_no_seed_that_chose_the_thresholds_or_the_guards_judges_them() -> None:
    with TABLES["slice_calibration"].path.open(encoding="utf-8") as file:
        assert {row["seed"] for row in csv.DictReader(file)} == {"50000"}


@pytest.mark.slow
def test_every_verdict_is_what_sql_makes_of_the_statistics_beside_it(
    macros: duckdb.DuckDBPyConnection,
) -> None:
    """Nobody edited one by hand; what norms add in brackets is not stored with them."""
    by_slices = "slice_verdict(p_exact, 1, greatest(share_folded, share_plain), null, 2)"
    [(pairs, other)] = macros.sql(
        "select count(*), count_if(regexp_replace(verdict, ' [(].*?[)]', '') "
        f"<> lineage_answer(by_norms, {by_slices})) from slice_calibration"
    ).fetchall()
    assert pairs > 1_500
    assert other == 0


def test_limits_are_shown_and_not_counted(stored: Results) -> None:
    kinds = {row["transformation"]: row["kind"] for row in stored.seen}
    assert {name for name, kind in kinds.items() if kind in ("distilled", "limit")} == {
        "distilled",
        "new_embedding",
        "new_mlps",
    }
    assert not {row["kind"] for row in stored.held_to} & {"distilled", "limit"}


def test_a_wrong_answer_misses_its_bar(stored: Results) -> None:
    assert stored.pairs("all") >= 1_500
    wrong = {
        "model_a": "b00",
        "model_b": "b01",
        "relation": "independent",
        "grouping": "stress",
        "verdict": "share weight history, in disguise",
        "by_norms": "no sign",
        "transformation": None,
        "kind": None,
        "attacked": False,
        **dict.fromkeys(("z_norms", "z_order_folded", "z_order_plain", "z_sign_folded", "z_sign_plain"), 0.1),
        **dict.fromkeys(("z_tokenless_folded", "z_tokenless_plain", "share_folded", "share_plain"), 0.3),
    }
    missed = {
        **wrong,
        "model_b": "b00_copy",
        "relation": "related",
        "transformation": "copy",
        "kind": "child",
        "verdict": "no sign of shared history in norms and two layers",
    }
    attacked = {**missed, "model_b": "b00_copy_attacked", "attacked": True}
    bars = check_bars(results_of([wrong, missed, attacked]))
    assert [holds for _, holds in bars] == [False, False, False]
    assert "but not all of copy" in bars[1][0]


def test_the_calibration_is_told_in_words_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--slices"]) == 0
    out = capsys.readouterr().out
    assert out.count("met: ") == 3
    assert "norms_500" in out
    assert len(out.splitlines()) < 20
    assert main(["calibrate", "--slices", "--details"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 60
    assert main(["calibrate", "--slices", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [bar["met"] for bar in told["bars"]] == [True, True, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--slices", "--write"], "--write is for --real, --peers, or --slices with a --lake"),
        (["--slices", "--real"], "run one at a time"),
    ],
)
def test_what_does_not_go_together_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *arguments]) == 1
    assert message in capsys.readouterr().err
