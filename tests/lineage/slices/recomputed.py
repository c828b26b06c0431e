"""The statistics of slices once more, in numpy, from their definitions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from analysis.lineage.slices.read import Slices

Array = npt.NDArray[np.float64]


def statistics(
    one: Slices, other: Slices, anchors: tuple[str, ...], layers: tuple[int, ...]
) -> dict[str, float]:
    """Of two models of one depth whose neurons were all read; the first has no more than the second."""
    found: dict[str, float] = {}
    for form in ("folded", "plain"):
        orders, agreement, squares, agreeing, neurons, pooled, pooled_squares = [], 0.0, 0.0, 0, 0, 0.0, 0.0
        for layer in layers:
            gates, ups = (
                [profiles(model, anchors, layer, part, form) for model in (one, other)]
                for part in ("gate", "up")
            )
            c_gate, c_up = gates[0] @ gates[1].T, ups[0] @ ups[1].T
            n = len(c_gate)
            orders += [hoeffding(c_gate[:, :n]), hoeffding(np.abs(c_up[:, :n]))]
            i, j = mutual(c_gate)
            signs = c_up[i, j]
            agreement, squares = agreement + signs.sum(), squares + (signs**2).sum()
            up_i, up_j = mutual(np.abs(c_up[np.ix_(i, j)]))
            agreeing, neurons = agreeing + int((up_i == up_j).sum()), neurons + n
            tokenless = (_by_gates(one, layer, form, n) * _by_gates(other, layer, form, n)).sum(1)
            pooled, pooled_squares = pooled + tokenless.sum(), pooled_squares + (tokenless**2).sum()
        found |= {
            f"z_order_{form}": sum(orders) / np.sqrt(len(orders)),
            f"z_sign_{form}": agreement / np.sqrt(squares),
            f"z_tokenless_{form}": pooled / np.sqrt(pooled_squares),
            f"share_{form}": agreeing / neurons,
        }
    return found


def token_similarity(one: Slices, other: Slices, anchors: Sequence[str]) -> float:
    """How far the tokens of two models are alike in the same way."""
    centred = []
    for model in (one, other):
        rows = unit(np.stack([model.tokens[anchor] for anchor in anchors]).astype(np.float64))
        cosines = rows @ rows.T
        np.fill_diagonal(cosines, 0)
        means = cosines.sum(0) / (len(rows) - 1)
        centred.append((cosines - means - means[:, None])[np.triu_indices(len(rows), 1)])
    return float(np.corrcoef(*centred)[0, 1])


def profiles(model: Slices, anchors: tuple[str, ...], layer: int, part: str, form: str) -> Array:
    """By the SVD, as the whitening is defined."""
    rows = np.stack([model.tokens[anchor] for anchor in anchors]).astype(np.float64)
    u, sizes, vt = np.linalg.svd(rows - rows.mean(0), full_matrices=False)
    kept = sizes > 1e-6 * sizes[0]
    return unit(matrix(model, layer, part, form) @ (u[:, kept] @ vt[kept]).T)


def matrix(model: Slices, layer: int, part: str, form: str) -> Array:
    values = np.asarray(getattr(model.layers[layer], part), np.float64)
    norm = model.layers[layer].norm
    return values * norm if form == "folded" and norm is not None else values


def hoeffding(c: Array) -> float:
    centred = c - c.mean(0) - c.mean(1)[:, None] + c.mean()
    return float(np.trace(centred) / np.sqrt((centred**2).sum() / (len(c) - 1)))


def mutual(c: Array) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    of_rows, of_columns = c.argmax(1), c.argmax(0)
    i = np.flatnonzero(of_columns[of_rows] == np.arange(len(c)))
    return i, of_rows[i]


def unit(rows: Array) -> Array:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def _by_gates(model: Slices, layer: int, form: str, count: int) -> Array:
    up, gate = (unit(matrix(model, layer, part, form)[:count]) for part in ("up", "gate"))
    return unit(up @ gate.T)
