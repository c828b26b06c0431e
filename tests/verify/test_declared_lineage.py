"""`declared_lineage` says of every declared base whether the weights fit, by the one lineage test."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from analysis.rows import fetch_dicts
from analysis.verify.declared import repo_of
from tests.verify.conftest import COPIES, DECLARED
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake


@pytest.fixture(scope="module")
def connection(lake: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(lake) as connection:
        yield connection


@pytest.mark.slow
def test_every_declared_base_has_its_agreement(connection: duckdb.DuckDBPyConnection) -> None:
    rows = fetch_dicts(connection, "from declared_lineage")
    agreements = {(row["model"], row["base"]): row["agreement"] for row in rows}
    assert agreements == {
        ("honest", "test/base"): "consistent",
        ("sibling", "https://huggingface.co/test/base"): "consistent",
        ("wrong", "test/stranger"): "not shown",
        ("adapter", "test/alone"): "nothing to check",
        ("merged_adapter", "test/base"): "consistent",
        ("merged", "test/base"): "consistent",
        ("merged", "TEST/Stranger"): "consistent",
        ("folded", "test/base"): "cannot tell",
        ("wide", "test/base"): "cannot tell",
        ("itself", "test/itself"): "cannot tell",
        ("renamed", "test/new"): "cannot tell",
        ("absent", "not a repo"): "base not in lake",
        ("of_copy", "test/copy"): "consistent",
        ("base_2", "base"): "base not in lake",
        ("copy", "test/base"): "consistent",
        ("folded_copy", "test/folded"): "cannot tell",
    }
    assert len(rows) == sum(map(len, DECLARED.values())) + sum(len(bases) for _, bases in COPIES.values())


@pytest.mark.slow
def test_the_verdict_is_that_of_the_pair(connection: duckdb.DuckDBPyConnection) -> None:
    """The rows are of the lineage test, asked for many pairs at once."""
    rows = fetch_dicts(connection, "from declared_lineage where z_eff is not null")
    assert len(rows) >= 6
    for row in rows:
        [alone] = fetch_dicts(
            connection,
            "select z_eff, needed_z, verdict from lineage($compared, $base_model)",
            {name: row[name] for name in ("compared", "base_model")},
        )
        assert {name: row[name] for name in alone} == alone


def test_equal_norms_without_a_pattern_are_no_evidence(connection: duckdb.DuckDBPyConnection) -> None:
    [row] = fetch_dicts(connection, "from declared_lineage where model = 'folded_copy'")
    assert row["verdict"] == "cannot tell: too few norms (0)"


def test_a_lake_without_declarations_has_no_rows(connection: duckdb.DuckDBPyConnection) -> None:
    """No list of pairs means all pairs to the lineage test; an empty one means none."""
    assert fetch_dicts(connection, "from declared_lineage_of(['alone', 'base'])") == []


@pytest.mark.parametrize(
    ("text", "repo"),
    [
        ("owner/name", "owner/name"),
        (" owner/name/ ", "owner/name"),
        ("owner/name@v1.0", "owner/name"),
        ("https://huggingface.co/owner/name", "owner/name"),
        ("https://huggingface.co/owner/name/tree/main", "owner/name"),
        ("http://hf.co/owner/na.me_2-b?x=1#y", "owner/na.me_2-b"),
        ("https://github.com/owner/name", None),
        ("https://huggingface.co.example.org/owner/name", None),
        ("https://huggingface.co/owner", None),
        ("owner/name/file.gguf", None),
        ("../owner/name", None),
        ("gpt2", None),
        ("own\x1ber/name", None),
        ("http://[", None),
        ("", None),
    ],
)
def test_a_repo_is_read_the_same_way_everywhere(
    text: str, repo: str | None, connection: duckdb.DuckDBPyConnection
) -> None:
    assert repo_of(text) == repo
    assert connection.execute("select repo_of($text)", {"text": text}).fetchall() == [(repo,)]
