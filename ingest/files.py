"""A model's files, wherever they are: what `extract.py` needs to read norms out of them.

`HubFiles` (hub.py) asks a hub for byte ranges; `LocalFiles` reads a folder, be it the user's own or a
snapshot in the Hugging Face cache. Everything behind this is the same for both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from ingest.formats.safetensors_header import shown
from warehouse.errors import FormatError, SourceError

INDEX = "model.safetensors.index.json"
SINGLE = "model.safetensors"
CONFIG = "config.json"
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


class LocalFiles:
    """The files of one folder, or some of them."""

    def __init__(self, folder: Path, where: str | None = None, names: Sequence[str] | None = None) -> None:
        self._folder = folder
        self.where = where or str(folder)
        self.names = folder_files(folder) if names is None else names

    def size(self, name: str) -> int | None:
        return self._size(name)

    async def whole(self, name: str) -> bytes:
        return self._read(name, 0, None)

    async def front(self, name: str, length: int) -> tuple[bytes, int]:
        return self._read(name, 0, length), self._size(name)

    async def range(self, name: str, start: int, stop: int) -> bytes:
        found = self._read(name, start, stop - start)
        if len(found) != stop - start:
            raise SourceError(f"{self.where}/{name} became shorter while it was read: ingest it again")
        return found

    def _read(self, name: str, start: int, length: int | None) -> bytes:
        with self._reading(name), (self._folder / name).open("rb") as file:
            file.seek(start)
            return file.read(length)

    def _size(self, name: str) -> int:
        with self._reading(name):
            return (self._folder / name).stat().st_size

    @contextmanager
    def _reading(self, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SourceError(
                f"cannot read {self._folder / name} ({error.strerror}): check the file"
            ) from error


def folder_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_file())


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


def cached_snapshot(
    cache: Path, repo: str, revision: str, *, is_enough: Callable[[Sequence[str]], bool]
) -> tuple[str, Path] | None:
    """(commit, folder) of a complete snapshot in the Hugging Face cache, if there is one.

    Where no safetensors say what belongs to the model, `is_enough` decides by the names of the files.
    A config or index that cannot be read is a FormatError.
    """
    repo_folder = cache / f"models--{repo.replace('/', '--')}"
    commit = revision
    if not re.fullmatch("[0-9a-f]{40}", revision):
        ref = repo_folder / "refs" / revision
        commit = ref.read_text().strip() if ref.is_file() else ""
    folder = repo_folder / "snapshots" / commit
    if not re.fullmatch("[0-9a-f]{40}", commit) or not folder.is_dir():
        return None
    if is_enough(folder_files(folder)):
        return commit, folder
    if not (folder / CONFIG).is_file():
        return None
    json_object((folder / CONFIG).read_bytes(), f"{folder}/{CONFIG}")
    if (folder / INDEX).is_file():
        shards = shard_map(json_object((folder / INDEX).read_bytes(), f"{folder}/{INDEX}"), str(folder))
        return (commit, folder) if all((folder / shard).is_file() for shard in shards) else None
    return (commit, folder) if (folder / SINGLE).is_file() else None


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
