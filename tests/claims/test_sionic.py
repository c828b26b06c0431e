"""The sionic claims about weights say what numpy says of the same vectors."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

from analysis.claims.claim_file import Claim, read_claims
from analysis.claims.results import Reading, Run
from tests.claims import sionic_appendix, sionic_figures, sionic_tables
from tests.claims.by_numpy import about_weights, assert_same, readings_by_name
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

# "around 70", "about 0.01", and round figures read as rounded to tens; the headers say so
WIDER = {
    "sionic.scale.solar.post_norm_late": 5,
    "sionic.e1.params.solar": 5e9,
    "sionic.summary.pearson.solar_glm": 0.01,
    "sionic.summary.pearson.phi": 0.01,
}
WIDER |= sionic_figures.WIDER


def sionic_claims() -> list[Claim]:
    return [claim for claim in read_claims()[0] if claim.group == "sionic" and claim.evidence == "weights"]


@pytest.fixture(scope="module")
def checks(twelve_run: Run) -> dict[str, Reading]:
    return about_weights(twelve_run, "sionic")


@pytest.mark.slow
def test_every_item_is_what_numpy_computes(checks: dict[str, Reading]) -> None:
    assert_same(checks, sionic_tables.figures() | sionic_figures.figures() | sionic_appendix.figures())


@pytest.mark.slow
def test_expected_figures_and_tolerances_are_printed_for_their_item(
    checks: dict[str, Reading], twelve_catalog: duckdb.DuckDBPyConnection
) -> None:
    query = "select item, list((value, half_digit)) from files.printed group by item"
    printed = dict(twelve_catalog.execute(query).fetchall())
    figures = {item: check for item, check in checks.items() if check.statement is None}
    assert len(figures) > 100
    for item, check in figures.items():
        tolerance = WIDER.get(item, check.tolerance)
        assert check.tolerance == tolerance, item
        values, half_digits = zip(*printed[item.partition("@")[0]], strict=True)
        assert check.expected in values, item
        # a figure that was cut off stands for values up to a whole digit above it
        is_above = check.observed is not None and check.observed > values[0]
        allowed = [*half_digits, *(2 * half for half in half_digits if is_above)]
        assert item in WIDER or check.tolerance in allowed, item


@pytest.mark.slow
def test_without_the_models_no_item_vanishes_and_none_holds(
    checks: dict[str, Reading], twelve: Lake, tmp_path: Path
) -> None:
    lake = Lake("local", tmp_path / "local")
    left_out = [f"{name}.parquet" for name in ("solar", "glm", "intellect", "phi")]
    shutil.copytree(twelve.path, lake.path, ignore=shutil.ignore_patterns(*left_out, "*.duckdb"))
    with open_catalog(lake) as connection:
        found = readings_by_name(connection, sionic_claims())
    assert found.keys() == checks.keys()
    assert [item for item, reading in found.items() if reading.holds] == []


def test_what_norms_cannot_decide_is_untestable_and_says_why(
    twelve_run: Run,
) -> None:
    (result,) = (one for one in twelve_run.results if one.claim.id == "sionic.what_norms_cannot_decide")
    assert {judged.verdict for judged in result.items} == {"untestable"}
    for judged in result.items:
        assert (judged.plain.statement or "").startswith("not decided here: "), judged.item.item
