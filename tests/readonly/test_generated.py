"""No query writes a byte: hundreds of spellings of statements that write or only look as if they did."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

from analysis.explore.asking import Explored, ask
from analysis.query import run_query
from tests.readonly.attacks import AROUND_A_COPY, reading, writing
from tests.readonly.conftest import content
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import SQL
from warehouse.errors import UsageError
from warehouse.lake import Lake

VARIANTS = 160
BY_COMMAND = 24
READING_VARIANTS = 96


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def files(lake: Path, scratch: Path) -> list[str]:
    """New files and existing ones, in the lake, the project, and elsewhere."""
    return [
        f"{lake}/planted.csv",
        f"{lake}/models/base.parquet",
        f"{lake}/norms/../warehouse.duckdb",
        f"{SQL}/macros/planted.sql",
        f"{SQL}/macros/compare.sql",
        f"{scratch}/planted.csv",
        "planted.csv",
        "../planted.csv",
    ]


@pytest.mark.slow
def test_the_page_refuses_every_writing_query(shown: Explored, lakes: Path, scratch: Path) -> None:
    before = content(lakes, SQL, scratch.parent)
    for query in writing(random.Random(1), files(lakes / "shown", scratch), VARIANTS):
        assert ask(shown, query).rows is None, query
    assert content(lakes, SQL, scratch.parent) == before


@pytest.mark.slow
def test_the_command_refuses_every_writing_query(
    asked: Lake, lakes: Path, scratch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = content(lakes, SQL, scratch.parent)
    for query in writing(random.Random(2), files(asked.path, scratch), BY_COMMAND):
        try:
            code = run_query(query, "csv", "asked", None)
        except UsageError:
            code = 1
        assert code == 1, query
        assert capsys.readouterr().out == "", query
    assert content(lakes, SQL, scratch.parent) == before


@pytest.mark.slow
def test_the_same_queries_write_where_nobody_judges_them(asked: Lake, scratch: Path) -> None:
    """Otherwise the two tests above would show nothing."""
    written = 0
    numbers = random.Random(3)
    with open_catalog(asked) as connection:
        for number, query in enumerate(writing(numbers, ["{file}"], VARIANTS, AROUND_A_COPY)):
            file = scratch / str(number)
            with suppress(duckdb.Error):
                connection.execute(query.replace("{file}", str(file)))
            written += file.exists()
    assert written > 0.8 * VARIANTS


@pytest.mark.slow
def test_queries_that_only_mention_writing_are_run(shown: Explored) -> None:
    for query in reading(random.Random(4), READING_VARIANTS):
        answer = ask(shown, query)
        assert answer.rows is not None, (query, answer.note)
