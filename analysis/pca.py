"""Principal components of layer vectors of several models, stacked and centred together (Figure 7).

The vectors are never stacked here: SQL gives their Gram matrix with the column means taken out
(`centered_gram`), and its eigenvectors times the roots of its eigenvalues are the coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import numpy as np
import pyarrow as pa

from warehouse.errors import UsageError


def pca(
    connection: duckdb.DuckDBPyConnection,
    models: Sequence[str],
    ln_type: str,
    layers: Sequence[int],
    components: int = 3,
) -> pa.Table:
    """One row per model, layer and component: its coordinate, and the component's share of the variance."""
    # A relation cannot take lists as parameters of a macro; variables can.
    for name, values in (("pca_models", list(models)), ("pca_layers", list(layers)), ("pca_type", ln_type)):
        connection.execute(f"set variable {name} = ?", [values])
    gram = connection.sql(
        "select model_a, layer_a, centered_product from centered_gram("
        "getvariable('pca_models'), getvariable('pca_type'), getvariable('pca_layers'))"
    ).to_arrow_table()
    points = list(dict.fromkeys(zip(gram["model_a"].to_pylist(), gram["layer_a"].to_pylist(), strict=True)))
    if len(points) ** 2 != gram.num_rows or len(points) <= components:
        raise UsageError(
            f"PCA needs more than {components} vectors {ln_type!r} of one width: "
            f"{', '.join(models)} give {len(points)}, or differ in width"
        )
    matrix = np.asarray(gram["centered_product"]).reshape(len(points), len(points))
    coordinates, explained = decompose(matrix, components)
    return pa.table(
        {
            "model": [model for model, _ in points for _ in range(components)],
            "layer": pa.array([layer for _, layer in points for _ in range(components)], pa.int16()),
            "component": pa.array(list(range(1, components + 1)) * len(points), pa.int16()),
            "coordinate": coordinates.ravel(),
            "explained_ratio": np.tile(explained, len(points)),
        }
    )


def decompose(gram: np.ndarray, components: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates (one row per point) and shares of the variance, from a centred Gram matrix."""
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    values = np.clip(values[::-1], 0, None)
    coordinates = (vectors[:, ::-1] * np.sqrt(values))[:, :components]
    # An eigenvector has no sign of its own: the point farthest out lies on the positive side.
    farthest = np.abs(coordinates).argmax(axis=0)
    coordinates = coordinates * np.where(coordinates[farthest, range(components)] < 0, -1.0, 1.0)
    return coordinates, values[:components] / max(values.sum(), np.finfo(float).tiny)
