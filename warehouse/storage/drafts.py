"""Drafts and fsync: files are written in a locked draft folder, forced to disk and renamed to their place.

The process that owns a draft folder holds a lock in it, which the operating system frees when the process
dies. `sweep` removes folders whose lock is free.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from warehouse.errors import LakeError

# From here on one call for the whole machine is quicker than one a file, at 2 to 4 ms each.
MANY = 64


def sync(paths: Sequence[Path]) -> None:
    """Files or folders; of a folder, which names are in it."""
    if len(paths) > MANY and sys.platform == "linux":
        os.sync()
        return
    for path in dict.fromkeys(paths):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def make_folders(*folders: Path) -> None:
    """With their parents, each new one known to the disk."""
    changed: dict[Path, None] = {}
    for folder in folders:
        missing = folder
        while not missing.exists():
            missing = missing.parent
            changed[missing] = None
        folder.mkdir(parents=True, exist_ok=True)
    sync(list(changed))


PREFIX, ENDING = ".", ".draft"
LOCK = "lock"
NEW = ".new-draft."
SECONDS_TO_BEGIN = 60

_own: set[Path] = set()


@contextmanager
def draft_folder(parent: Path) -> Iterator[Path]:
    """A folder below an existing one, gone afterwards; it has room for files but for the name `lock`."""
    from filelock import FileLock  # 50 ms, for commands that write

    sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=NEW, dir=parent))
    lock = FileLock(folder / LOCK)
    lock.acquire()
    # Named as a draft only once it is locked: no sweeper finds it in between.
    folder = folder.rename(folder.with_name(f"{PREFIX}{folder.name.removeprefix(NEW)}{ENDING}"))
    _own.add(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _own.discard(folder)
        lock.release()


def own_temporary_folder() -> Path:
    """A folder of this user in the system's folder for temporary files, for what commands share."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"normhouse-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise LakeError(
            f"cannot make {folder} ({error.strerror}): set TMPDIR to a folder that you can write"
        ) from error
    # anybody may write beside it, and a folder of another user could hold links to files of ours
    if folder.is_symlink() or (hasattr(os, "getuid") and folder.stat().st_uid != user):
        raise LakeError(f"{folder} is a link or belongs to another user: set TMPDIR to a folder of your own")
    return folder


def sweep(parent: Path) -> None:
    """Removes drafts below a folder that nobody is writing any more."""
    try:
        found = [Path(entry) for entry in os.scandir(parent) if entry.name.startswith(PREFIX)]
    except OSError:
        return
    for folder in found:
        if folder.name.startswith(NEW):
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > SECONDS_TO_BEGIN:
                    shutil.rmtree(folder, ignore_errors=True)
        elif folder.name.endswith(ENDING) and folder not in _own:
            _sweep(folder)


def drop_own() -> None:
    """Before this process ends without leaving its blocks."""
    for folder in tuple(_own):
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(folder: Path) -> None:
    from filelock import FileLock, Timeout

    with suppress(OSError, Timeout):
        if not (folder / LOCK).exists() and folder.exists():
            shutil.rmtree(folder, ignore_errors=True)
            return
        with FileLock(folder / LOCK, timeout=0):
            shutil.rmtree(folder, ignore_errors=True)
