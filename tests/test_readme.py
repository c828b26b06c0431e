"""The READMEs are true: their commands exist, their links lead somewhere, every recipe is explained."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.__main__ import main as analysis
from analysis.claims.headlines import run_of, verdict_table, with_table
from ingest.__main__ import main as ingest
from ingest.registry import registry
from tests.sql.lakes import copy_of
from warehouse.lake import Lake

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text("utf-8")
READMES = {
    name: (PROJECT / name).read_text("utf-8")
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        *(f"{room}/README.md" for room in ("ingest", "warehouse", "sql", "analysis", "tests", "tests/bench")),
    )
}


JUSTFILE = (PROJECT / "Justfile").read_text("utf-8")
# recipe, package, command
CALLED = re.findall(r"^([a-z-]+) \*args:\n.* -m (ingest|analysis) ([a-z-]+) \"\$@\"$", JUSTFILE, re.MULTILINE)


def just(*arguments: str) -> str:
    """What `just` says; the one of this environment, which need not be on the path."""
    program = Path(sys.executable).with_name("just")
    run = subprocess.run([program, *arguments], cwd=PROJECT, capture_output=True, text=True, check=True)
    return run.stdout


def recipes() -> set[str]:
    return set(just("--summary").split())


@pytest.mark.parametrize(("recipe", "package", "name"), CALLED, ids=[recipe for recipe, _, _ in CALLED])
def test_a_recipe_explains_itself_under_its_own_name(
    recipe: str, package: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="0"):
        {"ingest": ingest, "analysis": analysis}[package]([name, "--help"])
    said = capsys.readouterr().out
    assert said.startswith(f"usage: just {recipe} ")
    assert "\n\n" in said


def test_every_recipe_that_calls_us_is_among_those_that_explain_themselves() -> None:
    assert recipes() - {recipe for recipe, _, _ in CALLED} == {
        "demo",
        "test",
        "pin",
        "lint",
        "format",
        "bench",
        "dictionary",
    }


@pytest.mark.parametrize(
    ("typed", "explained"),
    [
        (["demo", "--help"], "usage: just report "),
        (["calibrate", "--real", "--help"], "usage: just calibrate "),
        (["bench", "--help"], "usage: just bench "),
        (["explore", "-h"], "usage: just explore "),
        (["hub", "--help"], "usage: just hub "),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_help_does_nothing_else_first(typed: list[str], explained: str) -> None:
    """Of recipes that do more than call a command: whatever else they do waits until it is asked for."""
    planned = subprocess.run(
        [Path(sys.executable).with_name("just"), "--dry-run", *typed],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    commands = [line for line in planned.stderr.splitlines() if line != "true"]
    assert len(commands) == 1
    assert commands[0].count(" -m ") == 1
    module, *arguments = commands[0].partition(" -m ")[2].replace('"$@"', "").split()
    asked = [sys.executable, "-m", module, *arguments, "--help"]
    run = subprocess.run(asked, cwd=PROJECT, capture_output=True, text=True, check=True)
    assert run.stdout.startswith(explained)


@pytest.mark.slow
def test_a_failure_ends_with_our_own_line(tmp_path: Path) -> None:
    run = subprocess.run(
        [Path(sys.executable).with_name("just"), "sql", "from models"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NORMHOUSE_DATA": str(tmp_path / "none")},
    )
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1].startswith("error: no lake yet")


def test_every_recipe_leaves_the_last_word_to_what_it_runs() -> None:
    for recipe in re.split(r"\n\n", JUSTFILE):
        if re.search(r"^[a-z-]+( \*args)?:", recipe, re.MULTILINE) and "[private]" not in recipe:
            assert "[no-exit-message]" in recipe, recipe


def test_a_command_line_starts_without_the_slow_libraries() -> None:
    slow = ("duckdb", "numpy", "pyarrow", "polars", "altair", "rich", "httpx", "jax")
    code = f"import ingest.__main__, analysis.__main__, sys; print(*set({slow}) & set(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []


def test_every_just_command_of_a_readme_is_a_recipe() -> None:
    named = set(re.findall(r"just ([a-z-]+)", "".join(READMES.values()).replace("just a ", "")))
    assert named
    assert named <= recipes()


def test_every_recipe_is_in_a_readme_and_has_a_line_of_help() -> None:
    named = set(re.findall(r"just ([a-z-]+)", "".join(READMES.values())))
    assert recipes() <= named
    listed = just("--list")
    lines = [
        line for line in listed.splitlines() if line.startswith("    ") and not line.strip().startswith("[")
    ]
    assert lines
    assert all("#" in line for line in lines), listed


def test_links_of_readmes_lead_somewhere() -> None:
    for name, text in READMES.items():
        folder = (PROJECT / name).parent
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
            assert target.startswith(("https://", "doc:")) or (folder / target).exists(), f"{name}: {target}"


def test_the_readme_stays_short() -> None:
    assert len(README.encode()) < 10_000


@pytest.mark.slow
def test_the_verdicts_in_the_readme_are_those_of_the_claims(
    replica_lake: Lake, shipped_zoo: Lake, data: Path
) -> None:
    """`just ingest replica && just readme` rewrites them. Some verdicts need all models of known ancestry."""
    copy_of(shipped_zoo, data / "zoo")
    assert with_table(README, verdict_table(run_of(replica_lake))) == README


def test_the_registry_has_the_twelve_models_under_plain_aliases() -> None:
    assert len(registry()) == 12
    assert all(re.fullmatch("[a-z][a-z0-9_]+", alias) for alias in registry())
    assert len({model.repo for model in registry().values()}) == 12
