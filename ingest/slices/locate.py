"""Finds what will be read: names from the index, places from the headers, token ids from the tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ingest.extract import Shard, first_read_bytes, read_header, shard_names
from ingest.files import ModelFiles
from ingest.formats.matrix_names import MatrixName
from ingest.formats.safetensors_header import Tensor
from ingest.reading import together
from ingest.slices.choosing import Chosen, choose
from ingest.slices.plan import Cut, byte_range, cut_embedding, cut_matrices, refusal, row_groups
from ingest.slices.tokens import TOKENIZER, anchor_ids
from ingest.slices.wanted import SlicesWanted
from warehouse.errors import FormatError

Found = tuple[MatrixName, str, Tensor]
"""What it is, the shard it is in, where in the shard."""


@dataclass(frozen=True)
class Plan:
    """What to read of one model, and what there is not."""

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
    """Reads index, headers and vocabulary; the matrices themselves are still to be read."""
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
    cuts, left_out = cut_matrices(usable, wanted.budget, width)
    absent += left_out
    if embedding:
        tokens = await _tokens(files, embedding[2])
        if tokens:
            cuts.insert(0, cut_embedding(embedding[1], embedding[2], tokens))
        else:
            absent.append(f"no embedding rows, for want of known tokens in {TOKENIZER}")
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
    else:  # one file without an index: its header says what there is
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
    """Anchors and their rows of the embedding; none without a tokenizer."""
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
