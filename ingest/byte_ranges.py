"""Reads the bytes of some tensors of a file in few requests."""

from __future__ import annotations

from collections.abc import Iterable

from ingest.concurrency import together
from ingest.formats.safetensors_header import Tensor
from ingest.model_files import ModelFiles
from warehouse.errors import FormatError

# Smaller gaps are read too: at 30 ms per request, reading 128 kB is cheaper on lines above 35 Mbit/s.
CHEAP_GAP_BYTES = 128_000
# Limit for one file, gaps included, because it is held in memory. The twelve models have 1 to 2 MB of norms.
MOST_NORM_BYTES = 256_000_000


async def read_tensors(
    files: ModelFiles, name: str, tensors: Iterable[Tensor], front: bytes
) -> dict[str, bytes]:
    """The bytes of some tensors of a file; those inside `front` are not read again."""
    wanted = list(tensors)
    raw = {tensor.name: front[tensor.begin : tensor.end] for tensor in wanted if tensor.end <= len(front)}
    groups = neighbours(tensor for tensor in wanted if tensor.end > len(front))
    total = sum(group[-1].end - group[0].begin for group in groups)
    if total > MOST_NORM_BYTES:
        raise FormatError(
            f"{files.where}/{name} has norms of {total:,} bytes, and no model has more than "
            f"{MOST_NORM_BYTES:,}: report it to its owner"
        )
    bodies = await together(files.range(name, group[0].begin, group[-1].end) for group in groups)
    for group, body in zip(groups, bodies, strict=True):
        begin = group[0].begin
        raw |= {tensor.name: body[tensor.begin - begin : tensor.end - begin] for tensor in group}
    return raw


def neighbours(tensors: Iterable[Tensor]) -> list[list[Tensor]]:
    """Groups tensors that are cheaper to read together, gaps included."""
    groups: list[list[Tensor]] = []
    for tensor in sorted(tensors, key=lambda tensor: tensor.begin):
        if groups and tensor.begin - groups[-1][-1].end <= CHEAP_GAP_BYTES:
            groups[-1].append(tensor)
        else:
            groups.append([tensor])
    return groups
