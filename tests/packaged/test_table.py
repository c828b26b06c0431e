"""The table of packaged models is consistent and agrees with pyproject.toml and the README."""

from __future__ import annotations

import re
import tomllib
from itertools import combinations
from pathlib import Path

import pytest

from analysis.__main__ import main as analysis
from analysis.lineage.real import RESULTS, check_bars, stored_summary
from analysis.rows import fetch_dicts
from ingest.__main__ import main
from ingest.packaged.models import (
    ONE_MODEL,
    RELATED,
    UNRELATED,
    Part,
    families,
    packaged_models,
    relation_of,
    truth_rows,
)
from ingest.packaged.readers import READERS
from tests.lineage.readme import table_row
from warehouse.catalog.connections import connect
from warehouse.tables import TABLES

PROJECT = Path(__file__).parents[2]
PERMISSIVE = {"MIT", "Apache-2.0", "BSD-3-Clause"}
# rows of the README's table, and the kinds of pairs they are about
KINDS = {
    "related": "related",
    "unrelated, of one width": "unrelated",
    "unrelated, both with fixed sinusoidal positions": "unrelated, both sinusoidal",
    "encoder and decoder of one model, trained together": "one model",
}


def test_versions_and_licences_are_those_pinned_and_permissive() -> None:
    groups = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    pinned = {pin for group in ("packaged", "real") for pin in groups[group] if isinstance(pin, str)}
    models = packaged_models().values()
    assert {model.pin for model in models} == {pin for pin in pinned if not pin.startswith("onnx==")}
    assert {model.licence for model in models} <= PERMISSIVE


def test_every_model_has_a_reader_and_every_family_of_several_a_word() -> None:
    models = list(packaged_models().values())
    assert {model.format for model in models} == READERS.keys() | {"gguf"}  # which the ordinary ingest reads
    several = {one.family for one, other in combinations(models, 2) if one.family == other.family}
    assert several == families().keys()
    assert all(model.repeats is None or model.repeats in packaged_models() for model in models)


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        (("minilm_l6", ""), ("minilm_l6_sre", ""), RELATED),
        (("minilm_l6", ""), ("arctic_embed_s", ""), UNRELATED),
        (("bergamot_en_pt", "encoder"), ("bergamot_pt_en", "encoder"), UNRELATED),
        (("bergamot_en_pt", "encoder"), ("bergamot_en_pt", "decoder"), ONE_MODEL),
        (("whisper_tiny_en", "encoder"), ("whisper_tiny_en_ct2", "encoder"), RELATED),
        (("whisper_tiny_en", "encoder"), ("whisper_tiny_en_ct2", "decoder"), ONE_MODEL),
    ],
)
def test_a_relation_follows_from_family_and_stack(
    one: tuple[str, str], other: tuple[str, str], relation: str
) -> None:
    models = packaged_models()
    first, second = (Part(models[alias], stack) for alias, stack in (one, other))
    assert relation_of(first, second)[0] == relation_of(second, first)[0] == relation


def test_the_committed_results_are_of_these_packages_and_pairs() -> None:
    """`just calibrate --real --write` rewrites them."""
    models = packaged_models().values()
    known = {(row["model_a"], row["model_b"]): row for row in truth_rows(models)}
    with connect() as connection:
        stored = fetch_dicts(connection, f"from read_csv('{RESULTS}', header = true)")
    assert list(stored[0]) == list(TABLES["real_models"].columns)
    pins = {row[package] for row in stored for package in ("package_a", "package_b")}
    assert pins == {model.pin for model in models} - {packaged_models()["smollm2"].pin}  # of another width
    for row in stored:
        pair = known[row["model_a"], row["model_b"]]
        assert {name: row[name] for name in pair} == pair
    related = {pair for pair, row in known.items() if row["relation"] == RELATED}
    assert related <= {(row["model_a"], row["model_b"]) for row in stored}


def test_the_readme_says_what_the_committed_results_say() -> None:
    summary = stored_summary()
    assert all(holds for _, holds in check_bars(summary))
    related = next(row for row in summary if row["kind"] == "related")
    assert (related["families"], related["models"]) == (3, 12)  # MiniLM, Whisper tiny.en and a pair of BERTs
    readme = " ".join((PROJECT / "analysis" / "README.md").read_text("utf-8").split())
    by_kind = {row["kind"]: row for row in summary}
    for name, kind in KINDS.items():
        assert table_row(name, by_kind[kind]["rate"], "families") in readme
    reaches = [
        f"{row['z_min']:.1f} to {row['z_max']:.1f}" for kind, row in by_kind.items() if kind != "related"
    ]
    assert all(reach in readme for reach in reaches)
    assert f"z is at least {related['z_min']:.1f} for related pairs" in readme
    assert f"{len(packaged_models())} models" in readme
    size = re.search(
        r"help=\"on real models .* \(([0-9.]+ GB)\)", (PROJECT / "analysis/lineage/command.py").read_text()
    )
    assert size is not None
    assert size[1] in readme


def test_results_are_written_of_real_models_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert analysis(["calibrate", "--write"]) == 1
    assert "--write is for --real" in capsys.readouterr().err


def test_real_models_that_were_not_brought_yet_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert analysis(["calibrate", "--real"]) == 1
    assert "no lake 'real'" in capsys.readouterr().err


def test_a_model_that_is_not_in_the_table_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["packaged", "gpt5"]) == 1
    assert "no packaged model 'gpt5': there is minilm_l6" in capsys.readouterr().err
