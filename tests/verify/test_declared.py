"""What people write as a base is understood, and the view shows what models declare."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.verify.declared import declared_bases, repo_of, stored_model
from tests.sql.lakes import model_row, random_model, replace_row, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.rows import DeclaredBase


@pytest.mark.parametrize(
    ("text", "repo"),
    [
        ("owner/base", "owner/base"),
        ("owner/base@main", "owner/base"),
        ("https://huggingface.co/owner/base", "owner/base"),
        ("https://huggingface.co/owner/base/tree/main", "owner/base"),
        (" owner/base/ ", "owner/base"),
        ("base", None),
        ("../../etc/passwd", None),
        ("owner/base; rm -rf", None),
        ("https://[broken", None),
        ("", None),
    ],
)
def test_a_base_is_a_repo_with_or_without_address_and_revision(text: str, repo: str | None) -> None:
    assert repo_of(text) == repo


@pytest.mark.slow
def test_the_view_has_one_row_per_declared_base(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "made", {"mine": random_model(1), "other": random_model(2)})
    bases: list[DeclaredBase] = [
        {"base": "test/other", "relation": "merge", "read_from": "README.md"},
        {"base": "owner/third", "relation": None, "read_from": "README.md"},
    ]
    replace_row(lake, replace(lake.model("mine"), declared_bases=bases))
    with open_catalog(lake) as connection:
        found = connection.sql("select model, base, relation, is_stored from declarations").fetchall()
        mine = stored_model(connection, "mine")
        assert mine is not None
        declared = declared_bases(connection, mine)
        stored = [stored_model(connection, name) for name in ("TEST/Other", "other", "owner/third")]
    assert found == [("mine", "test/other", "merge", True), ("mine", "owner/third", None, True)]
    assert [(one.base, one.relation, one.read_from) for one in declared] == [
        ("test/other", "merge", "README.md"),
        ("owner/third", None, "README.md"),
    ]
    assert [one.model if one else None for one in stored] == ["other", "other", None]
    assert model_row("mine", "local").declared_bases is None
