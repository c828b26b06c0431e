"""Verdicts: what holds, what does not, what cannot be told, and what is not judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from analysis.claims.claim_file import Broken, Claim, Evidence
from analysis.claims.lock import ClaimFiles
from analysis.claims.results import Result
from analysis.claims.run import run_claims, run_files
from tests.claims.made import claim, inventory
from tests.sql.lakes import INPUT, random_model, replace_row, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake
from warehouse.rows import Source


def numeric(
    observed: str, expected: str = "0.3769", tolerance: str = "0.00005", reading: str = "plain"
) -> str:
    return (
        f"select 'x' as item, '{reading}' as reading, {expected} as expected, {tolerance} as tolerance, "
        f"{observed} as observed"
    )


@pytest.fixture(scope="module")
def connection(printed_lake: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(printed_lake) as opened:
        yield opened


def run(connection: duckdb.DuckDBPyConnection, *claims: Claim, item: str = "") -> list[Result]:
    """`item` is the evidence of every item, if it is not the claim's."""
    found = run_claims(connection, claims, items=inventory(item or claims[0].evidence, "x", "y", "z"))
    assert found.broken == []
    return found.results


def verdict(connection: duckdb.DuckDBPyConnection, query: str, evidence: Evidence = "analytic") -> str:
    [result] = run(connection, claim(query, evidence))
    [judged] = result.items
    return judged.verdict


def reason(connection: duckdb.DuckDBPyConnection, query: str, evidence: str = "printed") -> str:
    found = run_claims(connection, [claim(query)], items=inventory(evidence, "x"))
    assert found.results == []
    [one] = found.broken
    assert one.name == "a.b"
    assert "\n" not in one.reason
    return one.reason


def on(folder: Path, source: Source, asked: Claim) -> Result:
    lake = write_lake(folder, {"solar": random_model(1)}, source=source)
    with open_catalog(lake) as opened:
        return run(opened, asked)[0]


def test_a_figure_within_its_tolerance_is_reproduced(connection: duckdb.DuckDBPyConnection) -> None:
    assert verdict(connection, numeric("0.37694")) == "reproduced"


def test_a_rounding_tie_holds_although_its_binary_fraction_misses(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    observed = "0.10015::double"
    exceeds = f"select abs({observed} - 0.1001::double) > 0.00005::double"
    assert connection.execute(exceeds).fetchall() == [(True,)]
    assert verdict(connection, numeric(observed, expected="0.1001")) == "reproduced"


def test_the_slack_is_far_below_what_is_printed(connection: duckdb.DuckDBPyConnection) -> None:
    assert verdict(connection, numeric("0.37695000001")) == "contradicted"
    assert verdict(connection, numeric("1e-9", expected="0", tolerance="0")) == "contradicted"
    assert verdict(connection, numeric("2162", expected="2162", tolerance="0")) == "reproduced"


def test_each_item_is_judged_by_itself(connection: duckdb.DuckDBPyConnection) -> None:
    rows = "('x', 'plain', 1, 0.1, 1.05), ('y', 'plain', 1, 0.1, 1.3), ('z', 'plain', 1, 0.1, 1.2)"
    query = f"select * from (values {rows}) as t(item, reading, expected, tolerance, observed)"
    [result] = run(connection, claim(query, "analytic"))
    assert [judged.verdict for judged in result.items] == ["reproduced", "contradicted", "contradicted"]
    assert result.counts == {"reproduced": 1, "contradicted": 2}
    assert [reading.miss for reading in result.readings] == pytest.approx([0.5, 3, 2])


@pytest.mark.parametrize(
    ("evidence", "plain", "other", "expected"),
    [
        ("analytic", True, True, "reproduced"),
        ("analytic", True, False, "depends on the reading"),
        ("analytic", False, True, "depends on the reading"),
        ("analytic", False, False, "contradicted"),
        ("toy", False, False, "contradicted"),
        ("printed", True, False, "depends on the reading"),
        ("printed", False, False, "figures disagree"),
    ],
)
def test_no_statement_is_contradicted_while_a_fair_reading_holds(
    connection: duckdb.DuckDBPyConnection, evidence: Evidence, plain: bool, other: bool, expected: str
) -> None:
    query = " union all ".join(
        numeric("0.3769" if holds else "0.5", reading=name)
        for name, holds in (("plain", plain), ("other", other))
    )
    assert verdict(connection, query, evidence) == expected


def test_a_reading_that_cannot_be_computed_is_left_aside(connection: duckdb.DuckDBPyConnection) -> None:
    other = numeric("null", reading="other")
    assert verdict(connection, f"{numeric('0.3769')} union all {other}") == "reproduced"
    assert verdict(connection, f"{numeric('0.5')} union all {other}") == "contradicted"


def test_a_definition_is_no_evidence_and_one_that_fails_is_a_wrong_query(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    [result] = run(connection, claim(numeric("0.3769"), "analytic"), item="definition")
    assert [judged.verdict for judged in result.items] == ["by definition"]
    assert "but does not hold" in reason(connection, numeric("0.5"), "definition")


def test_what_is_untestable_is_never_decided(connection: duckdb.DuckDBPyConnection) -> None:
    [result] = run(connection, claim(numeric("null"), "untestable"))
    assert [judged.verdict for judged in result.items] == ["untestable"]
    assert "untestable and yet decided" in reason(connection, numeric("0.3769"), "untestable")


@pytest.mark.parametrize("observed", ["null", "'nan'::double"])
def test_an_undefined_figure_is_not_zero_does_not_hold_and_is_no_evidence_against(
    connection: duckdb.DuckDBPyConnection, observed: str
) -> None:
    undefined = numeric(observed, expected="0", tolerance="1")
    wrong = numeric("5", expected="0", tolerance="1").replace("'x'", "'y'")
    [result] = run(connection, claim(f"{undefined} union all {wrong}", "analytic"))
    assert [judged.verdict for judged in result.items] == ["untestable", "contradicted"]
    assert [(reading.observed, reading.holds) for reading in result.readings] == [(None, False), (5, False)]
    assert "1 of 2 cannot be decided" in result.note


def test_a_statement_that_is_neither_true_nor_false_does_not_hold(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    query = """
        select 'x' as item, 'plain' as reading, 'rises' as statement, null::boolean as holds, 3 as observed
    """
    assert verdict(connection, query) == "contradicted"
    assert verdict(connection, query.replace("null::boolean", "true")) == "reproduced"
    assert verdict(connection, query.replace("3 as", "null as")) == "untestable"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select 'x' as item, 1 as observed", "return item, reading, expected, tolerance, observed or"),
        ("select nothing from nowhere", "nowhere"),
        ("selec 1", "syntax error"),
        ("select 1 / 'one' as item", "fails"),
        (numeric("1") + "; " + numeric("2"), "more than one statement"),
        (numeric("1") + " union all " + numeric("2"), "plain reading of x comes twice"),
        (numeric("1").replace("'x'", "null"), "no item"),
        (numeric("1", expected="null"), "lacks expected"),
        (numeric("1", reading="strict"), "item x has no plain reading"),
        (numeric("1").replace("'x'", "'new'"), "item new is not in items.csv"),
        (numeric("1") + " where false", "no rows"),
        ("create table t (i int)", "fails"),
    ],
)
def test_a_broken_query_is_named_with_the_reason(
    connection: duckdb.DuckDBPyConnection, query: str, said: str
) -> None:
    assert said in reason(connection, query)


def test_an_item_is_judged_by_the_evidence_that_the_inventory_gives_it(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    assert "has evidence weights in items.csv" in reason(connection, numeric("1"), "weights")


def test_the_others_run_when_one_is_broken(connection: duckdb.DuckDBPyConnection) -> None:
    good = claim(numeric("0.3769"), name="a.good")
    found = run_claims(connection, [claim("selec 1", name="a.bad"), good], items=inventory("printed", "x"))
    assert [result.claim.id for result in found.results] == ["a.good"]
    assert [one.name for one in found.broken] == ["a.bad"]


def test_an_item_that_no_claim_returns_is_broken_if_all_claims_ran(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    good, bad = claim(numeric("1"), name="a.good"), claim("selec 1", name="a.bad")
    files = ClaimFiles(inventory("printed", "x", "y", "z"), is_complete=True, claims=[good])
    assert run_files(connection, files).broken == [
        Broken("items.csv", "no claim returns item y (and 1 more): return it from a claim, or delete its row")
    ]
    assert run_files(connection, replace(files, is_complete=False)).broken == []
    of_bad = run_files(connection, replace(files, claims=[good, bad])).broken
    assert [one.name for one in of_bad] == ["a.bad"]


def test_an_item_belongs_to_one_claim(connection: duckdb.DuckDBPyConnection) -> None:
    first, second = claim(numeric("1"), name="a.first"), claim(numeric("2"), name="a.second")
    found = run_claims(connection, [first, second], items=inventory("printed", "x"))
    assert [result.claim.id for result in found.results] == ["a.first"]
    assert "item x is returned by a.first too" in found.broken[0].reason


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [("1", "1", "shown"), ("1", "2", "not shown"), ("1", "null", "untestable")],
)
def test_a_finding_is_shown_when_all_its_checks_hold(
    connection: duckdb.DuckDBPyConnection, first: str, second: str, said: str
) -> None:
    query = f"{numeric(first, '1')} union all {numeric(second, '1').replace(chr(39) + 'x', chr(39) + 'y')}"
    found = run_claims(connection, [], findings=[claim(query, name="findings.one")], items={})
    assert [(one.claim.id, one.verdict) for one in found.findings] == [("findings.one", said)]


@pytest.mark.slow
def test_only_what_came_from_the_registrys_repo_at_a_hub_is_judged(tmp_path: Path) -> None:
    asked = claim(numeric("(select count(*) from norms)", expected="-1"), "weights", ("solar",))
    judged = on(tmp_path / "hub", "hub", asked)
    assert (judged.counts, judged.note) == ({"contradicted": 1}, "")
    replica = on(tmp_path / "replica", "replica", asked)
    assert (replica.counts, replica.note) == ({"not judged": 1}, "")
    local = on(tmp_path / "local", "local", asked)
    assert local.counts == {"not judged": 1}
    assert local.note == (
        "not judged: solar is from a folder (local), not from the registry's repo at a hub; "
        "`just ingest hub solar --lake hub` brings it"
    )
    assert judged.readings == replica.readings == local.readings


@pytest.mark.slow
def test_another_repo_of_the_hub_under_a_registered_name_is_not_judged(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "hub", {"solar": random_model(1), "glm": random_model(2)}, "hub")
    replace_row(lake, replace(lake.model("solar"), registry_repo=None))
    about_solar, about_glm = (claim(numeric("1"), "weights", (model,)) for model in ("solar", "glm"))
    with open_catalog(lake) as opened:
        [unjudged], [judged] = run(opened, about_solar), run(opened, about_glm)
        [(caution,)] = opened.sql("select caution from lake").fetchall()
    assert unjudged.counts == {"not judged": 1}
    assert "solar is from test/solar" in unjudged.note
    assert judged.counts == {"contradicted": 1}
    assert caution.startswith("not from the registry's repo at a hub: solar.")


@pytest.mark.slow
def test_as_if_from_the_hub_a_replica_is_judged_too(tmp_path: Path) -> None:
    asked = claim(numeric("0.3769"), "weights", ("solar",))
    lake = write_lake(tmp_path / "replica", {"solar": random_model(1)}, source="replica")
    with open_catalog(lake) as opened:
        found = run_claims(opened, [asked], items=inventory("weights", "x"), as_if_hub=True)
    assert found.results[0].counts == {"reproduced": 1}


@pytest.mark.slow
@pytest.mark.parametrize("source", ["hub", "toy"])
def test_released_models_and_those_trained_here_carry_no_caution(tmp_path: Path, source: Source) -> None:
    lake = write_lake(tmp_path / "lake", {"solar": random_model(1), "toy_ones_a": random_model(2)}, source)
    with open_catalog(lake) as opened:
        assert opened.sql("select caution from lake").fetchall() == [(None,)]


@pytest.mark.slow
@pytest.mark.parametrize("evidence", ["printed", "analytic", "toy"])
def test_what_needs_no_released_weights_is_judged_on_the_replica_too(
    tmp_path: Path, evidence: Evidence
) -> None:
    asked = claim(numeric("0.3769"), evidence, ("solar",) if evidence == "toy" else ())
    assert on(tmp_path / "replica", "replica", asked).counts == {"reproduced": 1}


@pytest.mark.slow
def test_a_missing_model_is_named_with_the_command_that_brings_it(tmp_path: Path) -> None:
    result = on(tmp_path / "hub", "hub", claim(numeric("null"), "weights", ("solar", "glm", "phi")))
    assert result.counts == {"untestable": 1}
    assert result.note == "glm, phi missing; `just ingest hub glm phi` brings them"


@pytest.mark.slow
def test_missing_toy_models_are_trained(tmp_path: Path) -> None:
    result = on(tmp_path / "hub", "hub", claim(numeric("null"), "toy", ("toy_ones_a",)))
    assert (result.counts, result.note) == (
        {"untestable": 1},
        "toy_ones_a missing; `just toy --size published` brings it",
    )


@pytest.mark.slow
def test_a_claim_that_cannot_be_tested_may_have_no_rows(tmp_path: Path) -> None:
    result = on(tmp_path / "hub", "hub", claim(numeric("1") + " where false", "weights", ("glm",)))
    assert (result.items, result.note) == ((), "glm missing; `just ingest hub glm` brings it")


@pytest.mark.slow
def test_projections_are_asked_for_by_name(tmp_path: Path) -> None:
    asked = claim(numeric("7"), "weights", ("solar", "projections"))
    result = on(tmp_path / "norms", "hub", asked)
    assert result.counts == {"untestable": 1}
    assert result.note == (
        "k_proj and v_proj of solar missing; `just ingest hub solar --projections 10,20,30` brings it"
    )
    models = {"solar": random_model(1)}
    matrices = {"solar": {(10, kind): models["solar"][0, INPUT] for kind in ("k_proj", "v_proj")}}
    lake = write_lake(tmp_path / "both", models, "hub", matrices)
    with open_catalog(lake) as opened:
        assert run(opened, asked)[0].counts == {"contradicted": 1}
