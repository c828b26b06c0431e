"""The interface to a model's files, wherever they are, and checks of what their indexes say.

`HubFiles` (hub/repo.py) asks a hub for byte ranges. `LocalFiles` (local_files.py) reads a folder, also a
snapshot in the Hugging Face cache.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any, Protocol

from ingest.concurrency import together
from ingest.formats.safetensors_header import Tensor, shown
from warehouse.errors import FormatError

INDEX = "model.safetensors.index.json"
SINGLE = "model.safetensors"
CONFIG = "config.json"
# Limit of files that are read as a whole. An index of 18,000 tensors has 2 MB.
SMALL_FILE_BYTES = 64_000_000
# of a tensor's name, and of a file's path in a repo
LONGEST_NAME = 1_000


class ModelFiles(Protocol):
    """Fewer bytes than asked for are an error, except for `front` of a shorter file."""

    @property
    def where(self) -> str:
        """The name of this model in messages."""

    @property
    def names(self) -> Sequence[str]:
        """Paths of the files, relative to the model."""

    def size(self, name: str) -> int | None:
        """A file's size, if it is known without a request."""

    async def whole(self, name: str) -> bytes:
        """A small file."""

    async def front(self, name: str, length: int) -> tuple[bytes, int]:
        """The first `length` bytes or fewer, and the size of the file."""

    async def range(self, name: str, start: int, stop: int) -> bytes:
        """The bytes from start up to stop, exclusive."""

    def check_unchanged(self) -> None:
        """Call after the last read. Raises SourceError if a file has changed."""


def no_model(names: Sequence[str]) -> str:
    """Why there is nothing to ingest among these files, as the end of a message."""
    adapter = next((name for name in names if name.startswith("adapter_")), None)
    pickled = next((name for name in names if name.endswith((".bin", ".pt", ".pth", ".ckpt"))), None)
    others = [name for name in names if name.endswith((".safetensors", ".gguf"))]
    if adapter:
        reason = f"{adapter} belongs to an adapter, which has no norms of its own: ingest its base model"
    elif pickled:
        reason = f"{pickled} is a pickle, which runs code when it is read: have it saved as safetensors"
    else:
        reason = "only such models can be ingested"
    found = f" (only {', '.join(others[:3])})" if others else ""
    return f"has no {INDEX}, no {SINGLE} and no GGUF model{found}: {reason}"


def json_object(raw: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(raw)
        if b"\\u" in raw:  # half a surrogate pair is not a character
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise FormatError(f"{where} has text that is not valid Unicode: fetch it again") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{where} is not valid JSON ({error}): fetch it again") from None
    if not isinstance(value, dict):
        raise FormatError(f"{where} is not a JSON object: fetch it again")
    return value


def shard_map(index: dict[str, Any], where: str) -> dict[str, list[str]]:
    """The tensors of each shard, from an index. Refuses names that lead out of the model's folder."""
    weight_map = index.get("weight_map")
    if not isinstance(weight_map, dict) or not weight_map:
        raise FormatError(f"{where}/{INDEX} has no weight_map: report it to the model's owner")
    shards: dict[str, list[str]] = {}
    for tensor, shard in weight_map.items():
        if not isinstance(shard, str) or shard not in shards:
            _refuse_foreign(shard, where)
        shards.setdefault(shard, []).append(tensor)
    return shards


def _refuse_foreign(shard: object, where: str) -> None:
    if not is_inside(shard) or not str(shard).endswith(".safetensors"):
        raise FormatError(
            f"{where}/{INDEX} names the shard {shown(shard)}, which is not a .safetensors file inside the "
            f"model's folder: do not use this model"
        )


def is_inside(name: object) -> bool:
    """Whether this is a portable path of a file inside a model's folder."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        return False
    path = PurePosixPath(name)
    return (
        not path.is_absolute()
        and ".." not in path.parts
        and name.isprintable()
        and "\\" not in name
        and ":" not in name
    )


# Smaller gaps are read too: at 30 ms per request, reading 128 kB is cheaper on lines above 35 Mbit/s.
CHEAP_GAP_BYTES = 128_000
# Limit for one file, gaps included, because it is held in memory. The twelve models have 1 to 2 MB of norms.
MOST_NORM_BYTES = 256_000_000
# Limits of what `read_ahead` requests before it is taken.
AHEAD_BYTES = 24_000_000
REQUESTS_AHEAD = 64


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


async def read_ahead(files: ModelFiles, ranges: Iterable[tuple[str, int, int]]) -> AsyncIterator[bytes]:
    """The bytes of these ranges (file, begin, end) in order; some are requested before they are taken."""
    waiting = iter(ranges)
    coming = next(waiting, None)
    ahead: deque[tuple[int, asyncio.Task[bytes]]] = deque()
    try:
        while ahead or coming:
            while coming and len(ahead) < REQUESTS_AHEAD and sum(size for size, _ in ahead) < AHEAD_BYTES:
                name, begin, end = coming
                ahead.append((end - begin, asyncio.ensure_future(files.range(name, begin, end))))
                coming = next(waiting, None)
            _, task = ahead.popleft()
            yield await task
    finally:
        for _, task in ahead:
            task.cancel()
