"""How often `blend` is right about merges of trained models: SLERP, task vectors, weights by layer, and none.

The norms of siblings of the shipped zoo are merged as merge tools do it, and rounded to BF16.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from analysis.lakes import trained_lake
from analysis.lineage.rates import wilson
from analysis.rows import fetch_dicts
from analysis.verify.blend import FAMILIES
from tests.sql.lakes import Values, Vectors, write_lake
from warehouse.catalog.catalog import open_catalog

NORMS = "select layer, ln_type, weights from vectors where model = $model order by layer, ln_type"
ONE, OTHER = "_ft_long_high", "_ft_short_high"

Merge = Callable[[np.ndarray, np.ndarray, np.ndarray, tuple[int, str], int], np.ndarray]
"""From base, one, other, the place of the norm and the number of layers to the merged norm."""


def lines() -> Iterator[str]:
    """Merge, ask, and count by kind of merge; errors of the weight are beside it."""
    with tempfile.TemporaryDirectory() as folder:
        models, asked = _merged()
        with open_catalog(write_lake(Path(folder) / "merges", models)) as connection:
            for kind, (weight, triples) in asked.items():
                found = [
                    fetch_dicts(connection, "from blend($1, $2, $3)", dict(zip("123", one, strict=True)))[0]
                    for one in triples
                ]
                yield _line(kind, weight, found)


def _line(kind: str, weight: float | None, found: Sequence[dict[str, Any]]) -> str:
    called = [row for row in found if str(row["verdict"]).startswith("a mixture")]
    unsure = sum(str(row["verdict"]).startswith("cannot tell") for row in found)
    near = sum(str(row["verdict"]).startswith("nearly a mixture") for row in found)
    # one merge of each family: no two share a model
    low, high = wilson(len(called), len(found))
    text = (
        f"{kind}: {len(called)} of {len(found)} called a mixture (95 % interval {100 * low:.0f} to "
        f"{100 * high:.0f} %), {near} nearly one, {unsure} cannot tell"
    )
    if weight is not None and called:
        error = max(abs(row["weight"] - weight) for row in called)
        inside = sum(row["weight_low"] <= weight <= row["weight_high"] for row in called)
        text += f"; error of the weight at most {error:.4f}; inside the 95 % interval: {inside}"
    explained = [row["explained"] for row in found if row["explained"] is not None]
    return f"{text}; explained {min(explained):.1%} to {max(explained):.1%}" if explained else text


def _merged() -> tuple[dict[str, Vectors], dict[str, tuple[float | None, list[tuple[str, str, str]]]]]:
    """All models, and by kind of merge the weight of the first parent and the triples to ask."""
    models: dict[str, Vectors] = {}
    asked: dict[str, tuple[float | None, list[tuple[str, str, str]]]] = {}
    with open_catalog(trained_lake()) as connection:
        for family in fetch_dicts(connection, FAMILIES):
            base, one, other = family["parent"], family["parent"] + ONE, family["parent"] + OTHER
            if not {one, other} <= {*family["models"]}:
                continue
            parts = [_norms(connection, model) for model in (base, one, other)]
            models |= {
                name: {place: values.astype(np.float32) for place, values in part.items()}
                for name, part in zip((base, one, other), parts, strict=True)
            }
            layers = 1 + max(layer for layer, _ in parts[0])
            for number, (kind, weight, merge) in enumerate(MERGES):
                name = f"{base}_{number}"
                models[name] = {
                    place: _rounded(merge(parts[0][place], parts[1][place], parts[2][place], place, layers))
                    for place in parts[0]
                }
                asked.setdefault(kind, (weight, []))[1].append((name, one, other))
    return models, asked


def _norms(connection: duckdb.DuckDBPyConnection, model: str) -> dict[tuple[int, str], np.ndarray]:
    found = connection.execute(NORMS, {"model": model}).fetchall()
    return {(layer, kind): np.asarray(values, np.float64) for layer, kind, values in found}


def _rounded(values: np.ndarray) -> Values:
    step = 2.0 ** (np.floor(np.log2(np.maximum(np.abs(values), 2.0**-126))) - 7)
    return np.asarray(np.round(values / step) * step, np.float32)


def _linear(weight: float) -> Merge:
    return lambda _base, one, other, _place, _layers: weight * one + (1 - weight) * other


def _slerp(weight: float) -> Merge:
    def merge(
        _base: np.ndarray, one: np.ndarray, other: np.ndarray, _place: object, _layers: int
    ) -> np.ndarray:
        angle = np.arccos(np.clip(one @ other / np.linalg.norm(one) / np.linalg.norm(other), -1, 1))
        if angle < 1e-6:
            return weight * one + (1 - weight) * other
        first, second = np.sin(weight * angle), np.sin((1 - weight) * angle)
        merged: np.ndarray = (first * one + second * other) / np.sin(angle)
        return merged

    return merge


def _task_vectors(first: float, second: float) -> Merge:
    return lambda base, one, other, _place, _layers: base + first * (one - base) + second * (other - base)


def _by_layer(
    _base: np.ndarray, one: np.ndarray, other: np.ndarray, place: tuple[int, str], layers: int
) -> np.ndarray:
    weight = min(max(place[0], 0), layers - 1) / max(layers - 1, 1)
    return weight * one + (1 - weight) * other


def _stacked(
    _base: np.ndarray, one: np.ndarray, other: np.ndarray, place: tuple[int, str], layers: int
) -> np.ndarray:
    return one if place[0] < layers // 2 else other


MERGES: tuple[tuple[str, float | None, Merge], ...] = (
    ("linear 0.5", 0.5, _linear(0.5)),
    ("linear 0.2", 0.2, _linear(0.2)),
    ("SLERP 0.5", 0.5, _slerp(0.5)),
    ("SLERP 0.3", 0.3, _slerp(0.3)),
    ("task vectors 0.5 + 0.5", 0.5, _task_vectors(0.5, 0.5)),
    ("task vectors 0.3 + 0.7", 0.3, _task_vectors(0.3, 0.7)),
    ("task vectors 0.7 + 0.7, which is no mean", None, _task_vectors(0.7, 0.7)),
    ("task vectors 0.3 + 0.3, which is no mean", None, _task_vectors(0.3, 0.3)),
    ("task vectors 1 + 1, which is no mean", None, _task_vectors(1, 1)),
    ("weights 0 to 1 by layer", None, _by_layer),
    ("the first layers of one, the others of the other", None, _stacked),
)
