"""What SQL cannot do for the test on slices: whitening and projection, by which two models become comparable.

A neuron's token profile is what it reads from the embedding rows of tokens that both models have. Rotating,
permuting or negating the residual stream acts on rows and neurons alike and cancels, folding cancels what was
done to norms; what is left is the order of neurons, and scale and sign of an up. The rows are whitened
(Löwdin: E = U·S·Vᵀ becomes U·Vᵀ), or the few directions that all tokens share would rule every profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from analysis.lineage.slices.read import Layer, Matrix

FORMS = ("folded", "plain")
"""Norm weights multiplied into gate and up, or these as they are stored."""

PROFILES = pa.schema(
    [
        ("comparison", pa.int64()),
        *((name, pa.string()) for name in ("side", "form", "part")),
        *((name, pa.int32()) for name in ("neuron", "twin")),
        ("profile", pa.list_(pa.float64())),
    ]
)

SMALLEST = 1e-6
"""Directions of less than this share of the largest are rounding."""


@dataclass(frozen=True)
class Side:
    """One of two layers that are compared."""

    layer: Layer
    tokens: Matrix | None
    """Of the tokens that both models have, whitened; None where they are too few."""
    neurons: tuple[int, ...]
    """Those that are compared."""
    twins: tuple[int, ...]
    """Those among them that stand where a neuron of the other side stands: the k-th of either are twins."""


def whitened(tokens: Matrix) -> Matrix:
    """One row a token; what all tokens share is taken out. U·Vᵀ is (E·Eᵀ)^(-1/2)·E: it needs no large SVD."""
    centred = tokens - tokens.mean(0, dtype=np.float64)
    squares, directions = np.linalg.eigh(centred @ centred.T)
    kept = squares > SMALLEST**2 * squares[-1]
    return np.asarray(
        (directions[:, kept] / np.sqrt(squares[kept])) @ (directions[:, kept].T @ centred), np.float32
    )


def sides(a: Layer, b: Layer, tokens: tuple[Matrix | None, Matrix | None], most: int) -> tuple[Side, Side]:
    """At most so many neurons of the first, those with a twin first and evenly spread; all of the second."""
    places_a, places_b = _places(a, b)
    at = {place: index for index, place in enumerate(places_b)}
    twins = {index: at[place] for index, place in enumerate(places_a) if place in at}
    sample = _spread(list(twins), most)
    sample += _spread([index for index in range(len(a.neurons)) if index not in twins], most - len(sample))
    chosen = [index for index in sorted(sample) if index in twins]
    return (
        Side(a, tokens[0], tuple(sorted(sample)), tuple(chosen)),
        Side(b, tokens[1], tuple(range(len(b.neurons))), tuple(twins[index] for index in chosen)),
    )


def profile_table(comparison: int, a: Side, b: Side) -> pa.Table:
    """One row per side, form, part and neuron: its profile, of length 1, and which twins it belongs to."""
    return pa.concat_tables(
        _table(comparison, name, form, part, side)
        for name, side in (("a", a), ("b", b))
        for form in FORMS
        for part in _parts(side)
    )


def _parts(side: Side) -> list[str]:
    parts = [] if side.tokens is None else ["up"] if side.layer.gate is None else ["up", "gate"]
    return parts if side.layer.gate is None or not side.twins else [*parts, "up by gates"]


def _table(comparison: int, name: str, form: str, part: str, side: Side) -> pa.Table:
    neurons = side.twins if part == "up by gates" else side.neurons
    places = {neuron: place for place, neuron in enumerate(side.twins)}
    constants = {"comparison": comparison, "side": name, "form": form, "part": part}
    return pa.table(
        {key: pa.repeat(pa.scalar(value), len(neurons)) for key, value in constants.items()}
        | {
            "neuron": pa.array(neurons, pa.int32()),
            "twin": pa.array([places.get(neuron) for neuron in neurons], pa.int32()),
            "profile": _lists(_profiles(side, form, part)),
        }
    )


def _profiles(side: Side, form: str, part: str) -> Matrix:
    if part == "up by gates":
        up, gate = (_unit(_rows(side.layer, matrix, side.twins, form)) for matrix in ("up", "gate"))
        return _unit(up @ gate.T)
    assert side.tokens is not None
    return _unit(_rows(side.layer, part, side.neurons, form) @ side.tokens.T)


def _rows(layer: Layer, part: str, neurons: Sequence[int], form: str) -> Matrix:
    matrix = layer.up if part == "up" or layer.gate is None else layer.gate
    rows = matrix[list(neurons)]
    return rows * layer.norm if form == "folded" and layer.norm is not None else rows


def _unit(rows: Matrix) -> Matrix:
    """A row of zeros, or one that is not finite, agrees with nothing."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    sound = np.isfinite(lengths) & (lengths > 0)
    return np.asarray(np.where(sound, rows / np.where(sound, lengths, 1), 0), np.float32)


def _places(a: Layer, b: Layer) -> tuple[list[object], list[object]]:
    """Where a neuron stands: experts of one name belong together; if there are none, the first of either."""
    names = [{expert for expert, _ in layer.neurons} for layer in (a, b)]
    if names[0] & names[1]:
        return list(a.neurons), list(b.neurons)
    first = [min(own) for own in names]
    return (
        [row if expert == first[0] else (expert, row, "a") for expert, row in a.neurons],
        [row if expert == first[1] else (expert, row, "b") for expert, row in b.neurons],
    )


def _spread(indices: Sequence[int], most: int) -> list[int]:
    if len(indices) <= most:
        return list(indices)
    return [indices[at] for at in np.linspace(0, len(indices) - 1, most).round().astype(int)]


def _lists(rows: Matrix) -> pa.ListArray:
    """SQL computes in DOUBLE."""
    count, length = rows.shape
    offsets = np.arange(0, (count + 1) * length, length, dtype=np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(rows.reshape(-1).astype(np.float64)))
