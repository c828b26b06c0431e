"""`just claims` as people meet it: results on stdout, talk on stderr, exit code 1 only for broken claims."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from analysis.claims.command import choose
from analysis.claims.results import VERDICTS, Item, Judged, Reading, Result, Run
from analysis.claims.show import MOST_FAILED, console, found_words, show_summary
from tests.claims.made import claim
from tests.claims.test_claim_file import text
from tests.claims.three_claims import HOLDS, RAISED, UNDEFINED, change, recorded, relock, run
from warehouse.errors import UsageError

HEADLINES = """
[[headline]]
step = "accusation"
items = ["sionic.x"]
by = { en = "sionic, in passing:", ko = "sionic:" }
said = { en = "two and two make four.", ko = "둘 더하기 둘은 넷이다." }
found = { en = "{0:.3f}", ko = "{0:.3f}" }
shows = { en = "Little.", ko = "거의 없음." }

[[headline]]
step = "accusation"
is_first = true
items = ["sionic.y"]
by = { en = "sionic, to everybody:", ko = "sionic:" }
said = { en = "norms are large.", ko = "norm이 크다." }
found = { en = "{0:.3f}", ko = "{0:.3f}" }
shows = { en = "Little.", ko = "거의 없음." }
"""
SIONIC_EN = "sionic-ai/solar-vs-glm, README in English"


@pytest.mark.slow
def test_statements_stand_under_their_document_and_section_with_the_counts_below(
    claims: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(claims, "--all") == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[1:4] == ["sionic", "sionic-ai/solar-vs-glm, README in Korean", SIONIC_EN]
    said = [line for line in lines if line.startswith(("reproduced: ", "not judged: ", "untestable: "))]
    assert said[:3] == [
        "reproduced: Two and two make four.",
        "not judged: Solar's norms are large.",
        "untestable: GLM has one norm.",
    ]
    assert "        found 4, said 4, which agrees" in lines
    assert "`just ingest hub glm` brings it" in lines[lines.index(said[2]) + 1]
    assert "just claims sionic.holds" in lines[lines.index(said[0]) - 1]
    assert "shown: Sums are sums. (findings.sum)" in lines
    assert lines[-3:] == [
        "documents: 3 items in 3 claims: 1 reproduced, 1 untestable, 1 not judged",
        "    (synthetic weights)",
        "our findings: 1: 1 shown",
    ]
    assert max(map(len, lines)) <= 80
    assert "lake replica: 1 model (replica)" in err
    assert "no evidence about the released weights" in err


@pytest.mark.slow
def test_what_is_not_judged_shows_no_figure_and_says_nothing_about_holding(
    claims: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(claims, "--all") == 0
    lines = capsys.readouterr().out.splitlines()
    after = lines[lines.index("not judged: Solar's norms are large.") + 1]
    assert "found" not in after
    assert run(claims, "sionic.misses") == 0
    out = capsys.readouterr().out
    assert "on this lake" in out
    assert "holds" not in out.partition("select")[0]


@pytest.mark.slow
def test_without_arguments_the_answer_fits_a_screen(
    claims: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    headlines = claims.parent / "documents" / "headlines.toml"
    headlines.write_text(HEADLINES)
    assert run(claims, "--as-if-hub") == 0
    judged = capsys.readouterr().out
    assert "as if from the hub: contradicted: sionic: Solar's norms are large." in judged
    assert run(claims) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[:3] == [
        "documents: 3 items in 3 claims: 1 reproduced, 1 untestable, 1 not judged",
        "    (synthetic weights)",
        "our findings: 1: 1 shown",
    ]
    assert "not judged: sionic, to everybody: norms are large." in out
    assert "wo and two" not in out
    assert "and 1 more: `--all`" in out
    assert "What does not hold" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert len(recorded(data)) == 1
    assert run(claims, "--all", "--as-if-hub") == 0
    assert "reproduced: sionic, in passing: two and two make four." in capsys.readouterr().out


def test_what_does_not_hold_is_counted_when_there_is_too_much_to_show(
    capsys: pytest.CaptureFixture[str],
) -> None:
    readings = (Reading("sionic.x", "plain", "it holds", None, None, 1.0, False, None),)
    items = [Item(f"sionic.{n}", "sionic", "analytic", f"Statement {n}.") for n in range(MOST_FAILED + 2)]
    judged = tuple(Judged(item, "contradicted", readings) for item in items)
    show_summary(Run([Result(claim("select 1"), judged)]), [], console(sys.stdout))
    out = capsys.readouterr().out
    assert f"Statement {MOST_FAILED - 1}." in out
    assert f"Statement {MOST_FAILED}." not in out
    assert "and 2 more: `--verdict contradicted`" in out


@pytest.mark.parametrize(
    ("statement", "observed", "holds", "words"),
    [
        ("the mean is near 0", 0.25, False, "asked whether the mean is near 0: no, found 0.25"),
        ("the mean is near 0", 0.0, True, "asked whether the mean is near 0: yes, found 0"),
        ("the mean is near 0", None, False, "asked whether the mean is near 0: undefined"),
        (None, 4.0, False, "found 4, said 3, which does not agree"),
    ],
)
def test_what_was_found_names_what_was_expected(
    statement: str | None, observed: float | None, holds: bool, words: str
) -> None:
    reading = Reading("sionic.x", "plain", statement, 3.0, 0.1, observed, holds, None)
    item = Item("sionic.x", "sionic", "analytic", "Statement.")
    assert found_words(Judged(item, "contradicted", (reading,))) == words


def test_what_does_not_hold_is_shown_of_all_groups_in_turn(capsys: pytest.CaptureFixture[str]) -> None:
    readings = (Reading("x", "plain", "it holds", None, None, 1.0, False, None),)
    judged = tuple(
        Judged(Item(f"{group}.{n}", group, "analytic", f"Statement {n}."), "contradicted", readings)
        for group, n in (("sionic", 1), ("sionic", 2), ("critique", 3), ("hyunwoong", 4))
    )
    show_summary(Run([Result(claim("select 1"), judged)]), [], console(sys.stdout))
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("contradicted: ")]
    assert [line.partition(": ")[2] for line in lines] == [
        "sionic: Statement 1.",
        "critique: Statement 3.",
        "hyunwoong: Statement 4.",
        "sionic: Statement 2.",
    ]


@pytest.mark.slow
def test_one_verdict_is_shown_alone_and_kept_out_of_the_ledger(
    claims: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(claims, "--verdict", "not-judged") == 0
    out = capsys.readouterr().out
    assert "Solar's norms are large." in out
    assert "Two and two" not in out
    assert run(claims, "--verdict", "shown") == 0
    assert "Sums are sums." in capsys.readouterr().out
    assert recorded(data) == []
    with pytest.raises(UsageError, match="no verdict 'contradict': did you mean contradicted"):
        run(claims, "--verdict", "contradict")


@pytest.mark.slow
def test_an_item_is_shown_in_full_with_its_claim_and_nothing_else(
    claims: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(claims, "sionic.y") == 0
    out, err = capsys.readouterr()
    assert "sionic.misses  v1" in out
    assert "Solar's norms are large." in out
    assert "GLM has one norm" not in out
    assert out.startswith("caution: synthetic replica")
    assert "caution" not in err
    assert run(claims, "sionic.y", "sionic.holds", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in told["claims"]] == ["sionic.holds", "sionic.misses"]
    holds = [one["items"][0]["readings"][0]["holds"] for one in told["claims"]]
    assert holds == [True, None]  # the second is not judged
    assert recorded(data) == []


@pytest.mark.slow
def test_one_document_is_shown_alone_and_kept_out_of_the_ledger(
    claims: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(claims, "--document", "sionic_ko") == 0
    out = capsys.readouterr().out
    assert "documents: 3 items in 3 claims" in out
    assert "our findings" not in out
    assert run(claims, "--document", "critique") == 0
    assert "documents: 0 items in 0 claims: none" in capsys.readouterr().out
    assert recorded(data) == []
    with pytest.raises(UsageError, match="no document 'sionc': did you mean sionic"):
        run(claims, "--document", "sionc")


@pytest.mark.slow
def test_as_if_from_the_hub_is_said_of_every_verdict_and_kept_out_of_the_ledger(
    claims: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(claims, "--all", "--as-if-hub") == 0
    lines = capsys.readouterr().out.splitlines()
    said = [line for line in lines if line.startswith("as if from the hub: ")]
    assert said[:2] == [
        "as if from the hub: reproduced: Two and two make four.",
        "as if from the hub: contradicted: Solar's norms are large.",
    ]
    assert not [line for line in lines if line.startswith(("reproduced", "contradicted", "documents: "))]
    assert recorded(data) == []


@pytest.mark.slow
def test_one_claim_in_full(claims: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(claims, "sionic.undefined") == 0
    out = capsys.readouterr().out
    for part in (
        "caution: synthetic replica",
        "sionic.undefined  v1",
        "Two and two are four.",
        "Reading: as sums",
        "undefined",
        "1 ± 0",
        UNDEFINED,
    ):
        assert part in out
    assert "sionic.holds" not in out


@pytest.mark.slow
def test_json_has_it_all_for_machines(claims: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(claims, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["lake"], told["sources"], told["run"]) == ("replica", "replica", 1)
    counted = {verdict: count for verdict, count in told["counts"].items() if count}
    assert counted == {"reproduced": 1, "untestable": 1, "not judged": 1}
    assert told["counts"].keys() == {*VERDICTS, "broken"}
    assert told["finding_counts"]["shown"] == 1
    assert told["claims"][2]["items"][0]["readings"][0]["observed"] is None
    assert told["claims"][0]["query"] == HOLDS


@pytest.mark.slow
def test_changes_since_an_earlier_run(claims: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(claims)
    capsys.readouterr()
    assert run(claims, "--since", "1") == 0
    assert capsys.readouterr().out == "nothing changed between run 1 and run 2\n"
    change(claims, "holds", ("2 + 2", "2 + 3"), RAISED)
    relock(claims)
    assert run(claims, "--since", "1") == 0
    out = capsys.readouterr().out
    assert "reproduced → contradicted" in out
    assert "4 → 5" in out
    assert "query" in out


@pytest.mark.slow
def test_a_broken_claim_is_named_the_others_run_and_the_exit_code_is_1(
    claims: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (claims / "sionic" / "no_header.sql").write_text("select 1")
    (claims / "sionic" / "no_query.sql").write_text(text("selec 1", id="sionic.no_query"))
    relock(claims)
    assert run(claims) == 1
    out, err = capsys.readouterr()
    assert "broken: sionic.no_header: the header has no `-- id:`" in err
    assert "broken: sionic.no_query: the query fails" in err
    assert (
        "3 items in 3 claims: 1 reproduced, 1 untestable, 1 not judged (synthetic weights), 2 broken"
        in " ".join(out.split())
    )
    assert run(claims, "sionic.no_header") == 1
    assert run(claims, "sionic.holds") == 0


@pytest.mark.slow
def test_an_unknown_claim_is_refused_with_the_nearest(claims: Path) -> None:
    with pytest.raises(
        UsageError, match=r"no claim, group or item 'sionic\.hold': did you mean sionic\.holds"
    ):
        run(claims, "sionic.hold")


@pytest.mark.slow
def test_a_group_stands_for_its_claims(claims: Path) -> None:
    sql = claims.parent
    every, group, one = (choose(ids, None, None, sql) for ids in ([], ["sionic"], ["sionic.holds"]))
    assert every.files.is_complete
    assert group.files.names == {"sionic.holds", "sionic.misses", "sionic.undefined"}
    assert one.files.names == {"sionic.holds"}
    assert (group.in_full, one.in_full) == (False, True)


@pytest.mark.slow
def test_an_unknown_run_is_refused_before_anything_is_run(claims: Path, data: Path) -> None:
    with pytest.raises(UsageError, match="no run 9"):
        run(claims, "--since", "9")
    assert recorded(data) == []
