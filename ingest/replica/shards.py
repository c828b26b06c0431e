"""Tensors into shards as transformers writes them, and each shard's bytes without storing any.

A shard is a safetensors file: eight bytes of header length, the header, then the tensors. Between
shards the tensors keep their state_dict order; inside one they lie as the safetensors writer sorts
them, by descending alignment of the dtype and then by name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod

from ingest.origin_marks import MARKER, REPLICA_TAG
from ingest.replica.architectures import DTYPE_BYTES, Tensor

# What people give a shard at most (bytes): transformers' long-standing default "5GB", then "4GB", "2GB".
USUAL_LIMITS = (5_000_000_000, 4_000_000_000, 2_000_000_000)

Content = Callable[[Tensor, int, int], bytes]  # bytes [start, stop) of one tensor


@dataclass(frozen=True)
class Shard:
    """One file: its header, and where each tensor begins in the whole file."""

    header: bytes  # length prefix included
    tensors: tuple[Tensor, ...]  # in file order
    starts: tuple[int, ...]  # file offset of each tensor
    size: int

    def read(self, start: int, stop: int, content: Content) -> bytes:
        """Bytes [start, stop) of the file; what lies beyond its end is left out."""
        stop = min(stop, self.size)
        if stop <= start:
            return b""
        pieces = [self.header[start:stop]]
        at = max(start, len(self.header))
        index = bisect_right(self.starts, at) - 1
        while at < stop:
            begin = self.starts[index]
            end = self.starts[index + 1] if index + 1 < len(self.starts) else self.size
            pieces.append(content(self.tensors[index], at - begin, min(stop, end) - begin))
            at = end
            index += 1
        return b"".join(pieces)


def tensor_bytes(tensor: Tensor) -> int:
    """Bytes a tensor takes in the file."""
    return prod(tensor.shape) * DTYPE_BYTES[tensor.dtype]


def split_into_shards(tensors: Sequence[Tensor], count: int, limit: int | None = None) -> list[list[Tensor]]:
    """Fill shards in order, each up to a common limit; the limit is the one that gives `count` shards.

    The one given, or a usual one where one fits, otherwise found by bisection: the number of shards never
    grows with the limit.
    """
    ends = list(accumulate(tensor_bytes(t) for t in tensors))
    limits = USUAL_LIMITS if limit is None else (limit,)
    cuts = next((c for limit in limits if len(c := _cuts(ends, limit)) == count), None)
    low, high = 1, ends[-1]
    while cuts is None:
        limit = (low + high) // 2
        found = _cuts(ends, limit)
        if len(found) == count:
            cuts = found
        elif low >= high:
            raise ValueError(f"{len(tensors)} tensors cannot be cut into exactly {count} shards")
        elif len(found) > count:
            low = limit + 1
        else:
            high = limit
    return [list(tensors[a:b]) for a, b in zip([0, *cuts[:-1]], cuts, strict=True)]


def _cuts(ends: Sequence[int], limit: int) -> list[int]:
    """Index after the last tensor of each shard; a tensor above the limit gets a shard of its own."""
    cuts: list[int] = []
    first, written = 0, 0
    while first < len(ends):
        first = max(bisect_right(ends, written + limit), first + 1)
        written = ends[first - 1]
        cuts.append(first)
    return cuts


def lay_out(tensors: Sequence[Tensor]) -> Shard:
    """One safetensors file with these tensors."""
    ordered = tuple(sorted(tensors, key=lambda t: (-DTYPE_BYTES[t.dtype], t.name)))
    entries = [f'"__metadata__":{{"format":"pt","{MARKER}":"{REPLICA_TAG}"}}']
    offsets: list[int] = []
    end = 0
    for tensor in ordered:
        offsets.append(end)
        end += tensor_bytes(tensor)
        shape = ",".join(map(str, tensor.shape))
        entries.append(
            f'"{tensor.name}":{{"dtype":"{tensor.dtype}","shape":[{shape}],"data_offsets":[{offsets[-1]},{end}]}}'
        )
    text = ("{" + ",".join(entries) + "}").encode()
    text += b" " * (-len(text) % 8)
    header = len(text).to_bytes(8, "little") + text
    return Shard(header, ordered, tuple(len(header) + o for o in offsets), len(header) + end)
