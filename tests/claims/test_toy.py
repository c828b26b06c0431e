"""The claims about trained small models say what numpy says of four tiny ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from analysis.claims.claim_file import CLAIMS, Claim, read_claim
from analysis.claims.results import Judged, Reading, read_items
from analysis.claims.run import run_claims
from tests.claims.by_numpy import (
    Answer,
    Doubles,
    assert_same,
    cosine,
    furthest,
    pearson,
    readings_by_name,
)
from tests.claims.toy_models import (
    LAYERS,
    NORMS,
    WIDTH,
    Models,
    lake_of,
    trained,
    vector,
    with_losses,
)
from warehouse.documents import read_printed

NAMES = (
    "toy_setup",
    "toy_training",
    "toy_cosines",
    "toy_directions",
    "toy_initial_direction",
    "toy_conclusions",
)
TOY = "hyunwoong.toy."
LEARNED = {
    "toy_ones_a": (5.71, 0.012),
    "toy_ones_b": (5.65, 0.02),
    "toy_rand_a": (5.9, 0.004),
    "toy_rand_b": (5.66, 0.03),
}


@pytest.fixture(scope="module")
def models() -> Models:
    return trained()


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory, models: Models) -> Iterator[duckdb.DuckDBPyConnection]:
    with (
        pytest.MonkeyPatch.context() as patch,
        lake_of(models, tmp_path_factory.mktemp("toy"), patch, LEARNED) as opened,
    ):
        yield opened


def claims(*names: str) -> list[Claim]:
    return [read_claim(CLAIMS / "hyunwoong" / f"{name}.sql") for name in names or NAMES]


def judged(connection: duckdb.DuckDBPyConnection) -> dict[str, Judged]:
    run = run_claims(connection, claims())
    assert run.broken == []
    return {one.item.item.removeprefix(TOY): one for result in run.results for one in result.items}


def readings(connection: duckdb.DuckDBPyConnection, *names: str) -> dict[str, Reading]:
    return readings_by_name(connection, claims(*names))


def answers_of(connection: duckdb.DuckDBPyConnection, name: str) -> dict[str, tuple[Any, ...]]:
    """The rows of one query by item; of a cursor, whose temporary tables it sees."""
    [claim] = claims(name)
    rows = connection.execute(claim.query).fetchall()
    return {item.removeprefix(TOY): tuple(rest) for item, _, *rest in rows}


def cosines(models: Models) -> dict[str, Answer]:
    """Ones by the order of magnitude of what is missing to 1, random ones by the size that chance gives."""
    printed = {row["item"]: row["value"] for row in read_printed().to_pylist()}
    answers: dict[str, Answer] = {}
    for kind in ("ones", "rand"):
        for norm in NORMS:
            for layer in range(LAYERS):
                item = f"{TOY}{kind}.{norm}.layer{layer}"
                value = cosine(*(vector(models, f"toy_{kind}_{which}", norm, layer) for which in "ab"))
                factor = (1 - value) / (1 - printed[item])
                near = 0.1 <= factor <= 10 if kind == "ones" else abs(value) <= 4 / np.sqrt(WIDTH)
                answers[item] = (value, bool(near))
    return answers


def directions(models: Models) -> dict[str, Answer]:
    def pairs(kind: str) -> list[tuple[Doubles, Doubles]]:
        return [
            (vector(models, f"toy_{kind}_a", norm, n), vector(models, f"toy_{kind}_b", norm, n))
            for norm in NORMS
            for n in range(LAYERS)
        ]

    ones, rand = pairs("ones"), pairs("rand")
    lowest, of_rand = min(cosine(*pair) for pair in ones), furthest(cosine(*pair) for pair in rand)
    along = min(cosine(values, np.ones(WIDTH)) for pair in ones for values in pair)
    common = furthest(pearson(*pair) for pair in ones + rand)
    kept = min(
        cosine(vector(models, f"{model}_init", norm, n), vector(models, model, norm, n))
        for model in ("toy_rand_a", "toy_rand_b")
        for norm in NORMS
        for n in range(LAYERS)
    )
    answers: dict[str, Answer] = {
        "ones_about_0_999": (lowest, lowest >= 0.9985),
        "rand_about_0": (of_rand, abs(of_rand) <= 4 / np.sqrt(WIDTH)),
        "ones_stays_along_ones_vector": (along, along >= 0.9985),
        "rand_keeps_initial_direction": (kept, kept >= 0.9),
    }
    answers["direction_from_start"] = (common, abs(common) <= 4 / np.sqrt(WIDTH - 1))
    answers["no_reliable_evidence"] = (lowest, lowest >= 0.9)
    return {f"{TOY}{item}": answer for item, answer in answers.items()}


@pytest.mark.slow
def test_cosines_and_directions_are_what_numpy_computes(
    catalog: duckdb.DuckDBPyConnection, models: Models
) -> None:
    assert_same(readings(catalog, *NAMES[2:]), cosines(models) | directions(models))
    verdicts = {name: one.verdict for name, one in judged(catalog).items() if ".layer" not in name}
    assert {
        name
        for name, verdict in verdicts.items()
        if verdict == "reproduced" and "_loss." not in name and name != "all_converge"
    } == {
        "ones_about_0_999",
        "rand_about_0",
        "ones_stays_along_ones_vector",
        "rand_keeps_initial_direction",
        "direction_from_start",
        "no_reliable_evidence",
    }


@pytest.mark.parametrize(
    ("ones", "rand", "held"),
    [
        ("0.9998", "-cosine", {"ones", "rand"}),  # other digits, the other sign: another seed
        ("0.99998", "0.6", {"ones"}),  # a direction in common, which chance does not give
        ("1.0", "0.0", {"rand"}),  # never trained
        ("0.998", "0.0", {"rand"}),  # ten times as far from 1, and more
    ],
)
def test_another_seed_repeats_sizes_and_neither_digits_nor_signs(
    catalog: duckdb.DuckDBPyConnection, ones: str, rand: str, held: set[str]
) -> None:
    with catalog.cursor() as connection:
        connection.execute(f"""
            create temp table matched_layers as
            select * replace (case when model_a = 'toy_ones_a' then {ones} else {rand} end as cosine)
            from matched_layers
        """)
        found = answers_of(connection, "toy_cosines")
    assert {item.split(".")[0] for item, (_, holds, _) in found.items() if holds} == held
    assert len({(item.split(".")[0], holds) for item, (_, holds, _) in found.items()}) == 2


def test_losses_are_judged_by_bands(catalog: duckdb.DuckDBPyConnection) -> None:
    answer, setup = answers_of(catalog, "toy_training"), answers_of(catalog, "toy_setup")
    for n, (first, last) in enumerate(LEARNED.values(), 1):
        assert answer[f"first_loss.model{n}"][-1] == first
        assert answer[f"last_loss.model{n}"][-1] == last
    assert answer["all_converge"][-1] == 4
    assert {item: row[1:] for item, row in setup.items()} == {
        "four_models": (True, 4),
        "different_sequences": (True, 4),
    }
    off = {item for item, (expected, band, value) in answer.items() if abs(value - expected) > band}
    assert off == {"first_loss.model3"}


def test_models_that_share_a_sequence_are_noticed(catalog: duckdb.DuckDBPyConnection) -> None:
    with with_losses(catalog, LEARNED) as connection:
        connection.execute("update toy_losses set stream = 1 where stream = 2")
        setup = answers_of(connection, "toy_setup")
    assert setup["different_sequences"][1:] == (False, 3)


ITEMS_OF_ONES = {"ones_about_0_999", "ones_stays_along_ones_vector"}
ITEMS_OF_RAND = {"rand_about_0", "rand_keeps_initial_direction"}
CONCLUSIONS = {"direction_from_start", "no_reliable_evidence"}


@pytest.mark.parametrize(
    ("unlearned", "number", "undefined"),
    [
        ("toy_ones_b", 2, ITEMS_OF_ONES | {f"ones.{norm}.layer{n}" for norm in NORMS for n in range(LAYERS)}),
        ("toy_rand_a", 3, ITEMS_OF_RAND | {f"rand.{norm}.layer{n}" for norm in NORMS for n in range(LAYERS)}),
    ],
)
def test_a_model_that_did_not_learn_says_nothing(
    catalog: duckdb.DuckDBPyConnection, unlearned: str, number: int, undefined: set[str]
) -> None:
    with with_losses(catalog, LEARNED | {unlearned: (5.66, 3.0)}) as connection:
        answers = {item: row for name in NAMES[1:] for item, row in answers_of(connection, name).items()}
    of_training = {f"first_loss.model{number}", f"last_loss.model{number}", "all_converge"}
    assert {item for item, row in answers.items() if row[-1] is None} == undefined | CONCLUSIONS | of_training
    for item in undefined | CONCLUSIONS:
        assert answers[item][1:] == (None, None)


@pytest.mark.slow
def test_without_losses_every_item_of_training_is_untestable(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lake_of(models, tmp_path, monkeypatch, {}) as connection:
        verdicts = {item: one.verdict for item, one in judged(connection).items()}
    assert verdicts.pop("four_models") == verdicts.pop("different_sequences") == "by definition"
    assert set(verdicts.values()) == {"untestable"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "denied"),
    [
        ("common pattern", {"direction_from_start", "rand_about_0"}),
        ("wide", {"ones_about_0_999", "ones_stays_along_ones_vector"}),
        ("opposite", {"ones_about_0_999", "ones_stays_along_ones_vector", "no_reliable_evidence"}),
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
            wide = one + pattern / np.float32(2)
            norms["h.5.ln_2.weight"] = wide if change == "wide" else -norms["h.5.ln_2.weight"]
    with lake_of(changed, tmp_path, monkeypatch, LEARNED) as connection:
        checks = readings(connection, "toy_directions", "toy_conclusions")
    assert {item.removeprefix(TOY) for item, check in checks.items() if not check.holds} == denied


@pytest.mark.slow
def test_without_the_models_the_command_that_trains_them_is_named(
    twelve_catalog: duckdb.DuckDBPyConnection,
) -> None:
    run = run_claims(twelve_catalog, claims())
    assert run.broken == []
    for result in run.results:
        assert "`just toy --size published`" in result.note
        assert {one.verdict for one in result.items} == {"untestable"}
    assert {f"{TOY}{name}" for name in judged(twelve_catalog)} == {
        name for name in read_items() if name.startswith(TOY)
    }
