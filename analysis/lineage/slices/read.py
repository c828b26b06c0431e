"""The slices of one model as arrays: its token rows, and gate and up of the layers that were read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from shlex import quote
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from analysis.rows import fetch_dicts
from warehouse.catalog.definitions import read_query

Matrix = npt.NDArray[np.float32]
Neuron = tuple[str, int]
"""Expert and row; the expert of a dense layer, and the one that every token goes through, is ''."""


@dataclass(frozen=True)
class Layer:
    """The MLP of one layer, as far as it was read: line k of gate and of up belong to neuron k."""

    neurons: tuple[Neuron, ...]
    gate: Matrix | None
    """None where the MLP has no gate."""
    up: Matrix
    of: int
    """Neurons that there are; those above were read."""
    norm: Matrix | None
    """What the MLP reads the residual stream through; None where that is no norm."""


@dataclass(frozen=True)
class Slices:
    """What was read of one model."""

    model: str
    depth: int
    tokens: Mapping[str, Matrix]
    """The embedding rows by anchor."""
    layers: Mapping[int, Layer]
    ingest: str = "just ingest"
    """The command that reads the model again."""

    @property
    def is_gated(self) -> bool:
        return all(layer.gate is not None for layer in self.layers.values())

    @property
    def coupling_z(self) -> float:
        """The sum of the cosines of gates and ups of one neuron, in standard deviations of fair signs.

        The tests on slices need the sign of an up to be free of its gate. The larger of both forms counts.
        """
        return max(_signed(self.layers.values(), folded=folded) for folded in (False, True))

    @property
    def reads_tokens(self) -> bool:
        """Whether the layers read the embedding's dimensions."""
        widths = {row.size for row in self.tokens.values()}
        return widths == {layer.up.shape[1] for layer in self.layers.values()}

    @property
    def read_share(self) -> float:
        """Of the neurons of the layers that were read."""
        return min(len(layer.neurons) / layer.of for layer in self.layers.values())


def _signed(layers: Iterable[Layer], *, folded: bool) -> float:
    found = []
    for layer in layers:
        if layer.gate is None:
            continue
        norm = layer.norm if folded and layer.norm is not None else np.float32(1)
        gate, up = (np.nan_to_num(matrix * norm).astype(np.float64) for matrix in (layer.gate, layer.up))
        lengths = np.linalg.norm(gate, axis=1) * np.linalg.norm(up, axis=1)
        found.append((gate * up).sum(1)[lengths > 0] / lengths[lengths > 0])
    cosines = np.concatenate([np.zeros(1), *found])
    return abs(float(cosines.sum())) / max(float(np.linalg.norm(cosines)), 1e-300)


def read_slices(connection: duckdb.DuckDBPyConnection, model: str) -> Slices | None:
    """None when the lake has none of that model."""
    with connection.cursor() as own:
        own.execute("set variable asked = ?", [model])
        read = {row["layer"]: row for row in fetch_dicts(own, read_query("slices/layers_read"))}
        if not read:
            return None
        norms = {row["layer"]: _norm(row) for row in fetch_dicts(own, read_query("slices/read_through"))}
        found = own.sql(read_query("slices/weights_read")).to_arrow_table()
    matrices: dict[tuple[str, int], dict[Any, Matrix]] = {}
    names = zip(
        *(found[name].to_pylist() for name in ("matrix", "layer", "expert", "row", "anchor")), strict=True
    )
    for (matrix, layer, expert, row, anchor), weights in zip(names, _lists(found["weights"]), strict=True):
        matrices.setdefault((matrix, layer), {})[anchor if matrix == "embedding" else (expert, row)] = weights
    layers = {
        layer: _layer(
            matrices.get(("gate", layer), {}), matrices["up", layer], row["neurons"], norms.get(layer)
        )
        for layer, row in read.items()
    }
    first = next(iter(read.values()))
    # copies, or the few rows of tokens would keep all that was read
    tokens = {anchor: row.copy() for anchor, row in matrices.get(("embedding", -1), {}).items()}
    return Slices(model, first["depth"], tokens, layers, _ingest(model, **first))


def _ingest(model: str, *, source: str, repo: str, lake: str, **_: object) -> str:
    """For a shell: names may come from a lake that somebody else wrote."""
    place = f"{source} {quote(repo)}" if source in ("hub", "replica") else "FOLDER"
    return f"just ingest {place} --alias {quote(model)} --lake {quote(lake)}"


def _layer(
    gates: Mapping[Neuron, Matrix], ups: Mapping[Neuron, Matrix], of: int, norm: Matrix | None
) -> Layer:
    neurons = tuple(neuron for neuron in ups if not gates or neuron in gates)
    gate = np.stack([gates[neuron] for neuron in neurons]) if gates else None
    return Layer(neurons, gate, np.stack([ups[neuron] for neuron in neurons]), int(of), norm)


def _norm(row: Mapping[str, Any]) -> Matrix:
    return np.asarray(row["weights"], np.float32) + np.float32(row["plus_one"])


def _lists(column: pa.ChunkedArray) -> list[Matrix]:
    """Each list as a view of the bytes that Arrow holds; `to_numpy` would first import pandas."""
    lists: list[Matrix] = []
    for chunk in column.chunks:
        values = np.frombuffer(chunk.values.buffers()[1], np.float32)
        lists += [values[begin:end] for begin, end in pairwise(chunk.offsets.to_pylist())]
    return lists
