"""The views show what is planted in the replica: published means, spreads, similarities and changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from ingest.registry import registry
from ingest.replica.values import layer_norms
from tests.sql.conftest import rows
from tests.sql.expected import assert_agrees, element_metrics, pair_metrics
from tests.sql.lakes import INPUT, POST, Values, write_lake
from warehouse.catalog.catalog import open_catalog

ALIASES = ("solar", "glm", "intellect", "phi", "mistral_7b", "mixtral", "yi_6b", "yi_9b", "qwen3_4b")


def norms(alias: str) -> dict[tuple[int, str], Values]:
    repo = registry()[alias].repo
    return {
        (layer, kind): values
        for kind, post in ((INPUT, False), (POST, True))
        for layer, values in enumerate(layer_norms(repo, post=post))
    }


@pytest.fixture(scope="module")
def replica(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    path: Path = tmp_path_factory.mktemp("lakes") / "replica"
    with open_catalog(write_lake(path, {alias: norms(alias) for alias in ALIASES}, "replica")) as connection:
        yield connection


def one(connection: duckdb.DuckDBPyConnection, query: str) -> float:
    [(value,)] = connection.sql(query).fetchall()
    return float(value)


@pytest.mark.slow
def test_the_views_agree_with_numpy_on_4096_wide_bf16_vectors(replica: duckdb.DuckDBPyConnection) -> None:
    solar, glm = norms("solar"), norms("glm")
    found = rows(replica, "from compare('solar', 'glm') where layer in (0, 10, 45)")
    assert len(found) == 6
    for row in found:
        key = (row["layer"], row["ln_type"])
        expected = pair_metrics(solar[key], glm[key]) | element_metrics(solar[key], glm[key])
        assert_agrees(row, expected, 1e-9, key)


@pytest.mark.parametrize(
    ("model", "kind", "layer", "mean", "std"),
    [
        ("solar", INPUT, 10, 0.236, 0.0410),
        ("solar", POST, 45, 0.975, 0.0668),
        ("glm", INPUT, 20, 0.648, 0.0550),
        ("glm", POST, 40, 2.18, 0.0917),
        ("phi", INPUT, 16, 0.435, 0.036),
    ],
)
def test_published_means_and_spreads(
    replica: duckdb.DuckDBPyConnection, model: str, kind: str, layer: int, mean: float, std: float
) -> None:
    [row] = rows(
        replica,
        f"from vector_stats where model = '{model}' and ln_type = '{kind}' and layer = {layer}",
    )
    assert row["mean"] == pytest.approx(mean, rel=0.02)
    assert row["std"] == pytest.approx(std, rel=0.05)


@pytest.mark.parametrize(
    ("model", "kind", "layers", "pearson"),
    [
        ("solar", INPUT, (10, 20), 0.46),
        ("solar", POST, (20, 30), 0.80),
        ("glm", INPUT, (10, 30), 0.65),
        ("glm", POST, (20, 30), 0.88),
        ("phi", INPUT, (10, 20), 0.74),
    ],
)
def test_likeness_of_a_models_own_layers(
    replica: duckdb.DuckDBPyConnection, model: str, kind: str, layers: tuple[int, int], pearson: float
) -> None:
    found = one(
        replica,
        f"select pearson from within_model where model = '{model}' and ln_type = '{kind}' "
        f"and layer_a = {layers[0]} and layer_b = {layers[1]}",
    )
    assert found == pytest.approx(pearson, abs=0.03)


@pytest.mark.parametrize(("model", "cosine"), [("solar", 0.373), ("glm", 0.376)])
def test_layer_0_of_the_input_norm_stands_apart(
    replica: duckdb.DuckDBPyConnection, model: str, cosine: float
) -> None:
    query = f"from within('{model}', [0, 10]) where layer_a = 0 and layer_b = 10"
    found = {row["ln_type"]: row for row in rows(replica, query)}
    assert found[INPUT]["cosine"] == pytest.approx(cosine, abs=0.02)
    assert abs(found[INPUT]["pearson"]) < 0.1
    assert found[POST]["cosine"] > 0.9


def test_solar_and_glm_have_high_cosine_and_no_correlation(replica: duckdb.DuckDBPyConnection) -> None:
    found = {row["ln_type"]: row for row in rows(replica, "from summary('solar', 'glm')")}
    for kind in (INPUT, POST):
        assert abs(found[kind]["pearson_mean"]) < 0.03
        assert abs(found[kind]["pearson_contrast"]) < 0.02
        assert found[kind]["offset_share_mean"] == pytest.approx(found[kind]["cosine_mean"], abs=0.01)
    assert found[INPUT]["cosine_mean"] > 0.9


def test_intellect_is_glm_with_fewer_changes_the_deeper_the_layer(replica: duckdb.DuckDBPyConnection) -> None:
    found = {
        row["layer"]: row
        for row in rows(replica, f"from drift('glm', 'intellect') where ln_type = '{INPUT}'")
    }
    for layer, share in ((0, 0.96), (2, 0.62), (10, 0.085), (45, 0.001)):
        assert found[layer]["changed_ratio"] == pytest.approx(share, rel=0.15, abs=0.001)
    assert found[0]["mean_abs_diff"] == pytest.approx(4.5e-4, rel=0.3)
    # Changes are whole BF16 steps, counted at the base's value or, across a power of two, at its neighbour's.
    steps = [row["mean_bf16_steps"] for row in found.values() if row["mean_bf16_steps"] is not None]
    assert min(steps) >= 0.5
    matched = one(replica, f"select min(pearson) from compare('glm', 'intellect') where ln_type = '{INPUT}'")
    assert matched > 0.99


@pytest.mark.slow
def test_related_models_are_each_others_nearest(replica: duckdb.DuckDBPyConnection) -> None:
    for model, parent, pearson in (
        ("intellect", "glm", 0.99),
        ("mixtral", "mistral_7b", 0.9),
        ("yi_9b", "yi_6b", 0.7),
    ):
        first = rows(replica, f"from nearest('{model}')")[0]
        assert first["model"] == parent
        assert first["pearson_mean"] > pearson


def test_the_upper_layers_of_yi_9b_are_those_of_yi_6b_once_more(replica: duckdb.DuckDBPyConnection) -> None:
    grid = rows(replica, f"select layer_a, layer_b, pearson from layer_grid('yi_9b', 'yi_6b', '{INPUT}')")
    best = {
        layer: max((row for row in grid if row["layer_a"] == layer), key=lambda row: row["pearson"])[
            "layer_b"
        ]
        for layer in range(48)
    }
    assert best == {layer: layer if layer < 28 else layer - 16 for layer in range(48)}


def test_qwen3_4b_is_never_compared_with_wider_models(replica: duckdb.DuckDBPyConnection) -> None:
    assert rows(replica, "from compare('qwen3_4b', 'glm')") == []
    assert {row["d"] for row in rows(replica, "from vector_stats where model = 'qwen3_4b'")} == {2560}


def test_a_cosine_between_independent_models_is_its_offset_share_within_chance(
    replica: duckdb.DuckDBPyConnection,
) -> None:
    z = np.array(replica.sql("select permutation_z from compare('solar', 'mistral_7b')").fetchall(), float)
    assert abs(z).max() < 8
    assert abs(z.mean()) < 1.5
