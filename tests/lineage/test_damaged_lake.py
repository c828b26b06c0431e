"""Questions to a lake with a file that is gone, cut short or damaged: one line that says what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from analysis.__main__ import main
from tests.sql.lakes import random_model, write_lake
from tests.warehouse.test_catalog_known import wipe_pages
from warehouse.catalog.catalog import ensure_catalog
from warehouse.console.command import command
from warehouse.lake import Lake
from warehouse.storage.commit import write_lock
from warehouse.storage.compaction import compact


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


@pytest.fixture
def lake(data: Path) -> Lake:
    """Gathered, and asked before it was damaged: its catalog is there."""
    models = {name: random_model(seed) for seed, name in enumerate("abc")}
    lake = write_lake(data / "lake", models)
    with write_lock(lake):
        assert compact(lake) == 3
    ensure_catalog(lake)
    return lake


@pytest.mark.slow
@pytest.mark.parametrize("damage", [Path.unlink, cut_short, wipe_pages])
@pytest.mark.parametrize(
    "question", [("nearest", "a"), ("lineage", "a", "b"), ("lineage",), ("compare", "a", "b")]
)
def test_it_says_so_in_one_line(
    lake: Lake, damage: Callable[[Path], None], question: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    damage(lake.file("vectors", "00001"))
    assert main([*question, "--lake", "lake"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    about, error = said.err.splitlines()
    assert about == "lake lake: 3 models (local)"
    assert error.startswith("error: the lake cannot be read (")
    assert "`just check LAKE` names damaged files and what mends them" in error


def test_a_mistake_in_our_own_sql_is_no_damage() -> None:
    @command()
    def asks() -> int:
        duckdb.sql("from no_such_table")
        return 0

    with pytest.raises(duckdb.CatalogException):
        asks()
