"""What SQL cannot do for the test on slices: whitening and projection, by which two models become comparable.

A neuron's token profile is what it reads from the embedding rows of tokens that both models have. Rotating,
permuting or negating the residual stream acts on rows and neurons alike and cancels, folding cancels what was
done to norms; what is left is the order of neurons, and scale and sign of an up. The rows are whitened
(Löwdin: E = U·S·Vᵀ becomes U·Vᵀ), or the few directions that all tokens share would rule every profile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from analysis.lineage.slices import Layer, Matrix

Profiles = npt.NDArray[np.float64]

FORMS = ("folded", "plain")
"""Norm weights multiplied into gate and up, or these as they are stored."""

SMALLEST = 1e-6
"""Directions of less than this share of the largest are rounding."""


@dataclass(frozen=True)
class Chosen:
    """The neurons of two layers that are compared."""

    of_a: tuple[int, ...]
    """A sample of the first layer's; each is compared with all of the second."""
    twins: dict[int, int]
    """Those of the sample that have a neuron of the same place in the second layer, and which."""


@dataclass(frozen=True)
class Side:
    """One of the two layers, and the tokens of its model that the other has too, whitened."""

    layer: Layer
    tokens: Profiles | None
    """None where they are too few."""


def whitened(tokens: Matrix) -> Profiles:
    """One row a token; what all tokens share is taken out."""
    centred = tokens - tokens.mean(0, dtype=np.float64)
    u, sizes, vt = np.linalg.svd(centred, full_matrices=False)
    kept = sizes > SMALLEST * sizes[0]
    return np.asarray(u[:, kept] @ vt[kept])


def choose(a: Layer, b: Layer, most: int) -> Chosen:
    """Neurons that have a twin come first, evenly spread."""
    place_of_a, place_of_b = _places(a, b)
    indices = {place: index for index, place in enumerate(place_of_b)}
    pairs = {index: indices[place] for index, place in enumerate(place_of_a) if place in indices}
    sample = _spread(list(pairs), most)
    sample += _spread([index for index in range(len(a.neurons)) if index not in pairs], most - len(sample))
    return Chosen(tuple(sorted(sample)), {index: pairs[index] for index in sorted(sample) if index in pairs})


def profile_table(comparison: int, a: Side, b: Side, chosen: Chosen) -> pa.Table:
    """One row per comparison, side, part, form and neuron: its profile, of length 1."""
    twins = set(chosen.twins.values())
    tables = []
    for form in FORMS:
        for part, of_a, of_b in _profiles(a, b, chosen, form):
            indices = {"a": chosen.of_a, "b": tuple(range(len(b.layer.neurons)))}
            if part == "up by gates":
                indices = {"a": tuple(chosen.twins), "b": tuple(chosen.twins.values())}
            for side, profiles in (("a", of_a), ("b", of_b)):
                neurons = indices[side]
                tables.append(
                    pa.table(
                        {
                            "comparison": pa.repeat(pa.scalar(comparison), len(neurons)),
                            "side": pa.repeat(pa.scalar(side), len(neurons)),
                            "part": pa.repeat(pa.scalar(part), len(neurons)),
                            "form": pa.repeat(pa.scalar(form), len(neurons)),
                            "neuron": pa.array(neurons, pa.int32()),
                            "twin": pa.array(
                                [chosen.twins.get(n) if side == "a" else None for n in neurons], pa.int32()
                            ),
                            "is_twin": pa.array([side == "b" and n in twins for n in neurons]),
                            "profile": _lists(profiles),
                        }
                    )
                )
    return pa.concat_tables(tables)


def _profiles(a: Side, b: Side, chosen: Chosen, form: str) -> Iterator[tuple[str, Profiles, Profiles]]:
    """Part, and what the neurons of either side read."""
    folded = form == "folded"
    ups = [_rows(side.layer.up, side.layer, folded=folded) for side in (a, b)]
    gates = [
        _rows(side.layer.gate, side.layer, folded=folded) for side in (a, b) if side.layer.gate is not None
    ]
    named = [("up", ups), ("gate", gates)] if gates else [("up", ups)]
    for part, (of_a, of_b) in named:
        if a.tokens is not None and b.tokens is not None:
            yield part, unit(of_a[list(chosen.of_a)] @ a.tokens.T), unit(of_b @ b.tokens.T)
    if gates and chosen.twins:
        places = (list(chosen.twins), list(chosen.twins.values()))
        of_a, of_b = (
            unit(up[place]) @ unit(gate[place]).T for up, gate, place in zip(ups, gates, places, strict=True)
        )
        yield "up by gates", unit(of_a), unit(of_b)


def unit(rows: Profiles) -> Profiles:
    """A row of zeros, or one that is not finite, agrees with nothing."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.where(lengths > 0, np.nan_to_num(rows / np.where(lengths > 0, lengths, 1)), 0)


def _rows(matrix: Matrix, layer: Layer, *, folded: bool) -> Profiles:
    rows = matrix.astype(np.float64)
    return rows * layer.norm if folded and layer.norm is not None else rows


def _places(a: Layer, b: Layer) -> tuple[list[object], list[object]]:
    """Where a neuron stands: experts of one name belong together; if there are none, the first of either."""
    names = [{expert for expert, _ in layer.neurons} for layer in (a, b)]
    if names[0] & names[1]:
        return list(a.neurons), list(b.neurons)
    first = [min(own) for own in names]
    return (
        [row if expert == first[0] else (expert, "a") for expert, row in a.neurons],
        [row if expert == first[1] else (expert, "b") for expert, row in b.neurons],
    )


def _spread(indices: Sequence[int], most: int) -> list[int]:
    if len(indices) <= most:
        return list(indices)
    return [indices[at] for at in np.linspace(0, len(indices) - 1, most).round().astype(int)]


def _lists(rows: Profiles) -> pa.ListArray:
    count, length = rows.shape
    return pa.ListArray.from_arrays(
        pa.array(np.arange(0, (count + 1) * length, length, dtype=np.int32)), pa.array(rows.reshape(-1))
    )
