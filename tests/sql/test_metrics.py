"""Every number of every view against numpy, on tiny models of known geometry."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import duckdb
import numpy as np
import pytest

from tests.sql.conftest import rows
from tests.sql.expected import assert_agrees, correlation, element_metrics, pair_metrics, vector_stats
from tests.sql.lakes import INPUT, POST, Values, tiny_models

EXACT = 1e-12
MODELS = tiny_models()
VECTORS = {
    (model, layer, ln_type): values
    for model, vectors in MODELS.items()
    for (layer, ln_type), values in vectors.items()
}
FINITE = {key: values for key, values in VECTORS.items() if np.isfinite(values).all()}

Key = tuple[str, int, str]


def expected_pairs() -> Iterator[tuple[tuple[str, int, str, int, str], Values, Values]]:
    for (a, b), (x, y) in zip(
        itertools.product(FINITE, FINITE), itertools.product(FINITE.values(), FINITE.values()), strict=True
    ):
        if a[2] == b[2] and len(x) == len(y):
            yield (a[0], a[1], b[0], b[1], a[2]), x, y


def test_vector_stats_are_numpys(catalog: duckdb.DuckDBPyConnection) -> None:
    found = {(row["model"], row["layer"], row["ln_type"]): row for row in rows(catalog, "from vector_stats")}
    assert found.keys() == VECTORS.keys()
    for key, values in FINITE.items():
        row = found[key]
        assert (row.pop("excluded"), row.pop("is_constant")) == (None, np.ptp(values) == 0)
        assert_agrees(row, vector_stats(values), EXACT, key)


def test_pairs_holds_all_pairs_of_one_type_and_width_in_both_orders(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    found = {
        (row["model_a"], row["layer_a"], row["model_b"], row["layer_b"], row["ln_type"]): row
        for row in rows(catalog, "from pairs")
    }
    expected = list(expected_pairs())
    assert found.keys() == {key for key, _, _ in expected}
    assert len(found) == catalog.sql("select count(*) from pairs").fetchall()[0][0]
    for key, x, y in expected:
        assert_agrees(found[key], pair_metrics(x, y), EXACT, key)


def test_matched_layers_has_the_same_metrics_and_those_of_the_elements(
    catalog: duckdb.DuckDBPyConnection,
) -> None:
    found = {
        (row["model_a"], row["layer"], row["model_b"], row["layer"], row["ln_type"]): row
        for row in rows(catalog, "from matched_layers")
    }
    expected = {key: (x, y) for key, x, y in expected_pairs() if key[1] == key[3] and key[0] != key[2]}
    assert found.keys() == expected.keys()
    for key, (x, y) in expected.items():
        assert_agrees(found[key], pair_metrics(x, y) | element_metrics(x, y), EXACT, key)


def test_within_model_compares_a_models_own_layers(catalog: duckdb.DuckDBPyConnection) -> None:
    found = {
        (row["model"], row["layer_a"], row["model"], row["layer_b"], row["ln_type"]): row
        for row in rows(catalog, "from within_model")
    }
    expected = {key: (x, y) for key, x, y in expected_pairs() if key[0] == key[2] and key[1] != key[3]}
    assert found.keys() == expected.keys()
    for key, (x, y) in expected.items():
        assert_agrees(found[key], pair_metrics(x, y) | element_metrics(x, y), EXACT, key)


def test_within_layer_is_input_minus_post(catalog: duckdb.DuckDBPyConnection) -> None:
    found = {(row["model"], row["layer"]): row for row in rows(catalog, "from within_layer")}
    expected = {
        (model, layer): (
            np.float64(1) * FINITE[model, layer, INPUT],
            np.float64(1) * FINITE[model, layer, POST],
        )
        for model, layer, ln_type in FINITE
        if ln_type == POST and (model, layer, INPUT) in FINITE
    }
    assert found.keys() == expected.keys()
    for key, (x, y) in expected.items():
        wanted = {"diff_mean": (x - y).mean(), "diff_std": (x - y).std()}
        metrics = pair_metrics(x, y)
        np.testing.assert_allclose(found[key].pop("diff_pattern"), (x - y) - (x - y).mean(), atol=EXACT)
        assert_agrees(
            found[key], {**wanted, "cosine": metrics["cosine"], "pearson": metrics["pearson"]}, EXACT, key
        )


def test_within_layer_compare_correlates_the_differences(catalog: duckdb.DuckDBPyConnection) -> None:
    found = rows(catalog, "from within_layer_compare('base', 'noisy')")
    assert [row["layer"] for row in found] == list(range(4))
    for row in found:
        x, y = (
            FINITE[model, row["layer"], INPUT].astype(float) - FINITE[model, row["layer"], POST].astype(float)
            for model in ("base", "noisy")
        )
        assert_agrees(row, {"pearson": correlation(x, y)}, EXACT, row["layer"])


def test_centered_is_each_value_minus_its_vectors_mean(catalog: duckdb.DuckDBPyConnection) -> None:
    found = rows(catalog, "from centered where model = 'wide' order by ln_type, layer, dim")
    keys = sorted((key for key in FINITE if key[0] == "wide"), key=lambda key: (key[2], key[1]))
    values = np.concatenate([FINITE[key] for key in keys]).astype(float)
    centred = np.concatenate([FINITE[key].astype(float) - FINITE[key].astype(float).mean() for key in keys])
    assert [row["value"] for row in found] == values.tolist()
    assert [row["dim"] for row in found] == list(range(96)) * len(keys)
    np.testing.assert_allclose([row["centered_value"] for row in found], centred, atol=EXACT)


def test_a_constant_vector_has_no_spread_and_no_correlation(catalog: duckdb.DuckDBPyConnection) -> None:
    [stats] = rows(catalog, "from vectors where model = 'constant' and ln_type = 'final_norm'")
    assert stats["mean"] == float(np.float32(0.1))
    assert stats["std"] == 0
    assert set(stats["pattern"]) == {0.0}
    [row] = rows(catalog, "from compare('constant', 'base') where ln_type = 'final_norm'")
    assert [row[name] for name in ("pearson", "spearman", "permutation_z")] == [None] * 3
    assert row["cosine"] == row["offset_share"]
    assert row["pattern_share"] == 0


def test_a_zero_vector_has_no_cosine_and_nothing_divides_by_zero(catalog: duckdb.DuckDBPyConnection) -> None:
    undefined = ("cosine", "pearson", "offset_share", "pattern_share", "rel_l2", "cv_diff")
    found = rows(catalog, "from pairs where model_a = 'zero' and model_b = 'base' order by layer_b")
    assert [row["layer_b"] for row in found] == list(range(4))
    for row in found:
        assert [row[name] for name in undefined] == [None] * len(undefined)
        assert row["l2_distance"] > 0


def test_a_copy_is_at_distance_zero_exactly(catalog: duckdb.DuckDBPyConnection) -> None:
    found = rows(catalog, "from compare('base', 'copy')")
    assert len(found) == len(MODELS["base"])
    for row in found:
        assert (row["l2_distance"], row["max_abs_diff"], row["changed_ratio"]) == (0, 0, 0)
        assert row["pearson"] == pytest.approx(1, abs=EXACT)
