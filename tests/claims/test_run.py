"""Verdicts: what holds, what does not, what cannot be told, and what is only rehearsed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from analysis.claims.claim_file import Claim, Evidence
from analysis.claims.run import Result, run_claims
from tests.sql.lakes import INPUT, random_model, write_lake
from warehouse.catalog import open_catalog
from warehouse.lake import Lake
from warehouse.schemas import Source


def claim(
    query: str, evidence: Evidence = "printed", needs: tuple[str, ...] = (), name: str = "a.b"
) -> Claim:
    return Claim(name, "title", ("hyunwoong",), "1", evidence, needs, 1, "", (), query)


def numeric(observed: str, expected: str = "0.3769", tolerance: str = "0.00005") -> str:
    return f"select 'x' as item, {expected} as expected, {tolerance} as tolerance, {observed} as observed"


@pytest.fixture(scope="module")
def connection(printed_lake: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(printed_lake) as opened:
        yield opened


def run(connection: duckdb.DuckDBPyConnection, *claims: Claim) -> list[Result]:
    results, broken = run_claims(connection, claims)
    assert broken == []
    return results


def reason(connection: duckdb.DuckDBPyConnection, query: str) -> str:
    results, broken = run_claims(connection, [claim(query)])
    assert results == []
    [one] = broken
    assert one.name == "a.b"
    assert "\n" not in one.reason
    return one.reason


def on(folder: Path, source: Source, asked: Claim) -> Result:
    lake = write_lake(folder, {"solar": random_model(1)}, source=source)
    with open_catalog(lake) as opened:
        return run(opened, asked)[0]


def test_a_figure_within_its_tolerance_is_reproduced(connection: duckdb.DuckDBPyConnection) -> None:
    [result] = run(connection, claim(numeric("0.37694")))
    assert (result.verdict, result.holding) == ("reproduced", 1)


def test_a_rounding_tie_holds_although_its_binary_fraction_misses(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    observed = "0.10015::double"
    exceeds = f"select abs({observed} - 0.1001::double) > 0.00005::double"
    assert connection.execute(exceeds).fetchall() == [(True,)]
    assert run(connection, claim(numeric(observed, expected="0.1001")))[0].verdict == "reproduced"


def test_the_slack_is_far_below_what_is_printed(connection: duckdb.DuckDBPyConnection) -> None:
    assert run(connection, claim(numeric("0.37695000001")))[0].verdict == "contradicted"
    assert run(connection, claim(numeric("1e-9", expected="0", tolerance="0")))[0].verdict == "contradicted"
    assert run(connection, claim(numeric("2162", expected="2162", tolerance="0")))[0].verdict == "reproduced"


def test_one_check_that_fails_contradicts_the_claim(connection: duckdb.DuckDBPyConnection) -> None:
    rows = "('x', 1, 0.1, 1.05), ('y', 1, 0.1, 1.3), ('z', 1, 0.1, 1.2)"
    query = f"select * from (values {rows}) as t(item, expected, tolerance, observed)"
    [result] = run(connection, claim(query))
    assert (result.verdict, result.holding, len(result.checks)) == ("contradicted", 1, 3)
    assert result.worst is not None
    assert result.worst.item == "y"
    assert result.worst.miss == pytest.approx(3)


@pytest.mark.parametrize("observed", ["null", "'nan'::double"])
def test_an_undefined_figure_is_not_zero_does_not_hold_and_is_no_evidence_against(
    connection: duckdb.DuckDBPyConnection, observed: str
) -> None:
    undefined = numeric(observed, expected="0", tolerance="1")
    [result] = run(connection, claim(undefined))
    assert (result.verdict, result.holding, result.checks[0].observed) == ("untestable", 0, None)
    assert "1 of 1 figures cannot be computed" in result.note
    wrong = numeric("5", expected="0", tolerance="1").replace("'x'", "'y'")
    assert run(connection, claim(f"{undefined} union all {wrong}"))[0].verdict == "contradicted"


def test_a_statement_that_is_neither_true_nor_false_does_not_hold(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    query = "select 'x' as item, 'rises' as statement, null::boolean as holds, 3 as observed"
    assert run(connection, claim(query))[0].verdict == "contradicted"
    assert run(connection, claim(query.replace("null::boolean", "true")))[0].verdict == "reproduced"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select 'x' as item, 1 as expected, 1 as observed", "return item, expected, tolerance, observed or"),
        ("select nothing from nowhere", "nowhere"),
        ("selec 1", "syntax error"),
        ("select 1 / 'one' as item", "fails"),
        (numeric("1") + "; " + numeric("2"), "more than one statement"),
        (numeric("1") + " union all " + numeric("2"), "item x comes twice"),
        (numeric("1").replace("'x'", "null"), "no item"),
        (numeric("1", expected="null"), "lacks expected"),
        (numeric("1") + " where false", "no rows"),
        ("create table t (i int)", "fails"),
    ],
)
def test_a_broken_query_is_named_with_the_reason(
    connection: duckdb.DuckDBPyConnection, query: str, said: str
) -> None:
    assert said in reason(connection, query)


def test_the_others_run_when_one_is_broken(connection: duckdb.DuckDBPyConnection) -> None:
    good = claim(numeric("0.3769"), name="a.good")
    results, broken = run_claims(connection, [claim("selec 1", name="a.bad"), good])
    assert [result.claim.id for result in results] == ["a.good"]
    assert [one.name for one in broken] == ["a.bad"]


def test_an_item_belongs_to_one_claim(connection: duckdb.DuckDBPyConnection) -> None:
    first, second = claim(numeric("1"), name="a.first"), claim(numeric("2"), name="a.second")
    results, broken = run_claims(connection, [first, second])
    assert [result.claim.id for result in results] == ["a.first"]
    assert "also an item of a.first" in broken[0].reason


def test_replica_weights_rehearse_and_local_weights_are_judged(tmp_path: Path) -> None:
    asked = claim(numeric("(select count(*) from norms)", expected="-1"), "weights", ("solar",))
    rehearsed = on(tmp_path / "replica", "replica", asked)
    judged = on(tmp_path / "local", "local", asked)
    assert (rehearsed.verdict, judged.verdict) == ("rehearsed", "contradicted")
    assert rehearsed.checks == judged.checks


@pytest.mark.parametrize("evidence", ["printed", "analytic", "toy"])
def test_what_needs_no_released_weights_is_judged_on_the_replica_too(
    tmp_path: Path, evidence: Evidence
) -> None:
    asked = claim(numeric("0.3769"), evidence, ("solar",) if evidence == "toy" else ())
    assert on(tmp_path / "replica", "replica", asked).verdict == "reproduced"


def test_a_missing_model_is_named_with_the_command_that_brings_it(tmp_path: Path) -> None:
    result = on(tmp_path / "hub", "hub", claim(numeric("null"), "weights", ("solar", "glm", "phi")))
    assert result.verdict == "untestable"
    assert result.note == "glm, phi missing; `just ingest hub glm phi` brings them"


def test_missing_toy_models_are_trained(tmp_path: Path) -> None:
    result = on(tmp_path / "hub", "hub", claim(numeric("null"), "toy", ("toy_ones_a",)))
    assert (result.verdict, result.note) == ("untestable", "toy_ones_a missing; `just toy` brings it")


def test_a_claim_that_cannot_be_tested_may_have_no_rows(tmp_path: Path) -> None:
    result = on(tmp_path / "hub", "hub", claim(numeric("1") + " where false", "weights", ("glm",)))
    assert (result.verdict, result.checks) == ("untestable", ())


def test_projections_are_asked_for_by_name(tmp_path: Path) -> None:
    asked = claim(numeric("7"), "weights", ("solar", "projections"))
    result = on(tmp_path / "norms", "hub", asked)
    assert result.verdict == "untestable"
    assert result.note == (
        "k_proj and v_proj of solar missing; `just ingest hub solar --projections 10,20,30` brings it"
    )
    models = {"solar": random_model(1)}
    matrices = {"solar": {(10, kind): models["solar"][0, INPUT] for kind in ("k_proj", "v_proj")}}
    lake = write_lake(tmp_path / "both", models, "hub", matrices)
    with open_catalog(lake) as opened:
        assert run(opened, asked)[0].verdict == "contradicted"
