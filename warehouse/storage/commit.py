"""Commits: a lake changes atomically from one immutable snapshot to the next.

    data/<lake>                 symlink to the current snapshot
    data/.<lake>/00000042/      a snapshot: files of tables, and the catalog
    data/.<lake>/00000042.json  what that catalog was built from, and its sha256
    data/.<lake>/last_bundle    the highest number that a bundle of this lake ever had
    data/.<lake>/lock           held by the one process that writes; readers need no lock

A commit writes new files into the folder of the next number, hard-links all others there, builds the
catalog, forces everything to disk and renames a fresh symlink over `data/<lake>`. Before that rename
readers see the old snapshot, after it the new one. A crash before it leaves a folder above the current
number, which the next writer removes. A superseded snapshot stays for ten minutes, so that running queries
can finish on it.
"""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from warehouse.catalog.catalog import build_snapshot_catalog
from warehouse.console.exhausted import exhausted
from warehouse.errors import LakeBusy, LakeError
from warehouse.lake import Lake, refuse_old_layout, write_text_atomically
from warehouse.paths import current_number, data_root, is_bundle
from warehouse.storage.digests import stored_file
from warehouse.storage.drafts import make_folders, sync

if TYPE_CHECKING:
    from warehouse.rows import StoredFile

SECONDS_KEPT = 600
LAST_BUNDLE = "last_bundle"
FOREVER = -1

NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
NO_HARD_LINKS = {errno.EPERM, errno.EXDEV, errno.EMLINK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP}


@contextmanager
def write_lock(lake: Lake, *, wait: float = 0) -> Iterator[None]:
    """Hold the lake's write lock. If another process has it, wait so many seconds, or FOREVER, then fail."""
    refuse_foreign(lake)
    with as_lake_error(lake, "cannot lock"):
        make_folders(lake.store)
        # 50 ms to import, for commands that write only
        from filelock import FileLock, Timeout

        lock = FileLock(lake.store / "lock", timeout=wait)
        try:
            lock.acquire()
        except Timeout:
            raise LakeBusy(
                f"lake {lake.name!r} is being written by another command: wait until it is done, "
                f"or choose another lake with --lake NAME"
            ) from None
    try:
        _remove_unfinished(lake)
        if not lake.path.is_symlink():
            _refuse_without_symlinks(lake)
        elif not lake.folder.is_dir():
            raise LakeError(
                f"{lake.path} points to {lake.folder}, which is gone: put a copy back, or remove the link "
                f"and {lake.store}, and ingest again"
            )
        yield
    finally:
        lock.release()


@contextmanager
def new_commit(lake: Lake) -> Iterator[Commit]:
    """Call while holding the write lock. An unpublished commit is discarded when the block ends."""
    number = (current_number(lake.path) or 0) + 1
    folder = _folder(lake, number)
    if folder.exists():
        raise RuntimeError(f"{folder} exists: another commit is open, or the write lock is not held")
    try:
        with as_lake_error(lake, "cannot write"):
            make_folders(folder)
            yield Commit(lake, number, folder)
    finally:
        if current_number(lake.path) != number:
            _remove(folder)


class Commit:
    """The next snapshot of a lake, not yet visible to readers."""

    def __init__(self, lake: Lake, number: int, folder: Path) -> None:
        self.lake = lake.pinned()
        """The lake as it is before this commit."""
        self._target = replace(lake, snapshot=folder)
        self._number = number
        self._folder = folder
        self._new: dict[str, StoredFile | None] = {}
        self._removed: set[str] = set()
        self._last_bundle: int | None = None

    def file(self, relative: str) -> Path:
        """Where to write what will be `relative` in the lake."""
        self._new[relative] = None
        path = self._folder / relative
        path.parent.mkdir(exist_ok=True)
        return path

    def discard(self, relative: str) -> None:
        """Remove a new file from this commit."""
        del self._new[relative]
        (self._folder / relative).unlink()

    @property
    def has_changes(self) -> bool:
        return bool(self._new or self._removed)

    def remove(self, relative: str) -> None:
        """Leave out a file of the lake, unless this commit writes it."""
        self._removed.add(relative)

    def written(self, stem: str) -> list[StoredFile]:
        """Sizes and digests of a model's or bundle's new files; they must not change any more."""
        mine = [relative for relative in self._new if Path(relative).stem == stem]
        return [self._described(relative) for relative in mine]

    def new_bundle(self) -> str:
        """A name that no bundle of this lake ever had."""
        if self._last_bundle is None:
            self._last_bundle = _last_bundle(self.lake)
        self._last_bundle += 1
        return f"{self._last_bundle:05}"

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """If the block fails, undo its changes and keep the rest of the commit."""
        new, removed = dict(self._new), set(self._removed)
        try:
            yield
        except BaseException:
            for relative in self._new.keys() - new.keys():
                (self._folder / relative).unlink(missing_ok=True)
            self._new, self._removed = new, removed
            raise

    def publish(self) -> None:
        """Make this the lake's current snapshot."""
        with as_lake_error(self.lake, "cannot write"):
            written = [self._folder / relative for relative in self._new]
            sync([*written, *self._link_unchanged()])
            if self._last_bundle is not None:
                write_text_atomically(self.lake.store / LAST_BUNDLE, f"{self._last_bundle}\n")
            catalog = build_snapshot_catalog(self._target, self.lake)
            folders = [path for path in self._folder.iterdir() if path.is_dir()]
            sync([*catalog, *folders, self._folder, self.lake.store])
            _point_to(self.lake, self._number)
        _remove_superseded(self.lake, self._number)

    def _described(self, relative: str) -> StoredFile:
        known = self._new[relative] or stored_file(relative, self._folder / relative)
        self._new[relative] = known
        return known

    def _link_unchanged(self) -> list[Path]:
        """Link the files that stay into the new folder. Returns those that had to be copied."""
        copied = []
        for table in sorted(self.lake.folder.glob("[!.]*/")):
            target = self._folder / table.name
            target.mkdir(exist_ok=True)
            for file in table.iterdir():
                name = file.name
                relative = f"{table.name}/{name}"
                if relative in self._new or relative in self._removed or name.startswith("."):
                    continue
                if not _link(file, target / name):
                    copied.append(target / name)
        return copied


def _link(source: Path, target: Path) -> bool:
    """False if the file system has no hard links, or not one more of this file, and it was copied."""
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in NO_HARD_LINKS:
            raise
        shutil.copy2(source, target)
        return False
    return True


def _point_to(lake: Lake, number: int) -> None:
    """The atomic step that makes a commit visible."""
    link = _fresh_link(lake)
    link.unlink(missing_ok=True)
    link.symlink_to(f"{lake.store.name}/{number:08}")
    link.replace(lake.path)
    # If this fails and the machine crashes, the link points to the old snapshot, which is still there.
    with suppress(OSError):
        sync([lake.path.parent])


def _fresh_link(lake: Lake) -> Path:
    """A name beside the lake that no lake can have."""
    return lake.path.with_name(f".~{lake.path.name}")


def _folder(lake: Lake, number: int) -> Path:
    return lake.store / f"{number:08}"


def _snapshots(lake: Lake) -> dict[int, Path]:
    """All snapshots that are on disk, oldest first."""
    found = {int(path.name): path for path in lake.store.glob("[0-9]*") if path.name.isdecimal()}
    return dict(sorted(found.items()))


def _remove_unfinished(lake: Lake) -> None:
    """Remove what a crash left of unpublished commits."""
    current = current_number(lake.path) or 0
    for number, folder in _snapshots(lake).items():
        if number > current:
            _remove(folder)
    _fresh_link(lake).unlink(missing_ok=True)


def _remove_superseded(lake: Lake, current: int) -> None:
    """Remove snapshots whose successor is ten minutes old, by the time of its folder."""
    known = [item for item in _snapshots(lake).items() if item[0] <= current]
    for (_, folder), (_, successor) in pairwise(known):
        with suppress(OSError):
            if time.time() - successor.stat().st_mtime > SECONDS_KEPT:
                _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a snapshot and the record of its catalog. If that fails, a later commit tries again."""
    with suppress(OSError):
        folder.with_suffix(".json").unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


def _last_bundle(lake: Lake) -> int:
    """The highest number of its file and, in case that was lost, of the snapshots."""
    numbers = [int(stem) for folder in _snapshots(lake).values() for stem in _bundle_stems(folder)]
    with suppress(OSError, ValueError):
        numbers.append(int((lake.store / LAST_BUNDLE).read_text()))
    return max(numbers, default=0)


def _bundle_stems(snapshot: Path) -> Iterable[str]:
    return (path.stem for path in snapshot.glob("*/[0-9]*.parquet") if is_bundle(path.stem))


def refuse_foreign(lake: Lake) -> None:
    if lake.is_ours:
        return
    if lake.is_published:
        raise LakeError(
            f"{lake.path} was written by `just publish`, and is left as its checksums say: "
            f"change the lake it was made of and publish that again"
        )
    if not lake.is_foreign:
        refuse_old_layout(lake.path)
    raise LakeError(
        f"{lake.path} is not one of your own lakes (each is a link in {data_root()}), and is only read: "
        f"choose another lake with --lake NAME"
    )


def _refuse_without_symlinks(lake: Lake) -> None:
    """Called before models are read over the network."""
    link = _fresh_link(lake)
    try:
        link.symlink_to(f"{lake.store.name}/0")
        link.unlink()
    except (OSError, NotImplementedError) as error:
        raise LakeError(
            f"cannot make a symbolic link in {link.parent} ({getattr(error, 'strerror', error)}), which "
            f"every lake needs: set NORMHOUSE_DATA to a folder on a file system that has them"
        ) from error


@contextmanager
def as_lake_error(lake: Lake, what: str) -> Iterator[None]:
    """Turn an error of the operating system into one line. Readers still see the lake as it was."""
    try:
        yield
    except OSError as error:
        advice = "correct that"
        if error.errno in NO_SPACE or "No space left" in str(error) or "File too large" in str(error):
            what, advice = "no space to write", "free some space"
        elif exhausted(error):
            advice = "allow more (`ulimit -n`)"
        raise LakeError(
            f"{what} lake {lake.name!r} in {lake.store} ({error.strerror or error}): it is as it was before; "
            f"{advice} and run the same command again"
        ) from error
