"""What a user's SQL can do on a lake, by `just sql` and on the page of `just explore`: only read it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
import pytest

from analysis.__main__ import main
from analysis.explore import asking
from analysis.explore.asking import Explored, ask, layer_pairs
from analysis.readonly_sql import (
    LONGEST,
    REFUSED_PREFIX,
    REFUSED_SCALARS,
    lock_down,
    read_only_rows,
    reading_statements,
)
from tests.readonly.attacks import AROUND_A_COPY, COPIES, OTHERS, READING, filled
from tests.readonly.conftest import content
from tests.sql.lakes import tiny_models, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.catalog.definitions import SQL
from warehouse.errors import UsageError
from warehouse.lake import Lake

PROJECT = Path(__file__).parents[2]
a_table_in_python = pl.DataFrame({"secret": [1]})


Refusal = Callable[[str], str]
"""Asks a query that must be refused, and returns what is said."""


@pytest.fixture
def on_page(shown: Explored) -> Refusal:
    def refused(query: str) -> str:
        answer = ask(shown, query)
        assert answer.rows is None
        return answer.note

    return refused


@pytest.fixture
def by_command(capsys: pytest.CaptureFixture[str]) -> Refusal:
    def refused(query: str) -> str:
        assert main(["sql", query, "--lake", "asked"]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert "Traceback" not in said.err
        return said.err.partition("\n")[2]

    return refused


@pytest.mark.parametrize("kind", [*AROUND_A_COPY, *OTHERS])
def test_a_query_that_would_write_is_refused(
    on_page: Refusal, by_command: Refusal, lakes: Path, kind: str
) -> None:
    """We refuse it ourselves, so that it does not depend on what DuckDB would refuse."""
    before = content(lakes)
    for lake, refused in (("asked", by_command), ("shown", on_page)):
        said = refused(filled(kind, COPIES[0], f"{lakes}/{lake}/planted"))
        assert "only queries that read are run" in said
    assert content(lakes) == before


@pytest.mark.parametrize(
    "query",
    [
        "set memory_limit = '10GB'",
        "set threads = 1",
        "set lock_configuration = false",
        "reset lock_configuration",
        "set enable_external_access = true",
        "set allowed_directories = ['/']",
        "set python_enable_replacements = true",
        "set enable_progress_bar = true",
        "set search_path = 'files'",
        'set "threads" = 1',
        "set global threads = 1",
        "pragma threads = 1",
        "select 1; set threads = 1",
        "explain set threads = 1",
        "explain analyze set threads = 1",
    ],
)
def test_no_query_changes_a_setting(
    on_page: Refusal, by_command: Refusal, shown: Explored, query: str
) -> None:
    before = settings(shown)
    assert "only queries that read are run" in on_page(query)
    assert "only queries that read are run" in by_command(query)
    assert settings(shown) == before


def settings(lake: Explored) -> list[tuple[str, str]]:
    found = ask(lake, "select name, value from duckdb_settings()").rows
    assert found is not None
    return found.rows()


def test_the_lock_alone_refuses_settings_and_files(asked: Lake, tmp_path: Path) -> None:
    """DuckDB's settings also stop queries that were not checked."""
    (tmp_path / "other.csv").write_text("a\n1\n")
    with open_catalog(asked) as connection:
        lock_down(connection, asked)
        for query in (
            "set threads = 1",
            "set lock_configuration = false",
            "set enable_external_access = true",
            "from enable_logging(storage = 'file')",
            "call enable_profiling(save_location = 'x')",
            f"from '{tmp_path}/other.csv'",
            f"copy (select 1) to '{tmp_path}/new.csv'",
            f"copy (select 1) to '{SQL}/macros/planted.sql'",
            f"attach '{tmp_path}/new.duckdb'",
            "load httpfs",
            "create table t as select 1",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(query)
    assert [path.name for path in tmp_path.iterdir()] == ["other.csv"]


@pytest.mark.parametrize(
    "query",
    [
        "from read_text('/etc/passwd')",
        "from read_csv('/etc/passwd')",
        "from read_blob('/proc/self/environ')",
        "from '/etc/passwd'",
        "from glob('/etc/*')",
        "from glob('{lake}/../*')",
        "from glob('*')",
        "from sniff_csv('/etc/passwd')",
        "from read_text('{lake}/../../../../../etc/passwd')",
        "from read_text('{lake}/../secret.csv')",
        "from read_text('{lake}2/secret.csv')",
        "from read_text('file://{lake}/../secret.csv')",
        "from read_text('{sql}/columns.txt')",
        "from read_csv('{sql}/documents/printed.csv')",
        "from parquet_metadata('{other}/models/base.parquet')",
        "from query_table('{other}/models/base.parquet')",
        "from query('from read_text(''/etc/passwd'')')",
        "from read_csv('https://127.0.0.1:1/x.csv')",
        "from read_duckdb('{other}/warehouse.duckdb')",
        "from a_table_in_python",
        "pivot a_table_in_python on secret",
        "from read_text(['/etc/passwd'])",
    ],
)
def test_a_query_reads_nothing_outside_the_lake(on_page: Refusal, lakes: Path, query: str) -> None:
    (lakes / "secret.csv").write_text("a\n1\n")
    said = on_page(query.format(lake=lakes / "shown", other=lakes / "asked", sql=SQL))
    assert re.search("Permission Error|does not exist|only queries that read are run", said)


def test_the_command_reads_nothing_outside_the_lake(by_command: Refusal, lakes: Path) -> None:
    assert "Permission Error" in by_command("from read_text('/etc/passwd')")
    assert "Permission Error" in by_command(f"from '{lakes}/shown/models/base.parquet'")
    assert "does not exist" in by_command("from a_table_in_python")


@pytest.mark.parametrize(
    "query",
    [
        """select "<"(1, {'a': 2})""",
        """select "IS DISTINCT FROM"(model, layers) from models""",
        "select model operator(main.=) layers from models",
        """select "="(model, layers) over () from models""",
        """pivot (select "="(model, layers) as x from models) on x""",
        "pivot (select model operator(main.=) layers as x from models) on x",
        "select __internal_decompress_string(1::uhugeint)",
        "select finalize('x'::blob)",
        "from query('select model operator(main.=) layers from models')",
    ],
)
def test_a_function_that_trusts_its_arguments_is_refused(on_page: Refusal, query: str) -> None:
    """The first ends the process of DuckDB 2.0.0, the second its database, for all who share it."""
    assert "is not a function for" in on_page(query)


def test_the_page_answers_again_after_an_error_that_ends_the_database(
    shown: Explored, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as unjudged:
        unjudged.setattr(asking, "read_only_rows", lambda connection, _lake, query: connection.sql(query))
        assert "INTERNAL Error" in ask(shown, 'select "IS DISTINCT FROM"(model, layers) from models').note
    assert ask(shown, "from models").note == "2 rows"
    assert len(layer_pairs(shown, "base", "copy", "input_layernorm")) == 16
    assert dict(settings(shown))["lock_configuration"] == "true"


@pytest.mark.parametrize("query", READING)
def test_a_query_that_reads_is_run(shown: Explored, query: str) -> None:
    assert main(["sql", query, "--lake", "asked"]) == 0
    answer = ask(shown, query)
    assert answer.rows is not None, answer.note


@pytest.mark.parametrize(
    "query",
    [
        "from printed",
        "from documents",
        "from real_models",
        "from anchors",
        "from nearest('base')",
        "from lineage('base', 'copy')",
        "from within('base', [1, 2])",
        "from read_parquet('{lake}/models/*.parquet')",
        "from '{lake}/models/base.parquet'",
        "from glob('{lake}/**')",
        "from duckdb_functions()",
        "from pragma_version()",
        "explain from compare('base', 'copy')",
        "explain (analyze, format json) from compare('base', 'copy')",
        "explain analyze (format json) (select 1)",
        "explain (select 1) union all (select 2)",
        "explain (pivot models on model)",
        "explain (analyze) pivot models on model",
        "pivot (from compare('base', 'copy')) on layer using avg(cosine) group by ln_type",
        "set variable a = (select count(*) from models); set variable b = 2; select getvariable('a')",
        "describe from compare('base', 'copy')",
        "from json_each('{{\"a\": 1}}')",
        "select * replace (1 as model), random(), version() from models",
        "with recursive t(x) using key (x) as (select 1 union select x + 1 from t where x < 3) from t",
        "select 평균 from (select 1 as 평균)",
        "select\u00a01\u3000as one",
        "table models;;",
        "select 1 + 2, 'a' || 'b', 'a' like 'x', -1, 'a' is distinct from 'b', 'a' <> 'x', [1] @> [2], 5!",
    ],
)
def test_everything_else_that_reads_goes_on_working(shown: Explored, lakes: Path, query: str) -> None:
    answer = ask(shown, query.format(lake=lakes / "shown"))
    assert answer.rows is not None, answer.note


def test_every_example_of_a_macro_is_accepted(asked: Lake) -> None:
    with open_catalog(asked) as connection:
        for path in sorted((SQL / "macros").glob("*.sql")):
            for example in re.findall("^-- example: (.*)", path.read_text(encoding="utf-8"), re.MULTILINE):
                reading_statements(connection, example)


def test_a_visitor_changes_nothing_for_another(shown: Explored) -> None:
    assert ask(shown, "set variable q = 7; select getvariable('q')").rows is not None
    answer = ask(shown, "select getvariable('q') as q")
    assert answer.rows is not None
    assert answer.rows["q"].to_list() == [None]
    assert ask(shown, "from duckdb_variables()").note == "0 rows"
    assert ask(shown, "select error('x')").rows is None
    assert ask(shown, "from duckdb_prepared_statements()").note == "0 rows"
    assert len(layer_pairs(shown, "base", "copy", "input_layernorm")) == 16


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select 1;" * LONGEST, "at most 100,000 are run"),
        ("with a as (" * 4000 + "select 1" + ") from a" * 4000, "nested too deeply"),
        ("from (" * 3000 + "pivot (select 1 as a) on a" + ")" * 3000, "Max expression depth"),
        ("select 'a\0b'", "not plain UTF-8"),
        ("select '\udc80'", "not plain UTF-8"),
        ("explain", "Parser Error"),
        ("explain analyze", "Parser Error"),
        ("explain (analyze)", "Parser Error"),
        ("set variable", "Parser Error"),
        ("pivot", "Parser Error"),
        ("from query('from (')", "must be a SELECT"),
        ("from query('from query(''copy models to x'')')", "must be a SELECT"),
        ("from query(getvariable('q'))", "must be written out"),
        ("explain select '\u3000'", "no invisible characters"),
        ("set variable = 1", "configuration has been locked"),
    ],
)
def test_a_hostile_text_is_refused(on_page: Refusal, query: str, said: str) -> None:
    assert said in on_page(query)


@pytest.mark.parametrize("query", ["select '\udc80'", "select 1;" * LONGEST, "from query(upper('models'))"])
def test_the_command_refuses_a_hostile_text_in_one_line(by_command: Refusal, query: str) -> None:
    said = by_command(query)
    assert said.startswith("error: ")
    assert said.count("\n") == 1


@pytest.mark.slow
def test_a_query_that_crashed_the_process_is_refused() -> None:
    """In a process of its own: brackets overflow the stack of DuckDB's parser."""
    asking = (
        "from analysis.explore.asking import ask, open_lake\n"
        "query = 'from (' * 20000 + 'pivot (select 1 as a) on a' + ')' * 20000\n"
        "print(ask(open_lake('shown'), 'from (' * 20000 + query + ')' * 20000).note)"
    )
    done = subprocess.run(
        [sys.executable, "-c", asking], cwd=PROJECT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert "at most 100,000 are run" in done.stdout


def test_a_value_that_polars_cannot_hold_is_a_message(on_page: Refusal) -> None:
    assert "interval" in on_page("select interval 1 day")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["we[i]rd *?", "o'neil", "평균 é"])
def test_a_folder_of_any_name_is_read(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Some characters mean something in the patterns by which DuckDB finds files."""
    tiny = tiny_models()
    lake = write_lake(tmp_path / name / "lake", {model: tiny[model] for model in ("base", "copy")})
    query = "select count(*) as n from compare('base', 'copy')"
    assert main(["sql", query, "csv", "--lake", f"{lake.path}"]) == 0
    assert capsys.readouterr().out == "n\n9\n"


@pytest.mark.slow
def test_a_models_name_is_never_run_as_sql(asked: Lake) -> None:
    """Macros build queries from names."""
    names = [
        "x') union all select 1 --",
        "x'') union all select 1 --",
        "'",
        "''",
        "'); copy (select 1) to 'planted'; --",
        "x' || (select error('ran')) || '",
        "{0}{1}",
        "$$",
        "base/copy",
        "a|b",
        "*",
    ]
    with open_catalog(asked) as connection:
        for name in names:
            for call in ("compare($name, 'base')", "within($name, [1])", "lineage('base', $name)"):
                with pytest.raises(duckdb.InvalidInputException, match="no model"):
                    connection.execute(f"from {call}", {"name": name}).fetchall()


def test_every_function_with_side_effects_is_known(asked: Lake) -> None:
    """What a new version of DuckDB brings must be looked at: does it only concern the query that calls it?"""
    harmless = {
        *("current_connection_id", "current_query", "current_query_id", "current_transaction_id", "error"),
        *("gen_random_uuid", "random", "setseed", "stats", "uuid", "uuidv4", "uuidv7", "vector_type"),
    }
    with open_catalog(asked) as connection:
        found = connection.sql("select distinct function_name from duckdb_functions() where has_side_effects")
        assert {name for (name,) in found.fetchall()} - harmless <= REFUSED_SCALARS
        known = {
            name
            for (name,) in connection.sql(
                "select function_name from duckdb_functions() where function_type in ('scalar', 'aggregate')"
            ).fetchall()
            if not name.startswith(REFUSED_PREFIX)
        }
        assert known >= REFUSED_SCALARS


def test_no_macro_or_view_runs_a_text() -> None:
    """Text of a reader could end up in it."""
    for path in (*(SQL / "macros").glob("*.sql"), *(SQL / "views").glob("*.sql")):
        code = re.sub("--.*", "", path.read_text(encoding="utf-8"))
        assert not re.search(r"\b(query|query_table)\s*\(", code), path.name


@pytest.mark.slow
def test_a_large_query_spills_into_a_folder_that_goes_again(asked: Lake) -> None:
    before = content(asked.path)
    with open_catalog(asked) as connection:
        connection.execute("set memory_limit = '60MB'")
        lock_down(connection, asked)
        [(spill,)] = connection.sql("select current_setting('temp_directory')").fetchall()
        batches = connection.sql("select hash(range) as h, repeat('x', 20) from range(3000000) order by h")
        batch = iter(batches.to_arrow_reader())
        assert next(batch).num_rows
        assert Path(spill).is_dir()
        assert asked.path not in Path(spill).parents
        del batch
    assert not Path(spill).exists()
    assert content(asked.path) == before


def test_rows_are_read_only_through_a_locked_connection(asked: Lake) -> None:
    with open_catalog(asked) as connection:
        rows = read_only_rows(connection, asked, "select current_setting('lock_configuration')")
        assert rows is not None
        assert rows.fetchall() == [(True,)]
        with pytest.raises(UsageError):
            read_only_rows(connection, asked, "select 1; copy (select 1) to 'x'")
        assert read_only_rows(connection, asked, "") is None
