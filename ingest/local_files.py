"""A model's files in a folder on this disk: regular files only, and unchanged while they are read.

The model may be saved again while it is read. Size, modification time and inode are noted before the
first read and compared at every read and after the last one, so that no mixture of two versions is stored.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ingest.model_files import CONFIG, INDEX, SINGLE, SMALL_FILE_BYTES, json_object, shard_map
from warehouse.console.exhausted import exhausted
from warehouse.errors import FormatError, SourceError

# A write sets the modification time when it begins, from a clock that ticks every 1 to 10 ms. A later write
# is noticed only if the time differs, so we wait for some ticks and for the time that writing the file takes.
TICK_NS = 20_000_000
SLOW_DISK_BYTES_PER_SECOND = 200_000_000
LONGEST_WAIT_NS = 5_000_000_000

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class Version(NamedTuple):
    """Differs if a file was written again or replaced."""

    inode: int
    size: int
    mtime_ns: int


class LocalFiles:
    """The files of one folder, or some of them."""

    def __init__(self, folder: Path, where: str | None = None, names: Sequence[str] | None = None) -> None:
        self._folder = folder
        self.where = where or str(folder)
        self.names = folder_files(folder) if names is None else names
        self._versions = _versions(folder, self.names)
        self._was_read: set[str] = set()

    def size(self, name: str) -> int | None:
        return self._versions[name].size if name in self._versions else None

    async def whole(self, name: str) -> bytes:
        with self._reading(name) as (file, size):
            refuse_large(size, f"{self.where}/{name}")
            return file.read(SMALL_FILE_BYTES)

    async def front(self, name: str, length: int) -> tuple[bytes, int]:
        with self._reading(name) as (file, size):
            return file.read(length), size

    async def range(self, name: str, start: int, stop: int) -> bytes:
        with self._reading(name) as (file, _):
            file.seek(start)
            found = file.read(stop - start)
        if len(found) != stop - start:
            raise self._changed(name)
        return found

    def check_unchanged(self) -> None:
        for name in sorted(self._was_read):
            try:
                now = _version((self._folder / name).stat())
            except OSError:
                now = None
            if now != self._versions[name]:
                raise self._changed(name)

    @contextmanager
    def _reading(self, name: str) -> Iterator[tuple[BinaryIO, int]]:
        """The open file and its size."""
        with open_regular(self._folder / name) as file:
            now = _version(os.fstat(file.fileno()))
            if self._versions.setdefault(name, now) != now:
                raise self._changed(name)
            self._was_read.add(name)
            yield file, now.size

    def _changed(self, name: str) -> SourceError:
        return SourceError(
            f"{self.where}/{name} changed while the model was read: ingest it again once nothing writes to it"
        )


def folder_files(folder: Path) -> list[str]:
    """The names in a folder, without folders and broken links.

    Pipes, sockets, devices, and a folder with the name of a model's file are included, so that reading them
    is refused. If they were left out, the model would seem not to have that file.
    """
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError as error:
        why = exhausted(error) or f"{error.strerror}: check its rights"
        raise SourceError(f"cannot list {folder}: {why}") from None
    return sorted(name for name in names if _is_file(folder, name))


def _is_file(folder: Path, name: str) -> bool:
    try:
        is_folder = stat.S_ISDIR((folder / name).stat().st_mode)
    except PermissionError:
        return True  # reading it reports the reason
    except OSError:
        return False
    return not is_folder or name in (CONFIG, INDEX, SINGLE)


def is_folder(path: Path) -> bool:
    """False also if the path cannot be looked at."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except OSError:
        return False


@contextmanager
def open_regular(path: Path) -> Iterator[BinaryIO]:
    """Opens regular files only: opening a pipe would block until another process writes to it."""
    try:
        _refuse_special(path, path.stat())
        # the file may have been exchanged since
        with open(path, "rb", opener=_open_without_waiting) as file:
            _refuse_special(path, os.fstat(file.fileno()))
            yield file
    except OSError as error:
        why = exhausted(error) or f"{error.strerror}: check the file"
        raise SourceError(f"cannot read {path}: {why}") from error


def read_small(path: Path) -> bytes:
    """A whole config or index, unless it is too large to be one."""
    with open_regular(path) as file:
        refuse_large(os.fstat(file.fileno()).st_size, str(path))
        return file.read(SMALL_FILE_BYTES)


def refuse_large(size: int, where: str) -> None:
    if size > SMALL_FILE_BYTES:
        raise FormatError(
            f"{where} has {size:,} bytes, and such a file has at most {SMALL_FILE_BYTES:,}: fetch it again"
        )


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _refuse_special(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = KINDS.get(stat.S_IFMT(found.st_mode), "something else")
        raise SourceError(f"{path} is {kind}, not a regular file: put the model's own file there")


def _versions(folder: Path, names: Iterable[str]) -> dict[str, Version]:
    """Versions of the readable files. Returns once any further write will change their times."""
    versions: dict[str, Version] = {}
    for name in names:
        try:
            versions[name] = _version((folder / name).stat())
        except OSError:
            continue  # reading it reports the reason
    now = time.time_ns()
    left = (_is_settled_at(version) - now for version in versions.values() if version.mtime_ns <= now)
    time.sleep(max(0, max(left, default=0)) / 1e9)
    return versions


def _is_settled_at(version: Version) -> int:
    writing_ns = version.size * 1_000_000_000 // SLOW_DISK_BYTES_PER_SECOND
    return version.mtime_ns + min(TICK_NS + writing_ns, LONGEST_WAIT_NS)


def _version(found: os.stat_result) -> Version:
    return Version(found.st_ino, found.st_size, found.st_mtime_ns)


def cached_snapshot(
    cache: Path, repo: str, revision: str, *, is_enough: Callable[[Sequence[str]], bool]
) -> tuple[str, Path] | None:
    """(commit, folder) of a complete snapshot in the Hugging Face cache, or None.

    `is_enough` may accept a snapshot by its file names, for models without safetensors. Raises SourceError
    for a config or index that cannot be read.
    """
    repo_folder = cache / f"models--{repo.replace('/', '--')}"
    commit = revision
    if not re.fullmatch("[0-9a-f]{40}", revision):
        ref = repo_folder / "refs" / revision
        commit = read_small(ref).decode(errors="replace").strip() if ref.is_file() else ""
    folder = repo_folder / "snapshots" / commit
    if not re.fullmatch("[0-9a-f]{40}", commit) or not is_folder(folder):
        return None
    if is_enough(folder_files(folder)):
        return commit, folder
    if not (folder / CONFIG).is_file():
        return None
    json_object(read_small(folder / CONFIG), f"{folder}/{CONFIG}")
    if (folder / INDEX).is_file():
        shards = shard_map(json_object(read_small(folder / INDEX), f"{folder}/{INDEX}"), str(folder))
        return (commit, folder) if all((folder / shard).is_file() for shard in shards) else None
    return (commit, folder) if (folder / SINGLE).is_file() else None
