"""What of a model's other weights is asked for, and what the lake has of it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

from warehouse import VERSION
from warehouse.documents import anchors
from warehouse.lake import Lake
from warehouse.storage.parquet import read_provenance

# Gate and up of a model, all layers together: with 640 embedding rows, index, headers and vocabulary of a
# model that is 4096 wide, 55 MB are not exceeded.
BUDGET_BYTES = 36_000_000


@dataclass(frozen=True)
class SlicesWanted:
    # None: a quarter and two thirds of the depth
    layers: frozenset[int] | None = None
    # for all gate and up matrices of a model together
    budget: int = BUDGET_BYTES

    def layers_of(self, depth: int) -> frozenset[int]:
        return default_layers(depth) if self.layers is None else self.layers


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
        return (
            self.commit == commit
            and wanted.layers_of(self.depth) <= self.layers
            and wanted.budget <= self.budget
        )


def stored_slices(lake: Lake, alias: str) -> StoredSlices | None:
    """None if there are none, or an other version or list of anchors made them."""
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
    """What reads as much anew as the lake has; None if it has none."""
    if not lake.file("slices", alias).exists():
        return None
    stored = stored_slices(lake, alias)
    return SlicesWanted(stored.layers, stored.budget) if stored else SlicesWanted()


def reading_facts(layers: Collection[int], depth: int, budget: int) -> dict[str, str]:
    """The same, for the file's metadata."""
    return {
        "anchors": anchors_digest(),
        "layers": ",".join(map(str, sorted(layers))),
        "depth": str(depth),
        "budget": str(budget),
    }


def anchors_digest() -> str:
    return hashlib.sha256("\n".join(anchors()).encode()).hexdigest()[:16]
