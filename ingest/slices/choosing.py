"""Which matrices of a model to read, by the names of its tensors alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from ingest.formats.matrix_names import SHARED, MatrixName, matrix_name
from ingest.slices.wanted import SlicesWanted
from warehouse.schemas import NO_LAYER

# Of more experts than these a few rows each would be left; their order may differ in a relative, too.
MOST_EXPERTS = 64
LAYER = re.compile(r"(?:^|\.)([0-9]{1,4})\.")


@dataclass(frozen=True)
class Chosen:
    """Tensor names with what they are, and why others are not among them."""

    matrices: dict[str, MatrixName]
    layers: frozenset[int]
    depth: int
    absent: list[str] = field(default_factory=list)


def choose(tensors: Collection[str], depth: int | None, wanted: SlicesWanted) -> Chosen:
    """The embedding, and gate and up of the layers wanted; the shared expert where there is one."""
    # An index names 18,000 tensors, nearly all of other layers: their names are not looked at further.
    by_number: dict[int, list[str]] = {}
    for name in tensors:
        number = LAYER.search(name)
        by_number.setdefault(int(number[1]) if number else NO_LAYER, []).append(name)
    depth = max(by_number, default=NO_LAYER) + 1 if depth is None else depth
    layers = wanted.layers_of(depth)
    names: dict[str, MatrixName] = {}
    for layer in (NO_LAYER, *sorted(layers)):
        known = {name: found for name in by_number.get(layer, ()) if (found := matrix_name(name))}
        names |= _of_layer({name: found for name, found in known.items() if found.layer == layer})
    # beside a scale (weight_scale, weight_scale_inv, input_scale …) its numbers alone are not the weights
    scaled = {module for module, _, last in (name.rpartition(".") for name in tensors) if "scale" in last}
    quantised = [name for name in names if name.removesuffix(".weight") in scaled]
    absent = [f"{name} is quantised" for name in quantised]
    matrices = {name: found for name, found in names.items() if name not in quantised}
    absent += _absent(matrices.values(), layers)
    return Chosen(matrices, layers, depth, absent)


def _of_layer(inside: dict[str, MatrixName]) -> dict[str, MatrixName]:
    """The shared expert, or else the dense matrices, or else the routed experts."""
    for expert in (SHARED, None):
        if some := {name: found for name, found in inside.items() if found.expert == expert}:
            return some
    return {name: found for name, found in inside.items() if int(found.expert or 0) < MOST_EXPERTS}


def _absent(found: Iterable[MatrixName], layers: Collection[int]) -> list[str]:
    there = list(found)
    absent = [] if any(one.role == "embedding" for one in there) else ["no embedding of a known name"]
    for layer in sorted(layers):
        roles = {one.role for one in there if one.layer == layer}
        if not roles:
            absent.append(f"no gate and up of a known name in layer {layer}")
        elif roles == {"up"}:
            absent.append(f"no gate in layer {layer}")
    return absent
