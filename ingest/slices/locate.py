"""Finds what to read for `--slices`: matrices by name, places by header, token ids by tokenizer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from ingest.concurrency import together
from ingest.extract import Shard, first_read_bytes, read_header, shard_names
from ingest.formats.safetensors_header import Tensor
from ingest.formats.tensor_names import SHARED, MatrixName, matrix_name
from ingest.formats.tokenizer import Scheme, VocabularyReader, anchors_among, tokens_of
from ingest.model_files import ModelFiles
from ingest.slices.plan import Cut, byte_range, cut_embedding, cut_matrices, refusal, row_groups
from ingest.slices.wanted import SlicesWanted
from warehouse.documents import anchors
from warehouse.errors import FormatError, RangeIgnored
from warehouse.rows import NO_LAYER

# With more experts, only a few rows of each would be read, and a relative may have them in another order.
MOST_EXPERTS = 64
LAYER = re.compile(r"(?:^|\.)([0-9]{1,4})\.")
TOKENIZER = "tokenizer.json"
PIECE_BYTES = 2_000_000
# The largest have 35 MB.
MOST_TOKENIZER_BYTES = 64_000_000


@dataclass(frozen=True)
class Chosen:
    """The matrices to read, by tensor name, and what is missing."""

    matrices: dict[str, MatrixName]
    layers: frozenset[int]
    depth: int
    absent: list[str] = field(default_factory=list)


def choose(tensors: Collection[str], depth: int | None, wanted: SlicesWanted) -> Chosen:
    """The embedding, and gate and up of the wanted layers, of the shared expert if there is one."""
    # An index names 18,000 tensors, nearly all of other layers, which are dropped first for speed.
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
    # with a scale (weight_scale, weight_scale_inv, input_scale …) the stored numbers are not the weights
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


async def anchor_ids(files: ModelFiles) -> dict[str, int]:
    """Token ids by anchor, in the shipped order. Reads the file to the end of its vocabulary."""
    where = f"{files.where}/{TOKENIZER}"
    reader = VocabularyReader(_table(), where)
    try:
        piece, size = await files.front(TOKENIZER, PIECE_BYTES)
        if size > MOST_TOKENIZER_BYTES:
            raise FormatError(
                f"{where} has {size:,} bytes, and no tokenizer has more than {MOST_TOKENIZER_BYTES:,}: "
                f"ingest without --slices"
            )
        reached = len(piece)
        while not reader.done:
            reader.feed(piece, last=reached >= size)
            if reader.done:
                break
            piece = await files.range(TOKENIZER, reached, min(reached + PIECE_BYTES, size))
            reached += len(piece)
    except RangeIgnored:
        # the hub keeps small files outside of its large storage
        reader = VocabularyReader(_table(), where)
        reader.feed(await files.whole(TOKENIZER), last=True)
    found = anchors_among(reader.ids, _table())
    return {anchor: found[anchor] for anchor in anchors() if anchor in found}


@cache
def _table() -> dict[str, list[tuple[Scheme, str]]]:
    return tokens_of(anchors())


Found = tuple[MatrixName, str, Tensor]
"""What it is, the shard, and the place in the shard."""


@dataclass(frozen=True)
class Plan:
    """What to read of one model, and what is missing."""

    cuts: list[Cut]
    layers: frozenset[int]
    depth: int
    absent: list[str]

    @property
    def requests(self) -> int:
        return sum(len(row_groups(cut)) for cut in self.cuts)

    @property
    def bytes(self) -> int:
        ranges = [byte_range(cut, group) for cut in self.cuts for group in row_groups(cut)]
        return sum(end - begin for begin, end in ranges)


async def locate(files: ModelFiles, depth: int | None, width: int | None, wanted: SlicesWanted) -> Plan:
    """Reads index, headers and vocabulary, and plans which rows to read."""
    chosen, found = await _headers(files, depth, wanted)
    absent = list(chosen.absent)
    usable: list[Found] = []
    for name, shard, tensor in found:
        reason = refusal(tensor, None if name.role == "embedding" else width)
        if reason:
            absent.append(reason)
        else:
            usable.append((name, shard, tensor))
    embedding = next((one for one in usable if one[0].role == "embedding"), None)
    if embedding and width is None:
        width = embedding[2].shape[1]
    cuts, left_out = cut_matrices(usable, wanted.budget_of(chosen.layers), width)
    absent += left_out
    if embedding:
        tokens = await _tokens(files, embedding[2])
        if tokens:
            cuts.insert(0, cut_embedding(embedding[1], embedding[2], tokens))
        else:
            absent.append(f"no embedding rows, because {TOKENIZER} has none of the anchors")
    if not cuts:
        raise FormatError(f"{files.where} has no slices to read ({'; '.join(absent)}): leave out --slices")
    return Plan(cuts, chosen.layers, chosen.depth, absent)


async def _headers(files: ModelFiles, depth: int | None, wanted: SlicesWanted) -> tuple[Chosen, list[Found]]:
    """Which matrices to read, and where they are."""
    names = await shard_names(files)
    listed = {tensor for tensors in names.values() for tensor in tensors or ()}
    if listed:
        chosen = choose(listed, depth, wanted)
        needed = {
            shard: tensors
            for shard, tensors in names.items()
            if tensors and not chosen.matrices.keys().isdisjoint(tensors)
        }
        shards = await _shards(files, needed, lambda tensor: tensor.name in chosen.matrices)
    else:  # one file without an index: its header lists the tensors
        shards = await _shards(files, names, lambda _: True)
        chosen = choose({name for shard in shards for name in shard.tensors}, depth, wanted)
    tensors = [(shard.name, tensor) for shard in shards for tensor in shard.tensors.values()]
    found = [
        (chosen.matrices[tensor.name], shard, tensor)
        for shard, tensor in tensors
        if tensor.name in chosen.matrices
    ]
    return chosen, found


async def _shards(
    files: ModelFiles, names: Mapping[str, list[str] | None], is_kept: Callable[[Tensor], bool]
) -> list[Shard]:
    read = await together(
        read_header(files, name, tensors or (), first_read_bytes(tensors, 0), is_kept)
        for name, tensors in names.items()
    )
    return [shard for shard, _ in read]


async def _tokens(files: ModelFiles, embedding: Tensor) -> dict[str, int]:
    """Anchors and their rows in the embedding; empty without a tokenizer."""
    if TOKENIZER not in files.names:
        return {}
    ids = await anchor_ids(files)
    rows = embedding.shape[0]
    beyond = next((anchor for anchor, number in ids.items() if number >= rows), None)
    if beyond is not None:
        raise FormatError(
            f"{files.where}/{TOKENIZER} gives {beyond!r} the number {ids[beyond]:,}, but the embedding has "
            f"{rows:,} rows: it is another model's; ingest without --slices"
        )
    return ids
