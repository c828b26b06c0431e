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

# For more files than this, one sync of the whole machine is faster than 2 to 4 ms for each file.
MANY = 64


def sync(paths: Sequence[Path]) -> None:
    """Force files to disk, and of folders the list of their files."""
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
    """Create folders and their parents, and force each new one to disk."""
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
    """A new folder in an existing one, removed when the block ends. The name `lock` in it is taken."""
    from filelock import FileLock  # 50 ms, for commands that write

    sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=NEW, dir=parent))
    lock = FileLock(folder / LOCK)
    lock.acquire()
    # Rename it to a draft only once it is locked, so that `sweep` of another process leaves it alone.
    folder = folder.rename(folder.with_name(f"{PREFIX}{folder.name.removeprefix(NEW)}{ENDING}"))
    _own.add(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _own.discard(folder)
        lock.release()


def own_temporary_folder() -> Path:
    """This user's folder in the system's folder for temporary files. All commands share it."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"normhouse-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise LakeError(
            f"cannot make {folder} ({error.strerror}): set TMPDIR to a folder that you can write"
        ) from error
    # any user may create it, with links to our files in it
    if folder.is_symlink() or (hasattr(os, "getuid") and folder.stat().st_uid != user):
        raise LakeError(f"{folder} is a link or belongs to another user: set TMPDIR to a folder of your own")
    return folder


def sweep(parent: Path) -> None:
    """Remove the drafts in a folder whose process has ended."""
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
    """Remove the drafts of this process, before it ends in the middle of their blocks."""
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
