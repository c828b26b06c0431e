"""The claims about trained small models, on four tiny ones whose norms are as training would leave them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from analysis.claims.claim_file import CLAIMS, Claim, read_claim
from analysis.claims.run import Result, run_claims
from ingest.__main__ import main
from tests.claims.by_numpy import Answer, Doubles, assert_same, cosine, furthest, pearson
from tests.ingest.headers import safetensors
from warehouse.catalog import open_catalog
from warehouse.lake import existing_lake
from warehouse.printed import read_printed
from warehouse.schemas import Floats

WIDTH, LAYERS = 64, 12
NORMS = {"ln_1": "input_layernorm", "ln_2": "post_attention_layernorm"}
NAMES = ("toy_training", "toy_cosines", "toy_directions", "toy_initial_direction")
LOSSES = {
    "toy_ones_a": (5.71, 0.012),
    "toy_ones_b": (5.65, 0.2),
    "toy_rand_a": (5.9, 0.004),
    "toy_rand_b": (5.66, 0.03),
}

Models = dict[str, dict[str, Floats]]


def trained() -> Models:
    """Ones stay near 1, random norms near where they began; nothing else is common to two models."""
    draw = np.random.default_rng(7)
    begun = {name: {key: draw.normal(0, 1, WIDTH) for key in keys()} for name in ("rand_a", "rand_b")}
    models = {f"toy_{name}_init": norms for name, norms in begun.items()}
    for name, norms in begun.items():
        models[f"toy_{name}"] = {key: values + draw.normal(0, 0.1, WIDTH) for key, values in norms.items()}
    for name in ("toy_ones_a", "toy_ones_b"):
        models[name] = {key: draw.normal(1.02, 0.01, WIDTH) for key in keys()}
    return {
        name: {key: values.astype(np.float32) for key, values in norms.items()}
        for name, norms in models.items()
    }


def keys() -> list[str]:
    return [f"h.{layer}.{norm}.weight" for layer in range(LAYERS) for norm in NORMS]


@pytest.fixture(scope="module")
def models() -> Models:
    return trained()


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory, models: Models) -> Iterator[duckdb.DuckDBPyConnection]:
    """A lake of the models, ingested from folders like any other."""
    with (
        pytest.MonkeyPatch.context() as patch,
        lake_of(models, tmp_path_factory.mktemp("toy"), patch) as opened,
    ):
        yield opened


def lake_of(models: Models, folder: Path, patch: pytest.MonkeyPatch) -> duckdb.DuckDBPyConnection:
    config = {"architectures": ["GPT2LMHeadModel"], "n_embd": WIDTH, "n_layer": LAYERS}
    for name, norms in models.items():
        (folder / "saved" / name).mkdir(parents=True)
        (folder / "saved" / name / "config.json").write_text(json.dumps(config))
        biases = {key.replace("weight", "bias"): np.zeros(WIDTH, np.float32) for key in norms}
        (folder / "saved" / name / "model.safetensors").write_bytes(safetensors(norms | biases, "F32"))
    patch.setenv("NORMHOUSE_DATA", str(folder / "data"))
    assert main([str(folder / "saved"), "--lake", "toy", "--quiet"]) == 0
    return open_catalog(existing_lake("toy"))


def claims() -> list[Claim]:
    return [read_claim(CLAIMS / "hyunwoong" / f"{name}.sql") for name in NAMES]


def results(connection: duckdb.DuckDBPyConnection) -> dict[str, Result]:
    found, broken = run_claims(connection, claims())
    assert broken == []
    return {result.claim.id.partition(".")[2]: result for result in found}


def vector(models: Models, model: str, norm: str, layer: int) -> Doubles:
    return models[model][f"h.{layer}.{norm}.weight"].astype(np.float64)


def cosines(models: Models) -> dict[str, Answer]:
    return {
        f"hyunwoong.toy.{kind}.{norm}.layer{layer}": (
            cosine(*(vector(models, f"toy_{kind}_{which}", norm, layer) for which in "ab")),
            None,
        )
        for kind in ("ones", "rand")
        for norm in NORMS
        for layer in range(LAYERS)
    }


def directions(models: Models) -> dict[str, Answer]:
    def pairs(kind: str) -> list[tuple[Doubles, Doubles]]:
        return [
            (vector(models, f"toy_{kind}_a", norm, n), vector(models, f"toy_{kind}_b", norm, n))
            for norm in NORMS
            for n in range(LAYERS)
        ]

    ones, rand = pairs("ones"), pairs("rand")
    by_ones, by_rand = [cosine(*pair) for pair in ones], [cosine(*pair) for pair in rand]
    along = [cosine(values, np.ones(WIDTH)) for pair in ones for values in pair]
    answers: dict[str, Answer] = {
        "ones_about_0_999": (min(by_ones), min(by_ones) >= 0.999),
        "rand_about_0": (furthest(by_rand), abs(furthest(by_rand)) <= 4 / np.sqrt(WIDTH)),
        "ones_stays_along_ones_vector": (min(along), min(along) >= 0.999),
    }
    for item, both in {"ones_about_0_999": ones, "rand_about_0": rand}.items():
        correlation = furthest(pearson(*pair) for pair in both)
        answers[f"{item}@pearson"] = (correlation, abs(correlation) <= 4 / np.sqrt(WIDTH - 1))
    return {f"hyunwoong.toy.{item}": answer for item, answer in answers.items()}


def test_cosines_and_directions_are_what_numpy_computes(
    catalog: duckdb.DuckDBPyConnection, models: Models
) -> None:
    found = results(catalog)
    kept = min(
        cosine(
            vector(models, f"toy_rand_{which}_init", norm, n), vector(models, f"toy_rand_{which}", norm, n)
        )
        for which in "ab"
        for norm in NORMS
        for n in range(LAYERS)
    )
    answers = cosines(models) | directions(models)
    answers["hyunwoong.toy.rand_keeps_initial_direction"] = (kept, True)
    checks = {check.item: check for name in NAMES[1:] for check in found[name].checks}
    assert_same(checks, answers)
    assert len(checks) == 48 + 5 + 1
    assert [found[name].verdict for name in NAMES[2:]] == ["reproduced", "reproduced"]


def test_another_run_of_the_experiment_is_within_the_bands(catalog: duckdb.DuckDBPyConnection) -> None:
    bands = {check.item: check for check in results(catalog)["toy_cosines"].checks}
    ones, rand = (bands[f"hyunwoong.toy.{kind}.ln_2.layer11"] for kind in ("ones", "rand"))
    assert [ones.expected, ones.tolerance] == pytest.approx([0.99981, 0.001])
    assert [rand.expected, rand.tolerance] == pytest.approx([-0.12613, 2 * 0.12613])
    assert ones.holds


def test_losses_are_undefined_until_a_table_brings_them(catalog: duckdb.DuckDBPyConnection) -> None:
    checks = {check.item: check.observed for check in results(catalog)["toy_training"].checks}
    assert checks.pop("hyunwoong.toy.four_models") == 4
    assert set(checks.values()) == {None}
    assert len(checks) == 10


def test_losses_are_held_against_bands_once_there_is_a_table(catalog: duckdb.DuckDBPyConnection) -> None:
    rows = [(name, str(n % 3), *losses) for n, (name, losses) in enumerate(LOSSES.items())]
    [query] = [claim.query for claim in claims() if claim.id == "hyunwoong.toy_training"]
    with catalog.cursor() as connection:
        connection.execute(
            "create temp table toy_losses (model text, stream text, first_loss double, last_loss double)"
        )
        connection.executemany("insert into toy_losses values (?, ?, ?, ?)", rows)
        answer = connection.execute(query).fetchall()
    observed = {item.removeprefix("hyunwoong.toy."): value for item, _, _, value in answer}
    for n, (first, last) in enumerate(LOSSES.values(), 1):
        assert observed.pop(f"first_loss.model{n}") == first
        # one that did not learn, trained without dropout, is no evidence against theirs
        assert observed.pop(f"last_loss.model{n}") == (last if last < 0.1 else None)
    assert observed == {"four_models": 4, "different_sequences": 3, "all_converge": None}
    known = [row for row in answer if row[3] is not None]
    off = {item for item, expected, tolerance, value in known if abs(value - expected) > tolerance}
    assert off == {"hyunwoong.toy.different_sequences", "hyunwoong.toy.first_loss.model3"}


@pytest.mark.parametrize(
    ("change", "denied"),
    [
        ("common pattern", {"ones_about_0_999@pearson", "rand_about_0", "rand_about_0@pearson"}),
        ("wide", {"ones_about_0_999", "ones_stays_along_ones_vector"}),
    ],
)
def test_what_the_experiment_denies_is_noticed(
    change: str, denied: set[str], models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = {name: dict(norms) for name, norms in models.items() if not name.endswith("_init")}
    pattern = np.sin(np.arange(WIDTH)).astype(np.float32)
    one = np.float32(1)
    for name, norms in changed.items():
        if change == "common pattern":
            norms["h.5.ln_2.weight"] = one + pattern / np.float32(50) if "ones" in name else pattern
        elif name == "toy_ones_b":
            norms["h.5.ln_2.weight"] = one + pattern / np.float32(2)
    with lake_of(changed, tmp_path, monkeypatch) as connection:
        checks = results(connection)["toy_directions"].checks
    assert {check.item.removeprefix("hyunwoong.toy.") for check in checks if not check.holds} == denied


def test_without_the_models_the_command_that_trains_them_is_named(
    twelve_catalog: duckdb.DuckDBPyConnection,
) -> None:
    for result in results(twelve_catalog).values():
        assert result.verdict == "untestable"
        assert "`just toy`" in result.note
    items = {check.item for result in results(twelve_catalog).values() for check in result.checks}
    printed = {row["item"] for row in read_printed().to_pylist() if row["item"].startswith("hyunwoong.toy.")}
    assert {item for item in items if "@" not in item} == printed | {
        "hyunwoong.toy.rand_keeps_initial_direction"
    }
    assert len({item for item in items if "@" not in item}) == 63
