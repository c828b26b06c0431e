"""`just audit` finds what a made-up population declares wrongly or not at all, and invents nothing."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from analysis.__main__ import main
from analysis.rows import fetch_dicts
from analysis.verify import audit_command, families
from analysis.verify.audit import Audit, Family, Undeclared, audit
from analysis.verify.families import Groups, find_links, likely_pairs
from tests.bench.population_lake import population_lake, summary, truth_of
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

SCHEMA = json.loads(Path(audit_command.__file__).with_name("audit.schema.json").read_text("utf-8"))
MEMBERS = 48


@pytest.fixture(scope="module")
def population(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return population_lake(tmp_path_factory.mktemp("lakes") / "population", MEMBERS)


@pytest.mark.slow
@pytest.mark.parametrize("by_chance", [families.BY_CHANCE, 2])
def test_planted_declarations_are_all_found_and_none_invented(
    by_chance: int, population: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all pairs, and with those that sketches choose."""
    monkeypatch.setattr(families, "BY_CHANCE", by_chance)
    with open_catalog(population) as connection:
        found = audit(connection)
    assert truth_of(MEMBERS) == summary(found)
    assert found.exit_code == 3


def test_the_truth_has_every_kind_of_declaration() -> None:
    truth = truth_of(MEMBERS)
    assert all(truth[name] for name in ("consistent", "not shown", "families", "undeclared"))


@pytest.mark.slow
def test_sketches_find_the_families_that_all_pairs_make(
    small_zoo: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for what chance could find among so many pairs."""
    with open_catalog(small_zoo) as connection:
        models = [model for (model,) in connection.sql("select model from models").fetchall()]
        everyone = Groups()
        pairs = connection.execute(
            """
            select model_a, model_b from lineage_verdicts()
            where
                verdict = 'share weight history'
                and expected_false_matches(p, z_weights, z_biases, $searched) < 0.01
            """,
            {"searched": len(models) * (len(models) - 1) // 2},
        ).fetchall()
        for one, other in pairs:
            everyone.join(one, other)
        for by_chance in (families.BY_CHANCE, 1_000):
            monkeypatch.setattr(families, "BY_CHANCE", by_chance)
            find_links(connection, found := Groups())
            assert [found.find(one) for one in models] == [everyone.find(one) for one in models]
    assert len(pairs) > 10


@pytest.mark.slow
def test_likely_pairs_are_those_of_sketched(population: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sketches are compared with numpy for all pairs at once, and by SQL for one model: with one result."""
    monkeypatch.setattr(families, "BY_CHANCE", 2)
    with open_catalog(population) as connection:
        [row] = [*fetch_dicts(connection, families.SKETCHES)]
        likely = likely_pairs(row, Groups())
        asked = "lab-00--base-0"
        near = connection.execute(
            "select model from sketched($model) where z_sketch >= $least",
            {"model": asked, "least": families.least_z(2, MEMBERS * (MEMBERS - 1) // 2)},
        ).fetchall()
    assert {one for pair in likely if asked in pair for one in pair} - {asked} == {one for (one,) in near}
    assert near


@pytest.mark.slow
def test_a_search_among_many_pairs_needs_more_than_the_threshold(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pair that shares history by itself is none of a search in which chance finds some."""
    with open_catalog(lake) as connection:
        [link] = families.tested(connection, [("base", "honest")], searched=1, most_models=2)
        assert link.z_eff is not None
        assert link.z_eff > 5
        monkeypatch.setattr(families, "LIKELY_BY_CHANCE", (link.by_chance or 0) / 2)
        assert [*families.tested(connection, [("base", "honest")], searched=1, most_models=2)] == []


@pytest.mark.slow
def test_the_command_prints_counts_first_and_writes_rows(
    lake: Lake, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "audit.csv"
    assert main(["audit", "--lake", str(lake.folder), "--csv", str(path)]) == 3
    said = capsys.readouterr().out
    first = said.splitlines()[0]
    assert "16 declared bases (" in first
    assert ", 1 not shown, " in first
    assert first.endswith("), 4 undeclared relatives")
    assert "  wrong declares test/stranger: z " in said
    assert "; it shares weight history with " in said
    for word in ("fraud", "copied", "stolen", "derived", "descend", "plagiar"):
        assert word not in said.lower()
    with path.open(newline="", encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    assert {row["repo"] for row in rows if row["answer"] == "undeclared relative"} == {
        "test/wrong",
        "test/adapter",
        "test/silent",
        "test/silent_copy",
    }
    assert main(["audit", "--lake", str(lake.folder), "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    assert len(found["declared"]) == sum(row["declared_base"] != "" for row in rows)


FAMILY = Family("b", ("a", "b"), ())
APART = Family("b", ("a", "b"), (Undeclared("a", "a", "b", 9.0, 0.0, identical=False),))


@pytest.mark.parametrize(
    ("agreements", "families", "code"),
    [
        ([], [], 5),
        (["cannot tell", "base not in lake", "nothing to check"], [FAMILY], 5),
        (["consistent", "cannot tell"], [FAMILY], 0),
        (["consistent"], [APART], 4),
        ([], [APART], 4),
        (["consistent", "not shown"], [APART], 3),
    ],
)
def test_exit_codes(agreements: list[str], families: list[Family], code: int) -> None:
    """What is not shown comes first; where nothing can be tested, nobody can tell."""
    assert Audit([{"agreement": one} for one in agreements], families, {}).exit_code == code


@pytest.mark.parametrize(
    ("agreements", "said"),
    [
        ([], "no declared bases, 0 undeclared relatives"),
        (["base not in lake"], "1 declared base, which is not in the lake, 0 undeclared relatives"),
        (["base not in lake"] * 2, "2 declared bases, neither is in the lake, 0 undeclared relatives"),
        (["base not in lake"] * 3, "3 declared bases, none is in the lake, 0 undeclared relatives"),
        (["consistent"], "1 declared base (1 consistent, 0 not shown), 0 undeclared relatives"),
    ],
)
def test_the_first_line_counts_what_there_is(agreements: list[str], said: str) -> None:
    found = Audit([{"agreement": one} for one in agreements], [], {})
    assert audit_command.lines_of(found, "made", None)[0] == f"made: {said}"


def test_an_undeclared_relative_is_one_sentence() -> None:
    found = Audit([], [APART, replace(APART, models=("a", "b", "c"))], {"a": "x", "b": "y"})
    lines = audit_command.lines_of(found, "made", None)
    assert "  a is related to y (z 9.0), and no declaration says so" in lines
    assert "  a is related to y (z 9.0), in the family of y (3 models), and no declaration says so" in lines


@pytest.mark.slow
def test_a_file_that_cannot_be_written_is_one_line(
    lake: Lake, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--lake", str(lake.folder), "--csv", str(tmp_path)]) == 1
    assert f"error: cannot write {tmp_path} (" in capsys.readouterr().err
