"""Texts of foreign lakes: escaped on a terminal, exact data in files."""

from __future__ import annotations

import ast
import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.__main__ import main
from tests.claims.test_claim_file import text as claim_text
from tests.claims.three_claims import relock, run, write_claims
from tests.sql.hostile import CONTROL, LINE, MODEL, RELATIVE, TEXT, hostile_lake
from tests.sql.lakes import tiny_models, write_lake
from tests.warehouse.test_logs import on_a_terminal
from warehouse.errors import plain
from warehouse.lake import Lake, remember_current

PROJECT = Path(__file__).parents[2]
FOREIGN = f"la\x1b[31mke\u202e\n{LINE}\n"
PROGRESS = """
from warehouse.console.progress import Progress
with Progress() as progress:
    progress.step("[bold]name\\x1b]0;owned\\x07", 1, 2, "[link=http://example.org]note\\x9b[/link]")
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return hostile_lake(tmp_path_factory.mktemp("foreign") / FOREIGN)


@pytest.fixture
def own(data: Path) -> Lake:
    tiny = tiny_models()
    lake = write_lake(data / "made", {name: tiny[name] for name in ("base", "noisy")})
    remember_current(lake)
    return lake


def assert_escaped(text: str) -> None:
    assert [one for one in text if not one.isprintable() and one != "\n"] == []
    assert [line for line in text.splitlines() if line.startswith(LINE)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["sql", "from models"], 0),
        (["sql", "from models", "json"], 0),
        (["sql", "select error(source) from models"], 1),
        (["sql", "select source::int from models"], 1),
        (["nearest", MODEL], 0),
        (["nearest", MODEL, "--all"], 0),
        (["nearest", MODEL, "--json"], 0),
        (["nearest", "solr"], 1),
        (["nearest", TEXT], 1),
        (["lineage"], 0),
        (["lineage", "--json"], 0),
        (["lineage", MODEL, RELATIVE], 0),
        (["lineage", MODEL, TEXT], 1),
        (["compare", MODEL, RELATIVE, "--json"], 0),
        (["compare", MODEL, MODEL], 1),
    ],
)
def test_no_text_of_a_lake_controls_the_terminal_or_passes_for_a_line_of_ours(
    foreign: Lake, arguments: list[str], code: int, capfd: Capture
) -> None:
    assert main([*arguments, "--lake", str(foreign.path)]) == code
    said = capfd.readouterr()
    assert_escaped(said.out)
    assert_escaped(said.err)
    assert said.err.startswith(r"lake la\x1b[31mke\u202e\nlake hub: 3 models (hub)\n: 3 models (unknown)")


FROM_ELSEWHERE = """
with answer as (
    select repo as statement from models where model = 'solar'
)

select 'sionic.x' as item, 'plain' as reading, statement, null as holds, null as observed
from answer
"""


@pytest.mark.slow
def test_no_text_of_a_lake_controls_the_terminal_through_a_claim(
    tmp_path: Path, data: Path, capfd: Capture
) -> None:
    claims = write_claims(tmp_path, data)
    (claims / "sionic" / "holds.sql").write_text(claim_text(FROM_ELSEWHERE, id="sionic.holds", needs="solar"))
    (claims / "sionic" / "fails.sql").write_text(
        claim_text("select error(repo) from models", id="sionic.fails", needs="solar")
    )
    items = claims.parent / "documents" / "items.csv"
    items.write_text(items.read_text().replace("sionic.x,sionic,analytic", "sionic.x,sionic,weights"))
    (claims / "claims.lock").unlink()
    relock(claims)
    foreign = hostile_lake(tmp_path / FOREIGN)
    for arguments in (["--all"], [], ["sionic.holds"], ["sionic.fails"], ["sionic.misses"], ["sionic.y"]):
        run(claims, *arguments, "--lake", str(foreign.path))
        said = capfd.readouterr()
        assert_escaped(said.out)
        assert_escaped(said.err)


@pytest.mark.slow
def test_a_check_names_what_is_damaged_without_effect_on_the_terminal(tmp_path: Path, capfd: Capture) -> None:
    lake = hostile_lake(tmp_path / FOREIGN)
    assert main(["check", str(lake.path)]) == 0
    lake.file("norms", MODEL).write_bytes(b"\x1b")
    assert main(["check", str(lake.path)]) == 1
    said = capfd.readouterr()
    assert r"hub)\n' is not read" in said.err
    assert_escaped(said.out)
    assert_escaped(said.err)


@pytest.mark.slow
def test_the_greeting_of_the_shell_is_escaped(foreign: Lake) -> None:
    command = [sys.executable, "-m", "analysis", "shell", "--lake", str(foreign.path)]
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, cwd=PROJECT, stdin=theirs, stdout=-1, stderr=-1) as shell:
        os.close(theirs)
        os.write(ours, b".quit\n.quit\n")
        _, said = shell.communicate(timeout=60)
        os.close(ours)
    assert_escaped(said.decode())
    assert f"from nearest('{MODEL}')" in said.decode()


@pytest.mark.slow
def test_json_and_csv_in_a_file_are_exactly_the_data(foreign: Lake, capfd: Capture) -> None:
    lake = ("--lake", str(foreign.path))
    query = "select model, licence from models order by all"
    rows = [{"model": model, "licence": TEXT} for model in sorted((MODEL, RELATIVE, "solar"))]
    assert main(["sql", query, "json", *lake]) == 0
    assert json.loads(capfd.readouterr().out) == rows
    assert main(["sql", query, "csv", *lake]) == 0
    assert list(csv.DictReader(io.StringIO(capfd.readouterr().out, newline=""))) == rows
    assert main(["nearest", MODEL, "--json", *lake]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert (answer["model"], answer["lake"], answer["sources"]) == (MODEL, FOREIGN, "unknown")


@pytest.mark.slow
def test_csv_on_a_terminal_is_escaped(foreign: Lake) -> None:
    query = "select source, layer from models, range(1) as r (layer)"
    command = [sys.executable, "-m", "analysis", "sql", query, "csv", "--lake", str(foreign.path)]
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, cwd=PROJECT, stdout=theirs, stderr=subprocess.DEVNULL) as child:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65_536):
                shown += piece
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
    assert child.returncode == 0
    lines = shown.decode().splitlines()
    assert len(lines) == 1 + 3
    assert_escaped("\n".join(lines))


def test_bars_show_names_without_markup_or_control() -> None:
    shown = on_a_terminal([sys.executable, "-c", PROGRESS])
    assert r"[bold]name\x1b]0;owned\x07" in shown
    assert r"[link=http://example.org]note\x9b[/link]" in shown
    assert not {"\x07", "\x9b"} & set(shown)


def test_what_is_not_printable_is_escaped_and_letters_stay() -> None:
    assert plain(CONTROL + "\n") == (r"\x1b]0;owned\x07\x1b[2J\x9b2J\x7f\u202eevil\u2066\u200b\u2028\n")
    assert plain("γ é 한국 ± → – 🙂") == "γ é 한국 ± → – 🙂"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["sql", "select model as γ from models"], "| base    |"),
        (["lineage", "base", "noisy"], "share weight history"),
        (["lineage", "base", "noisy", "--details"], r"\u2026"),
        (["figure"], r"a cosine of \u2026"),
        (["claims", "printed.background"], r"\xb1"),
    ],
)
@pytest.mark.usefixtures("own")
def test_every_command_prints_where_only_ascii_is_taken(
    arguments: list[str], shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(screen, "ascii", write_through=True))
    assert main(arguments) == 0
    assert shown in screen.getvalue().decode("ascii")


@pytest.mark.slow
@pytest.mark.usefixtures("own")
def test_json_is_valid_where_only_ascii_is_taken() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    command = [sys.executable, "-m", "analysis", "lineage", "--json"]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, check=True)
    assert "…" in json.loads(done.stdout.decode("ascii"))["limits"]


@pytest.mark.parametrize("package", ["analysis", "warehouse"])
def test_nothing_prints_but_by_the_functions_that_escape(package: str) -> None:
    """`show` and `remark` of warehouse/console/output.py, which write to a stream that they are given."""
    files = list((PROJECT / package).rglob("*.py"))
    assert files
    assert [f"{path}:{line}" for path in files for line in printing(path.read_text("utf-8"))] == []
    assert printing("import sys\nprint(1)\nsys.stderr.write('')\nsys.stdout.buffer.write(b'')") == [2, 3]


def printing(source: str) -> list[int]:
    """Lines that print text by themselves."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    said = {"print", "sys.stdout.write", "sys.stderr.write", "sys.stdout.writelines", "sys.stderr.writelines"}
    return sorted(call.lineno for call in calls if ast.unparse(call.func) in said)
