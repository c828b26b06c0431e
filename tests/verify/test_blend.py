"""`blend` finds means of two models, with their weights, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from analysis.__main__ import main
from analysis.verify.blend import blend_lines, compare_blend
from tests.sql.conftest import rows
from tests.sql.lakes import Vectors, bf16, random_model, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

BASE = random_model(1)


def drifted(seed: int, size: float) -> Vectors:
    """A child of BASE whose norms moved at random, in BF16."""
    random = np.random.default_rng(seed)
    return {key: bf16(values + random.normal(0, size, values.size)) for key, values in BASE.items()}


B, C = drifted(2, 0.05), drifted(3, 0.05)


def mean(weights: dict[int, float] | float, one: Vectors = B, other: Vectors = C) -> Vectors:
    """A weighted mean, rounded to BF16 as a merge would store it; one weight, or one for each layer."""
    mixed = {}
    for key in one:
        weight = weights if isinstance(weights, float) else weights[key[0]]
        mixed[key] = rounded(weight * one[key].astype(float) + (1 - weight) * other[key].astype(float))
    return mixed


def rounded(values: np.ndarray) -> np.ndarray:
    step = 2.0 ** (np.floor(np.log2(np.abs(values))) - 7)
    return np.asarray(np.round(values / step) * step, np.float32)


def spherical(one: Vectors, other: Vectors, t: float = 0.5) -> Vectors:
    """SLERP of each norm, as merge tools do it."""
    mixed = {}
    for key in one:
        a, b = one[key].astype(float), other[key].astype(float)
        angle = np.arccos(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
        mixed[key] = rounded((np.sin((1 - t) * angle) * a + np.sin(t * angle) * b) / np.sin(angle))
    return mixed


MODELS: dict[str, Vectors] = {
    "base": BASE,
    "b": B,
    "c": C,
    "b_again": dict(B),
    "tenth": mean(0.1),
    "sixth": mean(0.6),
    "by_layer": mean({0: 0.2, 1: 0.4, 2: 0.6, 3: 0.8, -1: 0.5}),
    "halves": mean({0: 1.0, 1: 1.0, 2: 0.0, 3: 0.0, -1: 1.0}),
    "spherical": spherical(B, C),
    "with_stranger": mean(0.5, B, random_model(9)),
    "spherical_with_stranger": spherical(B, random_model(9)),
    "stranger": random_model(9),
    "child": {key: rounded(B[key] + 0.2 * (BASE[key] - C[key]) + 0.0) for key in B},
    "sibling": drifted(4, 0.05),
    "near": {key: rounded(value * (1 + 2.0**-8)) for key, value in B.items()},
    "short": {key: values for key, values in B.items() if key[0] in (0, -1)},
    "wide": random_model(5, width=96),
}


@pytest.fixture(scope="module")
def merges(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return write_lake(tmp_path_factory.mktemp("lakes") / "merges", MODELS)


@pytest.fixture(scope="module")
def connection(merges: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(merges) as connection:
        yield connection


def blend(
    connection: duckdb.DuckDBPyConnection, model: str, one: str = "b", other: str = "c"
) -> dict[str, Any]:
    [row] = rows(connection, f"from blend('{model}', '{one}', '{other}')")
    return row


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "one", "other", "weight", "verdict"),
    [
        ("sixth", "b", "c", 0.6, "a mixture of b and c (0.60 : 0.40, the same in all norms)"),
        ("sixth", "c", "b", 0.4, "a mixture of c and b (0.40 : 0.60, the same in all norms)"),
        ("tenth", "b", "c", 0.1, "a mixture of b and c (0.10 : 0.90, the same in all norms)"),
        (
            "with_stranger",
            "b",
            "stranger",
            0.5,
            "a mixture of b and stranger (0.50 : 0.50, the same in all norms)",
        ),
    ],
)
def test_a_mean_of_two_models_is_found_with_its_weight(
    connection: duckdb.DuckDBPyConnection, model: str, one: str, other: str, weight: float, verdict: str
) -> None:
    found = blend(connection, model, one, other)
    assert found["verdict"] == verdict
    assert found["weight"] == pytest.approx(weight, abs=0.005)
    assert found["weight_low"] < found["weight"] < found["weight_high"]
    assert found["residual_steps"] < 0.4


def test_weights_that_differ_by_layer_are_reported(connection: duckdb.DuckDBPyConnection) -> None:
    assert (
        blend(connection, "by_layer")["verdict"]
        == "a mixture of b and c (weight of the first 0.20 to 0.80 by norm)"
    )
    assert (
        blend(connection, "halves")["verdict"]
        == "a mixture of b and c (weight of the first 0.00 to 1.00 by norm)"
    )
    weights = {
        row["layer"]: row["weight"] for row in rows(connection, "from blend_norms('by_layer', 'b', 'c')")
    }
    assert weights == pytest.approx({0: 0.2, 1: 0.4, 2: 0.6, 3: 0.8, -1: 0.5}, abs=0.02)


def test_a_spherical_merge_is_close_to_a_mean(connection: duckdb.DuckDBPyConnection) -> None:
    found = blend(connection, "spherical")
    assert found["verdict"].startswith("a mixture of b and c (0.50 : 0.50")
    assert found["explained"] > 0.99


def test_a_spherical_merge_of_unlike_models_is_nearly_a_mean(connection: duckdb.DuckDBPyConnection) -> None:
    """Its weights add up to more than 1."""
    found = blend(connection, "spherical_with_stranger", "b", "stranger")
    assert found["verdict"].startswith("nearly a mixture of b and stranger (0.5")
    assert 0.95 < found["explained"] < 0.99


@pytest.mark.parametrize("model", ["base", "child", "sibling", "stranger"])
def test_relatives_and_strangers_are_no_mixture(connection: duckdb.DuckDBPyConnection, model: str) -> None:
    found = blend(connection, model)
    assert found["verdict"] == "not a mixture of these"
    assert found["explained"] < 0.9


@pytest.mark.parametrize(("one", "other"), [("b", "c"), ("c", "b")])
def test_a_model_that_is_almost_one_of_the_two_is_named_so(
    connection: duckdb.DuckDBPyConnection, one: str, other: str
) -> None:
    verdict = blend(connection, "near", one, other)["verdict"]
    assert verdict == "not a mixture of these: almost equal to b alone, c adds nothing"


def test_an_extrapolation_is_no_mixture(connection: duckdb.DuckDBPyConnection) -> None:
    """If A is the mean of B and C, then B fits A and C exactly, with a weight beyond 1."""
    found = blend(connection, "b", "with_stranger", "stranger")
    assert found["explained"] > 0.99
    assert found["weight"] == pytest.approx(2, abs=0.02)
    assert found["verdict"] == "not a mixture of these"


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        (("sixth", "b", "b_again"), "cannot tell: b and b_again have the same norms"),
        (("b_again", "b", "c"), "not a mixture: the same norms as one of the two"),
        (("short", "b", "c"), "cannot tell: the three models share 3 norms"),
        (("wide", "b", "c"), "cannot tell: the three models share 0 norms"),
    ],
)
def test_what_cannot_be_told_says_why(
    connection: duckdb.DuckDBPyConnection, asked: tuple[str, str, str], verdict: str
) -> None:
    assert blend(connection, *asked)["verdict"] == verdict


@pytest.mark.slow
def test_differences_of_a_rounding_step_cannot_be_told(tmp_path: Path) -> None:
    """Where two fine-tunes moved a few values by one step, their base fits a mean of them within rounding."""
    random = np.random.default_rng(0)

    def nudged() -> Vectors:
        return {
            key: rounded(value * (1 + 2.0**-7 * (random.random(value.size) < 0.1)))
            for key, value in BASE.items()
        }

    lake = write_lake(
        tmp_path / "nudged", {"base": {k: rounded(v) for k, v in BASE.items()}, "x": nudged(), "y": nudged()}
    )
    with open_catalog(lake) as connection:
        assert (
            blend(connection, "base", "x", "y")["verdict"]
            == "cannot tell: x and y differ by little more than rounding"
        )


def test_the_regression_is_that_of_numpy(connection: duckdb.DuckDBPyConnection) -> None:
    model = MODELS["child"]
    x, y, z = ([], [], [])
    for key in B:
        a, b, c = (vectors[key].astype(float) for vectors in (model, B, C))
        step = 2.0 ** (np.floor(np.log2(np.maximum(np.maximum(abs(a), abs(b)), abs(c)))) - 7)
        x.append((b - c) / step)
        y.append((a - c) / step)
        z.append((a - b) / step)
    wide_x, wide_y, wide_z = np.concatenate(x), np.concatenate(y), np.concatenate(z)
    weight = wide_x @ wide_y / (wide_x @ wide_x)
    residual = ((wide_y - weight * wide_x) ** 2).sum()
    by_norm = sum(((v - (u @ v) / (u @ u) * u) ** 2).sum() for u, v in zip(x, y, strict=True))
    nearer = min((wide_y**2).sum(), (wide_z**2).sum())
    error = np.sqrt(sum((u @ v - weight * (u @ u)) ** 2 for u, v in zip(x, y, strict=True))) / (
        wide_x @ wide_x
    )
    found = blend(connection, "child")
    expected = {
        "weight": weight,
        "weight_low": weight - 1.96 * error,
        "explained": 1 - residual / nearer,
        "explained_by_norm": 1 - by_norm / nearer,
        "residual_steps": np.sqrt(residual / wide_x.size),
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-9)


def test_an_unknown_model_is_named(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match="no model 'sixt' in this lake: did you mean sixth"):
        blend(connection, "sixt")


@pytest.mark.slow
def test_the_command_answers_first_and_compares_other_relatives(
    connection: duckdb.DuckDBPyConnection, merges: Lake, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = blend_lines(compare_blend(connection, "sixth", "b", "c"), None)
    assert lines[0] == "sixth: a mixture of b and c (0.60 : 0.40, the same in all norms)"
    assert len(lines) <= 6
    folder = str(merges.folder)
    assert main(["blend", "sixth", "b", "c", "--lake", folder]) == 0
    assert capsys.readouterr().out.startswith("sixth: a mixture of b and c")
    assert main(["blend", "sixth", "b", "b", "--lake", folder]) == 1
    assert "name three different models" in capsys.readouterr().err
    assert main(["blend", "sixth", "b"]) == 1
    assert "just blend A B C" in capsys.readouterr().err


@pytest.mark.exhaustive
def test_merges_of_trained_models_are_found_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blend", "--calibrate"]) == 0
    told = capsys.readouterr().out
    assert "88 of 88 found" in told
    assert "0 of 500 called a mixture" in told
