"""`just sql` and `just shell`: rows on stdout, remarks on stderr, errors in one line."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from analysis.__main__ import main
from analysis.query import greeting
from tests.sql.lakes import tiny_models, write_lake
from warehouse.lake import remember_current

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder, which no command here changes."""
    data = tmp_path_factory.mktemp("asked") / "data"
    tiny = tiny_models()
    models = {name: tiny[name] for name in ("base", "noisy")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(data))
        remember_current(write_lake(data / "made", models, source="replica"))
    return data


@pytest.fixture(autouse=True)
def data_of_the_lake(lakes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(lakes))


@dataclass
class Done:
    returncode: int
    stdout: bytes
    stderr: bytes


Run = Callable[..., Done]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run the command in this process, which saves a second of imports."""

    def run_here(*arguments: str) -> Done:
        code = main(arguments)
        sys.stdout.flush()
        return Done(code, *capfdbinary.readouterr())

    return run_here


def start(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "analysis", *arguments],
        cwd=PROJECT,
        input=stdin.encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.slow
def test_a_table_goes_to_stdout_and_the_lake_with_its_caution_to_stderr(run: Run) -> None:
    done = run("sql", "select layer, ln_type from compare('base', 'noisy')")
    assert done.returncode == 0
    assert "input_layernorm" in done.stdout.decode()
    assert done.stderr.decode().splitlines() == [
        "lake made: 2 models (replica)",
        "caution: synthetic replica: no evidence about the released weights",
    ]


@pytest.mark.slow
def test_a_long_table_is_cut_and_says_by_how_much(run: Run) -> None:
    done = run("sql", "from norms")
    assert done.stdout.count(b"\n") > 1000
    assert b"152 more rows of 1,152" in done.stderr


@pytest.mark.slow
def test_what_a_lake_of_anybody_would_tell_the_terminal_is_escaped(run: Run) -> None:
    ended = run("sql", "select 'a' || chr(155) || '2J' || chr(27) || chr(8238) || 'é' as name")
    assert r"a\x9b2J\e\u202eé".encode() in ended.stdout
    ended = run("sql", "select error('a' || chr(155) || chr(27) || chr(10) || 'b')")
    assert rb"a\x9b\x1b" in ended.stderr
    assert b"\x1b" not in ended.stderr


@pytest.mark.slow
def test_csv_json_and_parquet_hold_the_same_rows(run: Run) -> None:
    query = "select model, layer, mean, [d, 1] as list, null as nothing from vector_stats order by all"
    csv = run("sql", query, "csv").stdout.decode().splitlines()
    assert csv[0] == "model,layer,mean,list,nothing"
    assert csv[1].startswith("base,-1,1.")
    assert csv[1].endswith(',"[64, 1]",')
    from_json = json.loads(run("sql", query, "json").stdout)
    from_parquet = pq.read_table(io.BytesIO(run("sql", query, "parquet").stdout)).to_pylist()
    assert from_json == from_parquet
    assert len(csv) == 1 + len(from_json) == 19


@pytest.mark.slow
def test_json_has_null_for_what_json_cannot_say(run: Run) -> None:
    done = run("sql", "select 'nan'::double as x, ['inf'::double, 1] as y", "json")
    assert json.loads(done.stdout) == [{"x": None, "y": [None, 1]}]
    assert json.loads(run("sql", "select 1 where false", "json").stdout) == []


@pytest.mark.slow
def test_output_names_a_file(run: Run, tmp_path: Path) -> None:
    written = run("sql", "from models", "parquet", "--output", str(tmp_path / "x.parquet"))
    assert written.stdout == b""
    assert written.stderr.decode().splitlines()[-1] == f"wrote 2 rows to {tmp_path / 'x.parquet'}"
    assert pq.read_table(tmp_path / "x.parquet").num_rows == 2
    refused = run("sql", "from models", "csv", "--output", str(tmp_path / "no" / "x.csv"))
    assert refused.returncode == 1
    assert b"error: cannot write" in refused.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("selec 1", "Parser Error"),
        ("select nothing from pairs", "Binder Error"),
        ("from compare('base', 'nobody')", "no model 'nobody' in this lake"),
        ("from compare('base', 'nosy')", "no model 'nosy' in this lake: did you mean noisy?"),
        (
            "from similarity_matrix(1, among := ['base', 'nosy'])",
            "no model 'nosy' in this lake: did you mean noisy?",
        ),
        (
            "from similarity_matrix_mixed([{'model': 'bass', 'layer': 1}])",
            "no model 'bass' in this lake: did you mean",
        ),
        ("drop view pairs", "only queries that read are run"),
        ("", "there is no query"),
    ],
)
def test_a_wrong_query_is_duckdbs_message_without_a_traceback(run: Run, query: str, message: str) -> None:
    done = run("sql", query)
    assert done.returncode == 1
    assert message in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


def test_an_unknown_lake_is_named(run: Run) -> None:
    done = run("sql", "from models", "--lake", "nowhere")
    assert done.returncode == 1
    assert b"error: no lake 'nowhere'" in done.stderr


@pytest.mark.slow
def test_a_reader_that_stops_early_is_no_error() -> None:
    command = f"{sys.executable} -m analysis sql 'from norms, range(40)' csv | head -1"
    done = subprocess.run(command, shell=True, cwd=PROJECT, capture_output=True, timeout=60, check=False)
    assert done.stdout == b"model,layer,ln_type,dim,value,range\n"
    assert b"Traceback" not in done.stderr
    assert b"Broken" not in done.stderr


@pytest.mark.slow
def test_the_shell_answers_what_is_piped_into_it() -> None:
    done = start("shell", "-csv", stdin="select count(*) as n from compare('base', 'noisy');")
    assert done.stdout.decode().split() == ["n", "9"]
    assert done.stderr.decode().splitlines()[0] == "lake made: 2 models (replica)"
    assert done.stderr.decode().splitlines()[1].startswith("caution: ")
    assert len(done.stderr.splitlines()) == 2
    assert start("shell", "-c", "drop view pairs").returncode != 0


@pytest.mark.slow
def test_the_shell_fetches_and_loads_no_extension() -> None:
    settings = [f"current_setting('auto{what}_known_extensions')" for what in ("install", "load")]
    query = f"select {', '.join(settings)};"
    done = start("shell", "-csv", "-noheader", stdin=query)
    assert done.stdout.decode().split() == ["false,false"]


@pytest.mark.slow
def test_the_shell_greets_on_a_terminal_with_models_and_questions() -> None:
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "analysis", "shell"],
        cwd=PROJECT,
        stdin=end,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # The shell drops what was typed before it was ready, so one .quit may not be enough.
    while process.poll() is None:
        os.write(terminal, b".quit\n")
        time.sleep(0.2)
    _, errors = process.communicate(timeout=30)
    os.close(terminal)
    os.close(end)
    text = errors.decode()
    assert "caution: synthetic replica" in text
    assert "models: base, noisy" in text
    assert "from compare('base', 'noisy');" in text
    assert text.count("?\r\n") + text.count("?\n") >= 5


@pytest.mark.slow
def test_the_questions_of_the_greeting_fit_120_columns_with_all_they_ask_for() -> None:
    questions = [line for line in greeting(["base", "noisy"]) if line.startswith("    ")]
    done = start("shell", "-cmd", ".maxwidth 120", stdin="\n".join(questions))
    tables = ["┌" + table for table in done.stdout.decode().split("┌")[1:]]
    for line, answer in zip(questions, tables, strict=True):
        table = answer.splitlines()
        assert "…" not in table[1], line
        assert max(map(len, table)) <= 120
        asked = line.partition(" from ")[0].removeprefix("    select ").split(", ")
        assert table[1].count("│") == len(asked) + 1


@pytest.mark.slow
def test_ten_questions_to_begin_with_are_queries_that_run_on_the_models_of_the_lake(run: Run) -> None:
    rows = json.loads(run("sql", "from questions", "json").stdout)
    assert len(rows) == 10
    for row in rows:
        assert run("sql", row["ask"], "csv").stdout, row


@pytest.mark.slow
def test_every_macro_and_view_is_named_with_what_it_answers(run: Run) -> None:
    rows = json.loads(run("sql", "from macros_and_views", "json").stdout)
    asked = {row["ask"].partition("(")[0] for row in rows}
    assert {"compare", "nearest", "points", "pairs", "vector_stats", "questions"} <= asked
    assert not [row for row in rows if not row["answer"] or row["ask"].startswith("_")]
    assert {row["ask"]: row["example"] for row in rows}[
        "compare(one, other)"
    ] == "from compare('solar', 'glm')"
