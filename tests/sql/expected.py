"""Computes every metric in numpy float64 from the raw values, by its textbook definition.

`assert_agrees` needs a definition here for every column that is no key: a published metric that is missing
here fails the tests.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]

# Keys of a row; every other column is a figure.
KEYS = frozenset({"model", "model_a", "model_b", "layer", "layer_a", "layer_b", "ln_type", "d"})


def pair_metrics(first: npt.ArrayLike, second: npt.ArrayLike) -> dict[str, float | None]:
    """The figures of `pairs` for two vectors; None where undefined."""
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    length_a, length_b = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    product, distance = float(a @ b), float(np.linalg.norm(a - b))
    offset = _over(len(a) * a.mean() * b.mean(), length_a * length_b)
    cosine = _over(product, length_a * length_b)
    pearson = correlation(a, b)
    return {
        "cosine": cosine,
        "pearson": pearson,
        "offset_share": offset,
        "pattern_share": None if cosine is None or offset is None else cosine - offset,
        "permutation_z": None if pearson is None else pearson * np.sqrt(len(a) - 1),
        "inner_product": product,
        "l2_distance": distance,
        "rel_l2": _over(distance, length_a),
        "cv_diff": _cv_diff(a, b),
        "p99_abs_diff": abs(np.quantile(abs(a), 0.99) - np.quantile(abs(b), 0.99)),
    }


def element_metrics(first: npt.ArrayLike, second: npt.ArrayLike) -> dict[str, float | None]:
    """The further figures of `matched_layers`."""
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    return {
        "mean_abs_diff": abs(a - b).mean(),
        "max_abs_diff": abs(a - b).max(),
        "changed_ratio": (a != b).mean(),
        "spearman": correlation(average_ranks(a), average_ranks(b)),
        "sign_agreement": (np.sign(a) == np.sign(b)).mean(),
    }


def vector_stats(values: npt.ArrayLike) -> dict[str, float | None]:
    a = np.asarray(values, np.float64)
    root, length = np.sqrt(len(a)), float(np.linalg.norm(a))
    quantiles = {f"q{percent:02}": np.quantile(a, percent / 100) for percent in (1, 25, 50, 75, 99)}
    return {
        "d": len(a),
        "mean": a.mean(),
        "std": a.std(),
        "l2_norm": length,
        "min": a.min(),
        "max": a.max(),
        "abs_q99": np.quantile(abs(a), 0.99),
        "cv": _over(a.std(), abs(a.mean())),
        "offset_part": _over(root * a.mean(), length),
        "pattern_part": _over(root * a.std(), length),
        "n_nan": 0,
        "n_inf": 0,
        **quantiles,
    }


def correlation(a: Doubles, b: Doubles) -> float | None:
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    a, b = a - a.mean(), b - b.mean()
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def average_ranks(values: Doubles) -> Doubles:
    """Rank from 1, the mean of their ranks for equal values."""
    smaller = (values[:, None] > values[None, :]).sum(axis=1)
    equal = (values[:, None] == values[None, :]).sum(axis=1)
    return np.asarray(smaller + (equal + 1) / 2, np.float64)


def assert_agrees(
    observed: Mapping[str, object], expected: Mapping[str, float | None], tolerance: float, where: object
) -> None:
    """Every figure of a row: absolute below 1, relative above; NULL exactly where it is undefined."""
    assert observed.keys() - KEYS == expected.keys() - KEYS, f"{where}: recompute each column in numpy"
    for name, value in expected.items():
        found = observed[name]
        if value is None:
            assert found is None, f"{where} {name}: {found} but it is undefined"
        else:
            assert isinstance(found, (float, int)), f"{where} {name}: {found}, expected {value}"
            assert abs(found - value) <= tolerance * max(1.0, abs(value)), f"{where} {name}: {found} {value}"


def _over(part: float, whole: float) -> float | None:
    return None if whole == 0 else float(part / whole)


def _cv_diff(a: Doubles, b: Doubles) -> float | None:
    first, second = _over(a.std(), abs(a.mean())), _over(b.std(), abs(b.mean()))
    return None if first is None or second is None else abs(first - second)
