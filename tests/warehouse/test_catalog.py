"""The catalog: its descriptions, when it is rebuilt, and whether filters reach the scans."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

import duckdb
import pytest

from tests.sql.conftest import rows
from tests.sql.lakes import add_model, random_model, write_lake
from warehouse.catalog import catalog as catalog_module
from warehouse.catalog.catalog import build_catalog, ensure_catalog, open_catalog
from warehouse.catalog.definitions import SQL, column_descriptions, definitions
from warehouse.catalog.places import catalog_file
from warehouse.lake import Lake
from warehouse.storage.commit import write_lock
from warehouse.storage.compaction import compact

CLI = Path(sys.executable).with_name("duckdb")


def older_client(lake: Lake, query: str, folder: Path) -> str:
    """The answer of PyPI's command line (1.5.6), started in another folder."""
    command = [str(CLI), "-readonly", "-csv", "-noheader", str(catalog_file(lake)), "-c", query]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_every_published_view_and_column_is_described(catalog: duckdb.DuckDBPyConnection) -> None:
    undescribed = catalog.sql("""
        select table_name, column_name from duckdb_columns()
        where not internal and schema_name = 'main' and comment is null and not starts_with(table_name, '_')
    """).fetchall()
    assert undescribed == []
    for view, comment in catalog.sql(
        "select view_name, comment from duckdb_views() where schema_name = 'main' and not internal"
    ).fetchall():
        assert comment.startswith("one row"), view


@pytest.mark.slow
def test_every_description_of_a_column_is_used(catalog: duckdb.DuckDBPyConnection) -> None:
    used = {name for (name,) in catalog.sql("select column_name from duckdb_columns()").fetchall()}
    assert column_descriptions().keys() <= used


def test_the_catalog_stores_the_csv_files_of_sql_and_a_summary_only(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    tables = catalog.sql("select table_name from duckdb_tables() where not internal").fetchall()
    csv = {"documents", "printed", "measured", "real_models", "slice_calibration", "peer_rules", "anchors"}
    stored = csv | {"source_counts", "lake_hash"}
    assert {name for (name,) in tables} == stored
    views = catalog.sql("select sql from duckdb_views() where not internal").fetchall()
    assert not any("read_csv" in sql for (sql,) in views)


def test_sql_files_are_short_and_keep_what_the_linter_cannot_see() -> None:
    """One test for all: hundreds of tests of a millisecond each would take seconds to set up."""
    for path in sorted(SQL.rglob("*.sql")):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("-- "), path
        assert text.count("\n") <= 120, path
        # neither means the same in both versions of DuckDB
        assert path.parent.name == "spark" or not re.search(r"\$\w|->", re.sub("--.*", "", text)), path
        for line, after in pairwise(text.splitlines()):
            if re.match(r"\s*with\b", line):
                assert line.strip() in ("with", "with recursive"), f"{path}: a line of its own for `with`"
                assert after == "", f"{path}: a blank line follows `with`"


@pytest.mark.parametrize(
    "query",
    [
        "select * from pairs where model_a = 'base' and model_b = 'noisy'",
        "select * from matched_layers where model_a = 'base' and model_b = 'noisy'",
    ],
)
def test_a_filter_on_the_models_reaches_the_scans(catalog: duckdb.DuckDBPyConnection, query: str) -> None:
    [(_, plan)] = catalog.sql(f"explain analyze {query}").fetchall()
    scans = [tuple(map(int, pair)) for pair in re.findall(r"Row Groups Scanned: (\d+) / (\d+)", plan)]
    assert scans  # one scan may serve both sides of the join
    for read, there in scans:
        assert read <= 2, plan
        assert there > 9


@pytest.mark.slow
def test_a_new_model_is_known_to_the_next_command(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    with open_catalog(lake) as connection, pytest.raises(duckdb.Error, match="no model 'b' in this lake"):
        connection.sql("from compare('a', 'b')").fetchall()
    add_model(lake, "b", random_model(2))
    with open_catalog(lake) as connection:
        assert len(connection.sql("from compare('a', 'b')").fetchall()) == 9


@pytest.mark.slow
def test_the_older_command_line_gives_the_same_answers_from_another_folder(
    tiny: Lake, catalog: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    for query in (
        "select round(sum(pearson), 9), count(*) from pairs",
        "select round(sum(spearman), 9), round(sum(mean_abs_diff), 9) from matched_layers",
        "select round(sum(pearson_mean), 9) from nearest('base')",
        "select round(sum(pearson_contrast), 9) from summary('base', 'noisy')",
        "select round(sum(mean_bf16_steps), 9) from drift('base', 'noisy')",
        "select round(sum(cosine), 9) from similarity_matrix(2)",
        "select round(sum(cosine), 9) from within('base', [1, 2])",
        "select count(*) from centered",
        "select fingerprint from lake",
        "select count(comment) from duckdb_columns() where table_name = 'pairs'",
    ):
        expected = ",".join(str(value) for value in catalog.sql(query).fetchall()[0])
        assert older_client(tiny, query, tmp_path) == expected, query


@pytest.mark.slow
def test_all_views_and_macros_bind_in_the_older_command_line(tiny: Lake, tmp_path: Path) -> None:
    views = [one.name for one in definitions() if one.kind == "view"]
    older_client(tiny, ";".join(f"select count(*) from {view}" for view in views), tmp_path)
    mixed = "[{'model': 'base', 'layer': 1}, {'model': 'noisy', 'layer': 3}]"
    assert older_client(tiny, f"select count(*) from similarity_matrix_mixed({mixed})", tmp_path) == "8"
    assert older_client(tiny, "select count(*) from random_baseline(64, 1.0, 0.1, 5)", tmp_path) == "3"


@pytest.mark.slow
def test_models_of_bundles_and_models_by_themselves_are_found_by_name(tmp_path: Path) -> None:
    names = [*"abcde", "o'neil"]
    lake = write_lake(tmp_path / "lake", {name: random_model(seed) for seed, name in enumerate(names)})
    with write_lock(lake):
        assert compact(lake) == len(names)
    ensure_catalog(lake)
    add_model(lake, "alone", random_model(9))
    with open_catalog(lake) as connection:
        for name in names:
            quoted = name.replace("'", "''")
            assert len(connection.sql(f"from compare('{quoted}', 'alone')").fetchall()) == 9
        for wrong in ("f", "a/b", "/a", ""):
            with pytest.raises(duckdb.Error, match=f"no model '{wrong}' in this lake"):
                connection.execute("select known_models([$name])", {"name": wrong})
        with pytest.raises(duckdb.Error, match=r"no model 'alon' in this lake: did you mean alone\?"):
            connection.sql("from compare('a', 'alon')").fetchall()
    assert older_client(lake, "select count(*) from compare('alone', 'o''neil')", tmp_path) == "9"
    assert older_client(lake, "select known_models(['alone', 'b'])", tmp_path) == "true"


@pytest.mark.slow
def test_a_moved_lake_is_noticed_and_its_catalog_rebuilt(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "here" / "lake", {"a": random_model(1), "b": random_model(2)})
    ensure_catalog(lake)
    shutil.move(tmp_path / "here", tmp_path / "there")
    moved = Lake("lake", tmp_path / "there" / "lake")
    with open_catalog(moved) as connection:
        assert len(rows(connection, "from compare('a', 'b')")) == 9


@pytest.mark.slow
def test_changed_sql_files_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    first = ensure_catalog(lake).stat().st_ino
    assert ensure_catalog(lake).stat().st_ino == first
    monkeypatch.setattr(catalog_module, "VERSION", "another")
    assert ensure_catalog(lake).stat().st_ino != first


@pytest.mark.slow
def test_a_table_that_comes_into_being_is_noticed(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {})
    with open_catalog(lake) as connection:
        assert rows(connection, "from norms") == []
    add_model(lake, "a", random_model(1))
    with open_catalog(lake) as connection:
        assert rows(connection, "select count(*) as n from norms") == [{"n": 9 * 64}]


@pytest.mark.slow
def test_a_damaged_catalog_is_rebuilt(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1)})
    catalog_file(lake).write_bytes(b"not a database")
    with open_catalog(lake) as connection:
        assert len(rows(connection, "from models")) == 1


def test_a_lake_path_with_quotes_brackets_and_stars_works(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "it's [odd] *" / "lake", {"a": random_model(1)})
    with open_catalog(lake) as connection:
        assert len(rows(connection, "from vector_stats")) == 9


@pytest.mark.slow
def test_readers_and_builders_at_once_all_succeed(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1), "b": random_model(2)})
    build_catalog(lake)
    code = (
        "import sys; from pathlib import Path; from warehouse.lake import Lake;"
        "from warehouse.catalog.catalog import build_catalog, open_catalog;"
        "lake = Lake('lake', Path(sys.argv[1]));"
        "[(build_catalog(lake), open_catalog(lake).sql('from compare(\\'a\\', \\'b\\')').fetchall())"
        " for _ in range(2)]"
    )
    command = [sys.executable, "-c", code, str(lake.path)]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    reading = threading.Thread(target=lambda: [older_client(lake, "from models", tmp_path) for _ in range(3)])
    reading.start()
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    reading.join()
    assert not list(lake.path.glob(".*.draft"))


@pytest.mark.slow
def test_building_takes_well_under_a_second(tiny: Lake) -> None:
    seconds = []
    for _ in range(3):
        begin = time.process_time()  # the tests may share the machine
        build_catalog(tiny)
        seconds.append(time.process_time() - begin)
    assert min(seconds) < 0.7
