"""Every connection is opened in one place, and none draws on stdout."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sql.lakes import random_model, write_lake
from warehouse.catalog.connections import connect

PROJECT = Path(__file__).parents[2]
THE_ONE_PLACE = PROJECT / "warehouse" / "catalog" / "connections.py"

# Run by `python -c`, where DuckDB draws bars by default: the first line shows that it would.
ASK = """
import duckdb, sys
from pathlib import Path
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.connections import connect
from warehouse.lake import Lake

catalog = open_catalog(Lake("one", Path(sys.argv[1])))
for opened in (duckdb.connect(), connect(), catalog, catalog.cursor()):
    [(has_bar,)] = opened.sql("select current_setting('enable_progress_bar')").fetchall()
    print(has_bar)
"""


@pytest.mark.slow
def test_no_connection_has_a_progress_bar(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "one", {"a": random_model(1)})
    command = [sys.executable, "-c", ASK, str(lake.path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=PROJECT)
    assert run.stdout.split() == ["True", "False", "False", "False"]


@pytest.mark.parametrize("package", ["ingest", "warehouse", "analysis"])
def test_connections_are_opened_in_one_place(package: str) -> None:
    files = [path for path in (PROJECT / package).rglob("*.py") if path != THE_ONE_PLACE]
    assert files
    assert [f"{path.name}:{line}" for path in files for line in opening(path.read_text("utf-8"))] == []


def test_the_check_sees_every_way_to_open_one() -> None:
    assert list(opening(THE_ONE_PLACE.read_text("utf-8")))
    assert list(opening("import duckdb as d\nd.connect()")) == [2]
    assert list(opening("from duckdb import connect\n")) == [1]
    assert list(opening("from warehouse.catalog.connections import connect\nconnect()")) == []


def opening(source: str) -> Iterator[int]:
    """Lines that use DuckDB's own `connect`, under any name of the module."""
    tree = ast.parse(source)
    names = {"duckdb"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname for alias in node.names if alias.name == "duckdb" and alias.asname}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in names and node.attr == "connect":
                yield node.lineno
        elif (
            isinstance(node, ast.ImportFrom)
            and node.module == "duckdb"
            and any(alias.name == "connect" for alias in node.names)
        ):
            yield node.lineno


def test_no_query_makes_duckdb_fetch_or_load_an_extension(tmp_path: Path) -> None:
    for connection in (connect(), connect(tmp_path / "new.duckdb")):
        [settings] = connection.sql(
            "select current_setting('autoinstall_known_extensions'), "
            "current_setting('autoload_known_extensions')"
        ).fetchall()
        assert settings == (False, False)
