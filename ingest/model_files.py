"""A model's files, wherever they are: what `extract.py` needs to read norms out of them.

`HubFiles` (hub/repo.py) asks a hub for byte ranges; `LocalFiles` (local_files.py) reads a folder, be it the
user's own or a snapshot in the Hugging Face cache. Everything behind this is the same for both.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any, Protocol

from ingest.formats.safetensors_header import shown
from warehouse.errors import FormatError

INDEX = "model.safetensors.index.json"
SINGLE = "model.safetensors"
CONFIG = "config.json"
# The most that is read of a file read whole, from a hub or a disk. An index of 18,000 tensors has 2 MB.
SMALL_FILE_BYTES = 64_000_000
# of a file within a repo, of which file systems and the hub itself allow less for each part; and of a tensor
LONGEST_NAME = 1_000


class ModelFiles(Protocol):
    """Reads are exact: fewer bytes than asked for is an error, except `front` of a file that is shorter."""

    @property
    def where(self) -> str:
        """How messages call this model."""

    @property
    def names(self) -> Sequence[str]:
        """The files there are, by path relative to the model."""

    def size(self, name: str) -> int | None:
        """A file's bytes, where known without asking."""

    async def whole(self, name: str) -> bytes:
        """A small file."""

    async def front(self, name: str, length: int) -> tuple[bytes, int]:
        """Up to `length` first bytes, and the size of the file."""

    async def range(self, name: str, start: int, stop: int) -> bytes:
        """The bytes from start up to, not including, stop."""

    def check_unchanged(self) -> None:
        """Call after the last read; raises SourceError if a file was written again meanwhile."""


def no_model(names: Sequence[str]) -> str:
    """Why there is nothing to ingest among these files, to be said of the place."""
    adapter = next((name for name in names if name.startswith("adapter_")), None)
    pickled = next((name for name in names if name.endswith((".bin", ".pt", ".pth", ".ckpt"))), None)
    others = [name for name in names if name.endswith((".safetensors", ".gguf"))]
    if adapter:
        reason = f"{adapter} is of an adapter, which has no norms of its own: ingest its base model"
    elif pickled:
        reason = f"{pickled} is a pickle, which runs code when it is read: have it saved as safetensors"
    else:
        reason = "only such models can be ingested"
    found = f" (only {', '.join(others[:3])})" if others else ""
    return f"has no {INDEX}, no {SINGLE} and no GGUF model{found}: {reason}"


def json_object(raw: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(raw)
        if b"\\u" in raw:  # half of a surrogate pair alone is no character
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise FormatError(f"{where} has text that is not valid Unicode: fetch it anew") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{where} is not valid JSON ({error}): fetch it anew") from None
    if not isinstance(value, dict):
        raise FormatError(f"{where} is not a JSON object: fetch it anew")
    return value


def shard_map(index: dict[str, Any], where: str) -> dict[str, list[str]]:
    """The tensors of each shard file, from an index; refuses names that leave the model's folder."""
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
    """Whether this is the path of a file inside a model's folder, as any system can have it."""
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
