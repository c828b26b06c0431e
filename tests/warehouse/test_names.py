"""Unknown names of lakes, models and commands are answered with suggestions."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.__main__ import main as analysis
from ingest.__main__ import main as ingest
from tests.sql.lakes import random_model, write_lake
from warehouse.errors import did_you_mean
from warehouse.lake import remember_current


def test_the_nearest_else_what_to_do_else_what_there_is() -> None:
    assert did_you_mean("Solr", ["glm", "solar"]) == "did you mean solar?"
    assert did_you_mean("xyz", ["glm"], "look") == "look"
    assert did_you_mean("xyz", ["glm", "phi"]) == "there is glm, phi"
    assert did_you_mean("xyz", [f"m{n}" for n in range(30)]).endswith("m19, …")
    assert did_you_mean("xyz", []) == "there is none"


@pytest.mark.parametrize(
    ("main", "arguments", "near"),
    [
        (analysis, ["compare", "solr", "glm"], "solar"),
        (analysis, ["lineage", "solar", "gml"], "glm"),
        (analysis, ["nearest", "solr"], "solar"),
        (analysis, ["sql", "from models", "--lake", "mad"], "made"),
        (analysis, ["sql", "from compare('solr', 'glm')"], "solar"),
        (analysis, ["claims", "sionic.d2_l"], "sionic.d2_1"),
        (analysis, ["claims", "--document", "sionc"], "sionic"),
        (analysis, ["figure", "figure_0"], "figure_0"),
        (ingest, ["replicas"], "replica"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_every_command_says_what_was_meant(
    main: object, arguments: list[str], near: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(main)
    remember_current(write_lake(data / "made", {"solar": random_model(1), "glm": random_model(2)}))
    assert main(arguments) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert near in said.partition("did you mean ")[2]


def test_a_model_of_another_lake_is_found_there(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An ingest makes its lake the default; messages still name models of other lakes."""
    write_lake(data / "made", {"solar": random_model(1), "glm": random_model(2)})
    remember_current(write_lake(data / "mine", {"own": random_model(3)}))
    for arguments in (["nearest", "solar"], ["lineage", "own", "solar"], ["compare", "solar", "own"]):
        assert analysis(arguments) == 1
        said = capsys.readouterr().err.splitlines()[-1]
        assert "no model 'solar' in lake 'mine': lake made has it, add `--lake made`" in said
    assert analysis(["nearest", "glm/../solar"]) == 1
    assert "--lake" not in capsys.readouterr().err
