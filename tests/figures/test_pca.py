"""Principal components from the Gram matrix that SQL gives, against numpy's SVD of the stacked vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb
import numpy as np
import polars as pl
import pytest

from analysis.figures.charts.three_dimensions import coordinates, decompose
from tests.sql.lakes import INPUT, tiny_models, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.errors import LakeError


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(write_lake(tmp_path_factory.mktemp("pca") / "tiny", tiny_models())) as opened:
        yield opened


def gram(connection: duckdb.DuckDBPyConnection, models: Sequence[str], layers: int) -> pl.DataFrame:
    found: pl.DataFrame = connection.sql(
        f"select model_a, layer_a, centered_product "
        f"from centered_gram({list(models)}, '{INPUT}', {list(range(layers))})"
    ).pl()
    return found


@pytest.mark.slow
def test_coordinates_and_explained_variance_are_those_of_the_svd(tiny: duckdb.DuckDBPyConnection) -> None:
    models = ["base", "independent", "noisy"]
    found = gram(tiny, models, 3)
    points = [(model, layer) for model in models for layer in range(3)]
    assert found.select("model_a", "layer_a").unique(maintain_order=True).rows() == points
    vectors = tiny_models()
    stacked = np.array([vectors[model][layer, INPUT] for model, layer in points], float)
    left, singular, _ = np.linalg.svd(stacked - stacked.mean(axis=0), full_matrices=False)
    expected = (left * singular)[:, :3]
    places, shares = decompose(found["centered_product"].to_numpy().reshape(9, 9), 3)
    for component in range(3):
        sign = np.sign(expected[:, component] @ places[:, component])
        np.testing.assert_allclose(places[:, component], sign * expected[:, component], atol=1e-9)
        assert places[:, component][np.abs(places[:, component]).argmax()] > 0
    np.testing.assert_allclose(shares, (singular**2 / (singular**2).sum())[:3], rtol=1e-9)
    table = coordinates(found)
    assert table.select("model", "layer").rows() == points
    np.testing.assert_allclose(table.select("pc1", "pc2", "pc3"), places, atol=1e-5)


@pytest.mark.parametrize("models", [["base", "wide"], ["zero"], ["nobody"]])
def test_vectors_that_cannot_be_stacked_are_refused(
    tiny: duckdb.DuckDBPyConnection, models: list[str]
) -> None:
    with pytest.raises(LakeError, match="more than 3 vectors of one width"):
        coordinates(gram(tiny, models, 4))
