"""The permutation part: against closed forms, and against what a p-value must be."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest

from analysis.lineage.pair import compare_pair, permute
from tests.lineage.planted import model
from tests.lineage.recomputed import centred_ranks


def stack(seed: int, shared: float = 0.5) -> np.ndarray:
    return np.array([centred_ranks(values) for values in model(seed, shared=shared).values()])


def test_permutations_have_the_mean_and_spread_of_the_closed_form() -> None:
    one, other = stack(1), stack(2)
    found = permute(one, other, 20_000, np.random.default_rng(0))
    spread = np.sqrt(((one @ one.T) * (other @ other.T)).sum() / (one.shape[1] - 1))
    assert found.observed == pytest.approx(np.sum(one * other), abs=1e-5)
    assert found.mean == pytest.approx(0, abs=5 * spread / np.sqrt(20_000))
    assert found.std == pytest.approx(spread, rel=0.03)


@pytest.mark.slow
def test_p_values_of_unrelated_models_are_uniform_though_layers_resemble_each_other() -> None:
    p = np.sort(
        [
            permute(stack(2 * n, 0.8), stack(2 * n + 1, 0.8), 199, np.random.default_rng(n)).p
            for n in range(300)
        ]
    )
    # Kolmogorov-Smirnov: 1.63/√n is exceeded once in a hundred sets; the seeds are fixed.
    distance = np.abs(p - (np.arange(300) + 0.5) / 300).max()
    assert distance < 1.63 / np.sqrt(300)


def test_a_p_value_is_never_zero_and_smallest_for_a_copy() -> None:
    found = permute(stack(1), stack(1), 999, np.random.default_rng(0))
    assert found.p == pytest.approx(1 / 1000)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_p_and_another_seed_another(planted: duckdb.DuckDBPyConnection) -> None:
    def p(one: str, other: str, seed: int) -> float:
        permuted = compare_pair(planted, one, other, 2_000, seed=seed).permuted
        assert permuted is not None
        return permuted.p

    assert p("base", "stranger", 0) == p("base", "stranger", 0)
    assert p("base", "stranger", 0) != p("base", "stranger", 1)


@pytest.mark.slow
def test_permutations_agree_with_the_z_that_decides(planted: duckdb.DuckDBPyConnection) -> None:
    for other in ("stranger", "child", "short_stranger", "biased", "placed"):
        pair = compare_pair(planted, "base", other, 4_000)
        assert pair.permuted is not None
        assert pair.permuted.z == pytest.approx(pair.row["z_eff"], abs=0.1 + 0.05 * abs(pair.row["z_eff"])), (
            other
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "other", "layers"),
    [
        ("pruned", "base", [(0, 0), (1, 3)]),
        ("shifted", "base", [(0, 1), (1, 2), (2, 3)]),
        ("base", "shifted", [(1, 0), (2, 1), (3, 2)]),
    ],
)
def test_the_nearest_layers_are_told_from_the_first_model_to_the_second(
    planted: duckdb.DuckDBPyConnection, one: str, other: str, layers: list[tuple[int, int]]
) -> None:
    pair = compare_pair(planted, one, other, 100)
    assert set(layers) <= set(pair.layer_map)
    assert [layer for layer, _ in pair.layer_map] == list(range(pair.row["depth_a"]))
    assert pair.row["verdict"] == "share weight history"
