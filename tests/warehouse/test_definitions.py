"""A file of `sql/views` or `sql/macros` creates one view or macro, its own, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.__main__ import main
from tests.sql.lakes import random_model, write_lake
from warehouse.catalog import definitions
from warehouse.catalog.catalog import build_catalog
from warehouse.errors import FormatError

HEADER = "-- one row per test\n"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("views/planted.sql", "select 1; copy (select 1) to '{file}'"),
        ("views/planted.sql", "select 1;\nselect 2"),
        ("views/planted.sql", "copy (select 1) to '{file}'"),
        ("views/planted.sql", "-- a query is missing"),
        ("views/planted.sql", "select (1"),
        ("views/planted.sql", "select 1\n/* ; */; attach '{file}' as e"),
        ("views/planted as select 1; attach '{file}' as e --.sql", "select 1"),
        ("macros/planted.sql", "create macro planted() as 1; copy (select 1) to '{file}'"),
        ("macros/planted.sql", "copy (select 1) to '{file}'"),
        ("macros/planted.sql", "create macro other() as 1"),
        ("macros/planted.sql", "create or replace macro planted() as 1"),
        ("macros/planted.sql", "create table planted as select 1"),
        ("macros/planted.sql", "create macro main.planted() as 1"),
        ("macros/planted.sql", ""),
    ],
)
def test_a_file_that_does_more_than_create_its_own_is_refused_by_name(
    tmp_path: Path, file: str, text: str
) -> None:
    written = tmp_path / "written"
    folder = tmp_path / "sql"
    for kind in ("views", "macros"):
        (folder / kind).mkdir(parents=True)
    planted = folder / file.replace("{file}", "x")
    planted.write_text(HEADER + text.replace("{file}", str(written)))
    [found] = definitions.definitions(folder)
    with pytest.raises(FormatError, match=r"^sql/\w+/planted.*\.sql.*(restore it)$") as refusal:
        _ = found.statement
    assert "\n" not in str(refusal.value)
    assert not written.exists()


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("views/planted.sql", "with a as (select ';' as b) -- one; two\nfrom a;"),
        ("views/Planted.sql", "from (pivot (select 1 as a) on a in (1))"),
        ("macros/planted.sql", "create macro planted(one, other := ';') as table select one -- ;\n"),
        ("macros/planted.sql", 'create /* its */ macro "planted" (one) as one'),
    ],
)
def test_one_statement_is_taken_however_it_is_written(tmp_path: Path, file: str, text: str) -> None:
    for kind in ("views", "macros"):
        (tmp_path / kind).mkdir()
    (tmp_path / file).write_text(HEADER + text)
    [found] = definitions.definitions(tmp_path)
    assert found.statement.endswith(text)


@pytest.mark.slow
def test_no_catalog_is_built_with_such_a_file(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = write_lake(data / "lake", {"a": random_model(1)})
    build_catalog(lake)
    own = definitions.definitions()
    one = definitions.Definition("planted", f"select 1; copy (select 1) to '{tmp_path}/written'", "planted")
    monkeypatch.setattr("warehouse.catalog.catalog.definitions", lambda: [*own, one])
    monkeypatch.setattr("warehouse.catalog.catalog._definitions_signature", lambda *_: "changed")
    assert main(["sql", "from models", "--lake", "lake"]) == 1
    assert capsys.readouterr().err == (
        "error: sql/views/planted.sql must hold one query and nothing else: correct or restore it\n"
    )
    assert not (tmp_path / "written").exists()
