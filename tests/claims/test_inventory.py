"""Every statement of the documents is an item of exactly one claim, and every file keeps the contract."""

from __future__ import annotations

import csv
import io
import math
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from analysis.claims.claim_file import CLAIMS, FINDINGS, read_claims
from analysis.claims.results import Run, read_items
from analysis.claims.run import run_claims
from warehouse.catalog.catalog import ensure_catalog
from warehouse.catalog.connections import connect
from warehouse.catalog.definitions import definitions
from warehouse.documents import documents, read_printed
from warehouse.lake import Lake

FORBIDDEN = re.compile(r"\$\w|lambda")


@pytest.mark.slow
def test_every_item_is_in_exactly_one_claim(twelve_run: Run) -> None:
    judged = [one.item.item for result in twelve_run.results for one in result.items]
    assert Counter(judged) == Counter(list(read_items()))


def test_the_inventory_has_words_for_every_item() -> None:
    statements = [item.statement for item in read_items().values()]
    assert len(statements) > 481
    assert [words for words in statements if len(words) > 200 or not words.endswith((".", "?"))] == []
    assert [words for words, count in Counter(statements).items() if count > 1] == []


@pytest.mark.slow
def test_no_item_is_contradicted_while_a_reading_holds(twelve_run: Run) -> None:
    against = ("contradicted", "figures disagree")
    for result in twelve_run.results:
        for judged in result.items:
            if judged.verdict in against:
                assert not any(reading.holds for reading in judged.readings), judged.item.item


def test_documents_named_in_a_header_are_those_of_its_items(
    twelve_run: Run, twelve_catalog: duckdb.DuckDBPyConnection
) -> None:
    query = "select item, list(distinct document) from printed group by item"
    prints = dict(twelve_catalog.execute(query).fetchall())
    for result in twelve_run.results:
        for judged in result.items:
            name, group = judged.item.item, judged.item.group
            assert name.startswith(f"{group}."), name
            assert any(documents()[key].group == group for key in result.claim.documents), name
            assert not prints.get(name) or set(result.claim.documents) & set(prints[name]), name


@pytest.mark.parametrize(
    "path", sorted(CLAIMS.glob("*/*.sql")), ids=lambda path: f"{path.parent.name}.{path.stem}"
)
def test_a_claim_needs_neither_parameters_nor_lambdas(path: Path) -> None:
    assert not FORBIDDEN.search(re.sub("--.*", "", path.read_text(encoding="utf-8")))


def test_only_printed_and_analytic_claims_do_without_models(twelve_run: Run) -> None:
    for result in twelve_run.results:
        if result.claim.evidence in ("printed", "analytic"):
            assert result.claim.needs == (), result.claim.id


@pytest.mark.slow
def test_printed_claims_read_nothing_but_printed_and_the_views_on_it() -> None:
    asked = [claim for claim in read_claims()[0] if claim.evidence == "printed"]
    with connect() as connection:
        connection.from_arrow(read_printed()).create("printed")
        for view in definitions():
            if view.name.startswith("printed_"):
                connection.execute(view.statement)
        connection.execute(
            "create view models as "
            "select '' as model, '' as source, '' as repo, '' as registry_repo where false"
        )
        connection.execute(
            "create view measured_elsewhere as "
            "select '' as item, '' as source, 0.0 as measured, true as agrees, true as is_own where false"
        )
        run = run_claims(connection, asked)
    assert run.broken == []
    assert len(run.results) == len(asked) > 5


@pytest.mark.slow
def test_every_file_runs_alone_in_the_older_client(twelve_run: Run, twelve: Lake) -> None:
    """One session of the 1.5 command line reads each file as it is; its figures must be the same."""
    script = ".mode csv\n"
    for one in twelve_run.answered:
        group, name = one.claim.id.split(".")
        file = FINDINGS / f"{name}.sql" if group == FINDINGS.name else CLAIMS / group / f"{name}.sql"
        script += f".print ### {one.claim.id}\n.read '{file}'\n"
    command = [str(Path(sys.executable).with_name("duckdb")), "-readonly", str(ensure_catalog(twelve))]
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    answers = dict(part.split("\n", 1) for part in done.stdout.split("### ")[1:])
    for one in twelve_run.answered:
        table = csv.DictReader(io.StringIO(answers[one.claim.id]))
        rows = {(row["item"], row["reading"]): row["observed"] for row in table}
        assert rows.keys() == {(reading.item, reading.reading) for reading in one.readings}, one.claim.id
        if one.claim.id == "analytic.random_baseline":
            continue  # its draws are a hash, which the two versions compute differently
        for reading in one.readings:
            older = rows[reading.item, reading.reading]
            assert (older in ("", "NULL")) == (reading.observed is None), reading.item
            if reading.observed is not None:
                assert math.isclose(float(older), reading.observed, rel_tol=1e-9, abs_tol=1e-9), reading.item
