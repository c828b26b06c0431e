"""Every statement of the documents is an item of exactly one claim, and every file keeps the contract."""

from __future__ import annotations

import csv
import io
import math
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import duckdb
import pytest

from analysis.claims.claim_file import CLAIMS, read_claims
from analysis.claims.run import Result, run_claims
from warehouse.catalog import ensure_catalog
from warehouse.definitions import definitions
from warehouse.documents import ITEMS_CSV, OWN_GROUP
from warehouse.lake import Lake

FORBIDDEN = re.compile(r"\$\w|lambda")
DOCUMENT_GROUPS = {"sionic", "hyunwoong", "critique"}


@cache
def inventory() -> dict[str, tuple[str, str]]:
    """Evidence and group of each item."""
    with ITEMS_CSV.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({row["item"] for row in rows}) == len(rows)
    return {row["item"]: (row["evidence"], row["group"]) for row in rows}


@pytest.fixture(scope="module")
def results(twelve_catalog: duckdb.DuckDBPyConnection) -> list[Result]:
    """All claims on twelve models; a broken one, or an item in two claims, fails here."""
    claims, unreadable = read_claims()
    found, broken = run_claims(twelve_catalog, claims)
    assert unreadable + broken == []
    return found


def test_the_inventory_has_all_statements() -> None:
    assert Counter(evidence for evidence, _ in inventory().values()) == {
        "weights": 306,
        "toy": 63,
        "printed": 59,
        "analytic": 53,
    }


def test_every_item_is_in_a_claim_of_its_evidence_and_group(results: list[Result]) -> None:
    found = {
        check.item: (result.claim.evidence, result.claim.group)
        for result in results
        for check in result.checks
    }
    assert {item: found.get(item) for item in inventory()} == inventory()


def test_other_items_are_second_readings_or_named_after_their_group(results: list[Result]) -> None:
    for result in results:
        for check in result.checks:
            base = check.item.partition("@")[0]
            own = (
                check.item.startswith(f"{result.claim.group}.") and result.claim.group not in DOCUMENT_GROUPS
            )
            assert base in inventory() or own, (result.claim.id, check.item)


def test_documents_named_in_a_header_are_those_of_its_items(
    results: list[Result], twelve_catalog: duckdb.DuckDBPyConnection
) -> None:
    prints = dict(
        twelve_catalog.execute("select item, list(distinct document) from printed group by item").fetchall()
    )
    for result in results:
        for check in result.checks:
            base = check.item.partition("@")[0]
            if base in inventory() and result.claim.group != OWN_GROUP:
                family = base.partition(".")[0]
                assert any(document.startswith(family) for document in result.claim.documents), check.item
                if prints.get(base):
                    assert set(result.claim.documents) & set(prints[base]), check.item


@pytest.mark.parametrize(
    "path", sorted(CLAIMS.glob("*/*.sql")), ids=lambda path: f"{path.parent.name}.{path.stem}"
)
def test_a_claim_needs_neither_parameters_nor_lambdas(path: Path) -> None:
    assert not FORBIDDEN.search(re.sub("--.*", "", path.read_text(encoding="utf-8")))


def test_only_printed_and_analytic_claims_do_without_models(results: list[Result]) -> None:
    for result in results:
        is_without = result.claim.needs == ()
        assert is_without == (result.claim.evidence in ("printed", "analytic")), result.claim.id


def test_printed_claims_read_nothing_but_printed_and_the_views_on_it(twelve: Lake) -> None:
    claims, _ = read_claims()
    with duckdb.connect() as connection:
        connection.execute(f"create view printed as from '{twelve.path}/printed/printed.parquet'")
        for view in definitions():
            if view.name.startswith("printed_"):
                connection.execute(view.statement)
        connection.execute("create view models as select '' as model, '' as source where false")
        found, broken = run_claims(connection, [claim for claim in claims if claim.evidence == "printed"])
    assert broken == []
    assert len(found) > 30


def test_every_claim_file_runs_alone_in_the_older_client(results: list[Result], twelve: Lake) -> None:
    """One session of the 1.5 command line reads each file as it is; its figures must be the same."""
    script = ".mode csv\n"
    for result in results:
        file = CLAIMS / result.claim.group / f"{result.claim.id.partition('.')[2]}.sql"
        script += f".print ### {result.claim.id}\n.read '{file}'\n"
    command = [str(Path(sys.executable).with_name("duckdb")), "-readonly", str(ensure_catalog(twelve))]
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    answers = dict(part.split("\n", 1) for part in done.stdout.split("### ")[1:])
    for result in results:
        rows = {row["item"]: row["observed"] for row in csv.DictReader(io.StringIO(answers[result.claim.id]))}
        assert rows.keys() == {check.item for check in result.checks}, result.claim.id
        if result.claim.id == "analytic.random_baseline":
            continue  # its draws are a hash, which the two versions compute differently
        for check in result.checks:
            older = rows[check.item]
            assert (older in ("", "NULL")) == (check.observed is None), check.item
            if check.observed is not None:
                assert math.isclose(float(older), check.observed, rel_tol=1e-9, abs_tol=1e-9), check.item
