"""Which slices of a model to read: the layers and bytes asked for, and what the lake already has."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass

from warehouse import VERSION
from warehouse.documents import anchors
from warehouse.errors import LakeError
from warehouse.lake import Lake
from warehouse.rows import ModelRow
from warehouse.storage.parquet import read_provenance

# Gate and up of one layer. With two layers, 640 embedding rows, index, headers and vocabulary, a model that
# is 4096 wide takes at most 55 MB.
LAYER_BYTES = 18_000_000
# Beyond this many layers a model is not matched with others unless --slice-layers says so.
MOST_LAYERS = 6


@dataclass(frozen=True)
class SlicesWanted:
    # None: a quarter and two thirds of the depth
    layers: frozenset[int] | None = None
    # for all gate and up matrices of a model; None: LAYER_BYTES for each layer
    budget: int | None = None

    def layers_of(self, depth: int) -> frozenset[int]:
        return default_layers(depth) if self.layers is None else self.layers

    def budget_of(self, layers: Collection[int]) -> int:
        return self.budget or LAYER_BYTES * max(len(layers), 1)


def default_layers(depth: int) -> frozenset[int]:
    """A quarter and two thirds of the depth: 11 and 30 of 46 layers."""
    return frozenset({depth // 4, depth * 2 // 3}) if depth else frozenset()


@dataclass(frozen=True)
class StoredSlices:
    """What the file's metadata says of how it was read."""

    commit: str
    layers: frozenset[int]
    depth: int
    budget: int

    def suffice(self, commit: str, wanted: SlicesWanted) -> bool:
        layers = wanted.layers_of(self.depth)
        return self.commit == commit and layers <= self.layers and wanted.budget_of(layers) <= self.budget


class SliceNeighbours:
    """The sliced models of a lake, those of this run included, so that new ones can be compared with them."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake
        # by name: width, depth, layers
        self._sliced: dict[str, tuple[int, int, frozenset[int]]] | None = None

    def layers_for(self, model: ModelRow) -> tuple[frozenset[int] | None, list[str]]:
        """Layers to read by default, and the models that some of them are for; None if the depth is unknown.

        Of two models of one width and different depths, one needs every layer that a layer of the other may
        have become (`unread` of analysis/lineage/slices/compare.py).
        """
        if self._sliced is None:
            self._sliced = dict(_sliced_models(self._lake))
        if not model.layers or not model.hidden_size:
            return None, []
        default = default_layers(model.layers)
        layers, matched = default, []
        for name, (width, depth, theirs) in sorted(self._sliced.items()):
            if name == model.model or width != model.hidden_size or depth == model.layers:
                continue
            if counterparts(default, model.layers, depth) <= theirs:
                continue
            more = layers | counterparts(theirs, depth, model.layers)
            if len(more) <= MOST_LAYERS:
                layers = more
                matched.append(name)
        self._sliced[model.model] = model.hidden_size, model.layers, layers
        return layers, matched


def counterparts(layers: Collection[int], depth: int, other_depth: int) -> frozenset[int]:
    """Where these layers can be in a relative of another depth, which may have layers added or removed."""
    more = other_depth - depth
    shifts = range(min(more, 0), max(more, 0) + 1)
    return frozenset(
        layer + shift for layer in layers for shift in shifts if 0 <= layer + shift < other_depth
    )


def _sliced_models(lake: Lake) -> Iterator[tuple[str, tuple[int, int, frozenset[int]]]]:
    for name in lake.stems("slices"):
        with suppress(LakeError):  # a damaged one is no neighbour; it is reported when it is read
            stored = stored_slices(lake, name)
            width = lake.model(name).hidden_size if stored and lake.has(name) else None
            if stored and width:
                yield name, (width, stored.depth, stored.layers)


def stored_slices(lake: Lake, alias: str) -> StoredSlices | None:
    """None if there are none, or if another version or list of anchors made them."""
    said = read_provenance(lake.file("slices", alias))
    if said.get("anchors") != anchors_digest() or said.get("tool_version") != VERSION:
        return None
    return StoredSlices(
        commit=said["commit"],
        layers=frozenset(int(layer) for layer in said["layers"].split(",") if layer),
        depth=int(said["depth"]),
        budget=int(said["budget"]),
    )


def earlier_slices(lake: Lake, alias: str) -> SlicesWanted | None:
    """The request that reproduces what is stored; None if nothing is."""
    if not lake.file("slices", alias).exists():
        return None
    stored = stored_slices(lake, alias)
    return SlicesWanted(stored.layers, stored.budget) if stored else SlicesWanted()


def reading_facts(layers: Collection[int], depth: int, budget: int) -> dict[str, str]:
    """What `stored_slices` reads, for the file's metadata."""
    return {
        "anchors": anchors_digest(),
        "layers": ",".join(map(str, sorted(layers))),
        "depth": str(depth),
        "budget": str(budget),
    }


def anchors_digest() -> str:
    return hashlib.sha256("\n".join(anchors()).encode()).hexdigest()[:16]
