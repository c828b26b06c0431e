"""Models trained here and now, disguised in every way at once, and ingested like anybody's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from analysis.__main__ import main
from analysis.lineage.slices.calibrate import calibrate_slices
from analysis.lineage.slices.compare import shared_anchors
from analysis.lineage.slices.read import read_slices
from analysis.lineage.slices.results import check_bars, results_of
from ingest.zoo.folders import load_model, trained_folder
from ingest.zoo.llama import logits, params_of
from ingest.zoo.plans import disguises_plan, disguises_tiny_plan
from ingest.zoo.run_zoo import lineage_rows, run_zoo
from tests.lineage.slices.recomputed import token_similarity
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake, lake_at

LAKE = "disguised"


@pytest.fixture(scope="module")
def disguised(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """As `just zoo --size disguises_tiny` makes it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(tmp_path_factory.mktemp("zoo") / "data"))
        run_zoo("disguises_tiny", None, LAKE, print)
        return lake_at(LAKE)


@pytest.fixture
def here(disguised: Lake, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NORMHOUSE_DATA", str(disguised.path.parent))
    return trained_folder("zoo_disguises_tiny")


def told(one: str, other: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["lineage", one, other, "--lake", LAKE, "--permutations", "10", "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.slow
def test_the_full_attack_changes_no_logit(here: Path) -> None:
    child = "b00_half_neurons"
    heads = disguises_tiny_plan().shape.heads
    tokens = jnp.asarray(np.random.default_rng(0).integers(0, 128, 24))
    plain, attacked = (
        np.asarray(logits(jax.tree.map(jnp.asarray, params_of(load_model(here / name))), tokens, heads))
        for name in (child, f"{child}_attacked")
    )
    assert np.abs(plain - attacked).max() < 1e-3 * plain.std()


@pytest.mark.slow
def test_a_child_is_found_as_it_is_and_in_disguise(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here.exists()
    child = "b00_ft_short_high"
    assert told("b00", child, capsys)["pair"]["verdict"] == "share weight history"
    pair = told(f"{child}_attacked", "b00", capsys)["pair"]
    assert pair["verdict"] == "share weight history, in disguise"
    assert pair["verdict_of_norms"].startswith("no sign of shared history in the norm weights")
    assert pair["slices"]["share"] > 0.9
    assert pair["slices"]["layers_a"] == [1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("pair", [("b00", "b00_half_neurons_attacked"), ("t00", "t01")])
def test_the_similarity_of_tokens_is_what_numpy_gives_and_survives_the_attack(
    disguised: Lake, here: Path, pair: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert here.exists()
    found = told(*pair, capsys)["pair"]["slices"]["token_similarity"]
    with open_catalog(disguised) as connection:
        one, other = (read_slices(connection, model) for model in pair)
        assert one is not None
        assert other is not None
        anchors = shared_anchors(connection, one, other)[:128]
    assert found == pytest.approx(token_similarity(one, other, anchors), abs=1e-6)
    assert (found > 0.9) == (pair[0] == "b00")


@pytest.mark.slow
def test_strangers_with_learned_weights_show_no_sign_in_norms_and_two_layers(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert here.exists()
    found = told("t00", "t01", capsys)
    assert found["pair"]["verdict"] == "no sign of shared history in norms and two layers"
    assert found["pair"]["slices"]["tokens"] == 128
    assert len(found["tiers"]) == 2


@pytest.mark.slow
def test_the_two_tiers_are_explained_in_two_lines(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here.exists()
    assert main(["lineage", "t00", "t01", "--lake", LAKE, "--permutations", "10", "--details"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "t00 and t01: no sign of shared history in norms and two layers"
    [first] = [number for number, line in enumerate(lines) if line.startswith("Exact tests ")]
    assert lines[first + 1].endswith("so no p-value.")
    assert "layers read     1 and 2 of t00, 1 and 2 of t01" in lines
    assert [line for line in lines if "derived" in line or "independent" in line] == []


@pytest.mark.slow
def test_the_calibration_calls_no_stranger_related_and_finds_every_child(disguised: Lake) -> None:
    rows = calibrate_slices(disguised)
    results = results_of(rows)
    held, strangers = results.held_to, [row for row in rows if row["relation"] != "related"]
    assert not [row for row in strangers if row["verdict"].startswith("share")]
    assert all(row["found"] == row["pairs"] for row in held)
    assert all(row["attacked_found"] == row["attacked_pairs"] > 0 for row in held)
    assert results.pairs("stress") == 1
    met = [holds for _, holds in check_bars(results)]
    assert met == [False, True, True], "1,500 pairs are asked of a calibration that counts"


def test_a_zoo_of_other_seeds_has_the_same_plan() -> None:
    one, other = disguises_plan(), disguises_plan(20_000)
    assert not {base.seed for base in one.bases} & {base.seed for base in other.bases}
    assert lineage_rows(one) == lineage_rows(other)
    aliases = [row["child"] for row in lineage_rows(one)]
    assert {"t01_norms_500_attacked", "b00_new_mlps", "o00_narrowed_attacked"} <= set(aliases)
