"""PCA from the Gram matrix that SQL gives, against numpy's SVD of the stacked, centred vectors."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest

from analysis.pca import pca
from tests.sql.lakes import INPUT, tiny_models
from warehouse.errors import UsageError


def test_coordinates_and_explained_variance_are_those_of_the_svd(catalog: duckdb.DuckDBPyConnection) -> None:
    models = ["base", "noisy", "independent"]
    table = pca(catalog, models, INPUT, range(3))
    tiny = tiny_models()
    points = [(model, layer) for model in sorted(models) for layer in range(3)]
    stacked = np.array([tiny[model][layer, INPUT] for model, layer in points], float)
    centred = stacked - stacked.mean(axis=0)
    left, singular, _ = np.linalg.svd(centred, full_matrices=False)
    expected = (left * singular)[:, :3]
    found = np.array(table["coordinate"]).reshape(len(points), 3)
    assert list(zip(table["model"].to_pylist()[::3], table["layer"].to_pylist()[::3], strict=True)) == points
    for component in range(3):
        sign = np.sign(expected[:, component] @ found[:, component])
        np.testing.assert_allclose(found[:, component], sign * expected[:, component], atol=1e-9)
        assert found[:, component][np.abs(found[:, component]).argmax()] > 0
    ratios = singular**2 / (singular**2).sum()
    np.testing.assert_allclose(table["explained_ratio"].to_pylist()[:3], ratios[:3], rtol=1e-9)


@pytest.mark.parametrize("models", [["base", "wide"], ["zero"], ["nobody"]])
def test_vectors_that_cannot_be_stacked_are_refused(
    catalog: duckdb.DuckDBPyConnection, models: list[str]
) -> None:
    with pytest.raises(UsageError, match="PCA needs more than 3 vectors"):
        pca(catalog, models, INPUT, range(4))
