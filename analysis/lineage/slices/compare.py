"""Two models by their slices, or many pairs: similarities by numpy, all else by the queries of sql/slices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from analysis.lineage.slices.profiles import SIMILARITIES, Made, sides, similarities, whitened
from analysis.lineage.slices.read import Matrix, Slices
from analysis.rows import fetch_dicts
from warehouse.catalog.definitions import read_query

STEPS = ("partners", "in_order", "matched", "without_tokens")
KEPT = ("in_order", "matched", "without_tokens")
"""Steps whose answers are kept; those that they are made from are too large for many pairs."""

BATCH_BYTES = 100_000_000
"""Of similarities, at which a batch of comparisons is full."""

COMPARISONS = pa.schema(
    [
        ("comparison", pa.int64()),
        ("model_a", pa.string()),
        ("model_b", pa.string()),
        ("unit", pa.int32()),
        ("findable", pa.float64()),
    ]
)


@dataclass(frozen=True)
class SlicePair:
    """Two models in alphabetical order, the anchors that both have, and the layers that are compared."""

    one: Slices
    other: Slices
    anchors: Sequence[str]
    units: Sequence[tuple[int, int, int]]
    """Unit, layer of the first, layer of the second."""

    @property
    def read_share(self) -> float:
        """Of the neurons of the model of which more were read."""
        return max(self.one.read_share, self.other.read_share)


def shared_anchors(connection: duckdb.DuckDBPyConnection, one: Slices, other: Slices) -> list[str]:
    """None where an embedding is of another width than the stream: it is read through a matrix not here."""
    if not (one.reads_tokens and other.reads_tokens):
        return []
    found = fetch_dicts(connection, "from shared_anchors($a, $b)", {"a": one.model, "b": other.model})
    return [row["anchor"] for row in found]


def slice_pair(one: Slices, other: Slices, anchors: Sequence[str]) -> SlicePair:
    """Layers of the same number, as one unit; where depths differ, every two layers, each a unit."""
    one, other = sorted((one, other), key=lambda slices: slices.model)
    same = sorted(one.layers.keys() & other.layers.keys())
    if one.depth == other.depth and same:
        return SlicePair(one, other, anchors, [(0, layer, layer) for layer in same])
    layers = product(sorted(one.layers), sorted(other.layers))
    return SlicePair(one, other, anchors, [(unit, *both) for unit, both in enumerate(layers)])


def unread(one: Slices, other: Slices) -> list[int]:
    """Layers of the other that those read of the one may have become or come from, and that were not read.

    Where depths differ by some layers, a layer may stand as many further on in the deeper model.
    """
    if one.depth == other.depth:
        return []
    shifts = (
        range(other.depth - one.depth + 1) if other.depth > one.depth else range(other.depth - one.depth, 1)
    )
    near = {layer + shift for layer in one.layers for shift in shifts}
    return sorted(layer for layer in near - other.layers.keys() if 0 <= layer < other.depth)


def compare_slices(connection: duckdb.DuckDBPyConnection, pairs: Sequence[SlicePair]) -> list[dict[str, Any]]:
    """One row per pair, as `slices/slice_pairs` gives it."""
    with connection.cursor() as own:
        [limits] = fetch_dicts(own, "from lineage_thresholds()")
        comparisons: list[dict[str, object]] = []
        for number, batch in enumerate(_batches(_compared(pairs, limits, comparisons))):
            _measure(own, pa.concat_tables(batch), first=number == 0)
        own.register("comparisons", pa.Table.from_pylist(comparisons, COMPARISONS))
        own.register("slices_asked", pa.Table.from_pylist([_facts(pair) for pair in pairs]))
        for table, query in (("slice_statistics", "statistics"), ("token_similarities", "token_similarity")):
            own.execute(f"create or replace temp table {table} as {read_query(f'slices/{query}')}")
        return fetch_dicts(own, read_query("slices/slice_pairs"))


def _facts(pair: SlicePair) -> dict[str, object]:
    both = {"a": pair.one, "b": pair.other}
    layers = {"a": {one for _, one, _ in pair.units}, "b": {other for _, _, other in pair.units}}
    return {
        **{f"model_{side}": slices.model for side, slices in both.items()},
        "tokens": len(pair.anchors),
        **{f"depth_{side}": slices.depth for side, slices in both.items()},
        **{f"layers_{side}": sorted(found) for side, found in layers.items()},
        **{f"ingest_{side}": slices.ingest for side, slices in both.items()},
        "unread_a": unread(pair.other, pair.one),
        "unread_b": unread(pair.one, pair.other),
        **{f"gated_{side}": slices.is_gated for side, slices in both.items()},
        **{f"coupling_z_{side}": slices.coupling_z for side, slices in both.items()},
        "read_share": pair.read_share,
    }


def _compared(
    pairs: Iterable[SlicePair], limits: Mapping[str, Any], comparisons: list[dict[str, object]]
) -> Iterator[pa.Table]:
    """The similarities of two layers after two layers; which they are is added to `comparisons`."""
    for pair in pairs:
        if pair.one.is_gated != pair.other.is_gated:
            continue
        tokens, made = _tokens(pair, limits["least_tokens"]), Made()
        for unit, layer_one, layer_other in pair.units:
            both = [(pair.one.layers[layer_one], tokens[0]), (pair.other.layers[layer_other], tokens[1])]
            # the smaller one is sampled; whichever is asked first, the answer is the same
            (a, tokens_a), (b, tokens_b) = sorted(both, key=lambda one: len(one[0].neurons))
            first, second = sides(a, b, (tokens_a, tokens_b), limits["sampled_neurons"])
            findable = len(first.neurons) * len(second.neurons) / max(a.of, b.of)
            comparisons.append(
                {
                    "comparison": len(comparisons),
                    "model_a": pair.one.model,
                    "model_b": pair.other.model,
                    "unit": unit,
                    "findable": findable if pair.read_share >= limits["least_read"] else None,
                }
            )
            yield similarities(len(comparisons) - 1, first, second, made)


def _tokens(pair: SlicePair, least: int) -> tuple[Matrix | None, Matrix | None]:
    """Of both models, whitened; None where too few are shared."""
    if len(pair.anchors) < least:
        return None, None
    one, other = (
        whitened(np.stack([slices.tokens[anchor] for anchor in pair.anchors]))
        for slices in (pair.one, pair.other)
    )
    return one, other


def _batches(tables: Iterable[pa.Table]) -> Iterator[list[pa.Table]]:
    """At least one, so that the queries have something to read."""
    batch = [SIMILARITIES.empty_table()]
    for table in tables:
        batch.append(table)
        if sum(one.nbytes for one in batch) >= BATCH_BYTES:
            yield batch
            batch = [SIMILARITIES.empty_table()]
    yield batch


def _measure(connection: duckdb.DuckDBPyConnection, found: pa.Table, *, first: bool) -> None:
    connection.register("similarities", found)
    for step in STEPS:
        query = read_query(f"slices/{step}")
        append = step in KEPT and not first
        connection.execute(
            f"insert into {step} {query}" if append else f"create or replace temp table {step} as {query}"
        )
