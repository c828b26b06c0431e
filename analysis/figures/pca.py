"""The principal components of Figure 7: an eigenvalue problem, which SQL cannot solve.

The layers' vectors of several models are stacked and centred together, but never here: SQL gives their Gram
matrix with the column means taken out (`centered_gram`), and its eigenvectors times the roots of its
eigenvalues are the coordinates.
"""

from __future__ import annotations

from analysis.figures.charts.libraries import np, pl
from warehouse.errors import LakeError

COMPONENTS = 3


def coordinates(gram: pl.DataFrame) -> pl.DataFrame:
    """One row per model and layer: its place on the first three principal components, and their shares."""
    points = gram.select("model_a", "layer_a").unique(maintain_order=True)
    if points.height <= COMPONENTS or points.height**2 != gram.height:
        raise LakeError(
            f"principal components need more than {COMPONENTS} vectors of one width: this lake has "
            f"{points.height}, or they differ in width; `just ingest` models of one width"
        )
    matrix = gram["centered_product"].to_numpy().reshape(points.height, points.height)
    places, shares = decompose(matrix, COMPONENTS)
    return points.rename({"model_a": "model", "layer_a": "layer"}).with_columns(
        *(pl.Series(f"pc{n + 1}", np.round(places[:, n], 5)) for n in range(COMPONENTS)),
        *(pl.lit(round(float(shares[n]), 5)).alias(f"share{n + 1}") for n in range(COMPONENTS)),
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
