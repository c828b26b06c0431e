"""What SQL cannot do, or not fast enough, for the test on slices: whitening, projection, cosines of neurons.

A neuron's token profile is what it reads from the embedding rows of tokens that both models have. Rotating,
permuting or negating the residual stream acts on rows and neurons alike and cancels, folding cancels what was
done to norms; what is left is the order of neurons, and scale and sign of an up. The rows are whitened
(Löwdin: E = U·S·Vᵀ becomes U·Vᵀ), or the few directions that all tokens share would rule every profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from analysis.lineage.slices.read import Layer, Matrix

FORMS = ("folded", "plain")
"""Norm weights multiplied into gate and up, or these as they are stored."""

SIMILARITIES = pa.schema(
    [
        ("comparison", pa.int64()),
        *((name, pa.dictionary(pa.int8(), pa.string())) for name in ("form", "matrix")),
        *((name, pa.int32()) for name in ("neuron_a", "neuron_b", "twin_a", "twin_b")),
        ("similarity", pa.float64()),
    ]
)

Made = dict[tuple[object, ...], Matrix]

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

    @property
    def key(self) -> tuple[object, ...]:
        """The same for the same neurons of the same layer."""
        return id(self.layer), self.neurons, self.twins


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


def similarities(comparison: int, a: Side, b: Side, made: Made) -> pa.Table:
    """One row per form, matrix and two neurons: how alike what they read is, as a cosine.

    By numpy: SQL takes ten times as long, most of it for copying profiles. All that follows is SQL's.
    `made` keeps the profiles of a layer that is compared more than once.
    """
    return pa.concat_tables(
        [
            SIMILARITIES.empty_table(),
            *(_table(comparison, form, matrix, a, b, made) for form in FORMS for matrix in _matrices(a)),
        ]
    )


def _matrices(side: Side) -> list[str]:
    matrices = [] if side.tokens is None else ["up"] if side.layer.gate is None else ["up", "gate"]
    return matrices if side.layer.gate is None or not side.twins else [*matrices, "up by gates"]


def _table(comparison: int, form: str, matrix: str, a: Side, b: Side, made: Made) -> pa.Table:
    for side in (a, b):
        if (*side.key, form, matrix) not in made:
            made[*side.key, form, matrix] = _profiles(side, form, matrix)
    of_a, of_b = (made[*side.key, form, matrix] for side in (a, b))
    if matrix == "up by gates":
        neurons = [np.array(side.twins) for side in (a, b)]
        values = np.einsum("np,np->n", of_a, of_b, dtype=np.float64)
    else:
        neurons = [np.repeat(a.neurons, len(b.neurons)), np.tile(b.neurons, len(a.neurons))]
        values = (of_a @ of_b.T).reshape(-1).astype(np.float64)
    constants = {"form": form, "matrix": matrix}
    return pa.table(
        {
            "comparison": _column(np.full(len(values), comparison), pa.int64()),
            **{name: _repeated(value, len(values)) for name, value in constants.items()},
            "neuron_a": _column(neurons[0].astype(np.int32), pa.int32()),
            "neuron_b": _column(neurons[1].astype(np.int32), pa.int32()),
            "twin_a": _twins(a, neurons[0]),
            "twin_b": _twins(b, neurons[1]),
            "similarity": _column(values, pa.float64()),
        },
        schema=SIMILARITIES,
    )


def _repeated(value: str, count: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(_column(np.zeros(count, np.int8), pa.int8()), pa.array([value]))


def _twins(side: Side, neurons: npt.NDArray[np.int64]) -> pa.Array:
    """Which twins each belongs to, by number; null for none."""
    places = np.full(len(side.layer.neurons), -1, np.int32)
    places[list(side.twins)] = np.arange(len(side.twins))
    found = places[neurons]
    return _column(found, pa.int32(), np.packbits(found >= 0, bitorder="little"))


def _column(
    values: npt.NDArray[Any], kind: pa.DataType, valid: npt.NDArray[np.uint8] | None = None
) -> pa.Array:
    """Without a copy; `pa.array` of numpy's would first import pandas, for a second."""
    buffers = [None if valid is None else pa.py_buffer(valid), pa.py_buffer(np.ascontiguousarray(values))]
    return pa.Array.from_buffers(kind, len(values), buffers)


def _profiles(side: Side, form: str, matrix: str) -> Matrix:
    if matrix == "up by gates":
        up, gate = (_unit(_rows(side.layer, matrix, side.twins, form)) for matrix in ("up", "gate"))
        return _unit(up @ gate.T)
    assert side.tokens is not None
    return _unit(_rows(side.layer, matrix, side.neurons, form) @ side.tokens.T)


def _rows(layer: Layer, matrix: str, neurons: Sequence[int], form: str) -> Matrix:
    stored = layer.up if matrix == "up" or layer.gate is None else layer.gate
    rows = stored[list(neurons)]
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
