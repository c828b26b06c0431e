"""The README is true: its commands exist, its tables have the columns it lists, every recipe is explained."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest

from analysis.report.readme import results_of, verdict_table, with_table
from ingest.registry import registry
from warehouse.lake import Lake
from warehouse.schemas import MODELS, NORMS, TENSORS

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text("utf-8")


def recipes() -> set[str]:
    return set(
        subprocess.run(
            ["just", "--summary"], cwd=PROJECT, capture_output=True, text=True, check=True
        ).stdout.split()
    )


def test_every_just_command_in_the_readme_is_a_recipe() -> None:
    named = set(re.findall(r"just ([a-z-]+)", README))
    assert named
    assert named <= recipes()


def test_every_recipe_is_in_the_readme_and_has_a_line_of_help() -> None:
    named = set(re.findall(r"just ([a-z-]+)", README))
    assert recipes() - named <= {"format"}
    listed = subprocess.run(
        ["just", "--list"], cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout
    lines = [
        line for line in listed.splitlines() if line.startswith("    ") and not line.strip().startswith("[")
    ]
    assert lines
    assert all("#" in line for line in lines), listed


@pytest.mark.parametrize(("table", "schema"), [("norms", NORMS), ("models", MODELS), ("tensors", TENSORS)])
def test_a_tables_columns_stand_in_the_readme_as_they_are(table: str, schema: pa.Schema) -> None:
    row = next(line for line in README.splitlines() if line.startswith(f"| `{table}` |"))
    assert row.split("|")[3].strip() == ", ".join(schema.names)


def test_the_verdicts_in_the_readme_are_those_of_the_claims(replica_lake: Lake) -> None:
    """`just ingest replica && just readme` writes them anew."""
    assert with_table(README, verdict_table(results_of(replica_lake))) == README


def test_the_registry_has_the_twelve_models_under_plain_aliases() -> None:
    assert len(registry()) == 12
    assert all(re.fullmatch("[a-z][a-z0-9_]+", alias) for alias in registry())
    assert len({model.repo for model in registry().values()}) == 12
