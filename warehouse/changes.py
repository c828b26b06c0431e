"""Changes to a lake that happen whole or not at all, also when the power fails in between.

A change is written file by file below `data/.work/<lake>/<n>/`, at the paths it will have in the lake. When
all are on disk, a journal that lists them is renamed into place: from then on the change counts as made.
Moving the files is then only a matter of finishing, which `recover` does again after a crash. Without a
journal the staged files are rubbish and are removed. The lake itself holds tables and nothing else.

One process writes a lake at a time (a lock the operating system frees when the process dies); readers need
no lock.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from warehouse.errors import LakeBusy, LakeError
from warehouse.lake import Lake
from warehouse.older_layout import drop_hive_names, has_hive_names

JOURNAL = "journal.json"
NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Change:
    """Files being staged for one atomic change of a lake."""

    def __init__(self, lake: Lake, folder: Path) -> None:
        self._lake = lake
        self._folder = folder
        self._files: list[str] = []
        self._removed: list[str] = []

    def file(self, relative: str) -> Path:
        """Where to write what will become `relative` in the lake."""
        path = self._folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        self._files.append(relative)
        return path

    def remove(self, relative: str) -> None:
        """Drop a file of the lake in the same change."""
        self._removed.append(relative)

    def publish(self) -> None:
        for relative in self._files:
            _sync(self._folder / relative)
        draft = self._folder / "draft"
        draft.write_text(json.dumps({"files": self._files, "removed": self._removed}))
        _sync(draft)
        draft.rename(self._folder / JOURNAL)
        _sync(self._folder)
        _finish(self._lake, self._folder)


@contextmanager
def writing(lake: Lake) -> Iterator[None]:
    """Hold the lake's write lock; refuses at once when another process has it."""
    work = _work_folder(lake)
    _make_folder(work)
    # Here, because it takes 50 ms to import, which commands that only read need not pay.
    from filelock import FileLock, Timeout

    lock = FileLock(work / "lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise LakeBusy(
            f"lake {lake.name!r} is being written by another ingest: wait until it is done, "
            f"or choose another lake with --lake NAME"
        ) from None
    try:
        recover(lake)
        yield
    finally:
        lock.release()


@contextmanager
def staged_change(lake: Lake) -> Iterator[Change]:
    """Call inside `writing`. What is not published when the block ends is thrown away."""
    work = _work_folder(lake)
    number = max((int(path.name) for path in work.glob("[0-9]*")), default=0) + 1
    folder = work / str(number)
    try:
        folder.mkdir(parents=True)
        yield Change(lake, folder)
    except OSError as error:
        if error.errno in NO_SPACE or "No space left" in str(error) or "File too large" in str(error):
            raise LakeError(
                f"no space to write lake {lake.name!r} in {lake.path} ({error.strerror or error}): "
                f"it is as it was before; free some space and run the same command again"
            ) from error
        raise
    finally:
        if not (folder / JOURNAL).exists():
            shutil.rmtree(folder, ignore_errors=True)


def recover(lake: Lake) -> None:
    """Finish what was published but not moved before a crash; remove what was not published."""
    for folder in sorted(_work_folder(lake).glob("[0-9]*"), key=lambda path: int(path.name)):
        if (folder / JOURNAL).exists():
            _finish(lake, folder)
        else:
            shutil.rmtree(folder)
    drop_hive_names(lake)


def recover_if_idle(lake: Lake) -> None:
    """For readers: repair after a crash, unless a writer is at it right now."""
    if any(_work_folder(lake).glob(f"*/{JOURNAL}")) or has_hive_names(lake):
        try:
            with writing(lake):
                pass
        except LakeBusy:
            return


def _finish(lake: Lake, folder: Path) -> None:
    journal = json.loads((folder / JOURNAL).read_text())
    for relative in journal["removed"]:
        (lake.path / relative).unlink(missing_ok=True)
    for relative in journal["files"]:
        staged, final = folder / relative, lake.path / relative
        if staged.exists():
            final.parent.mkdir(parents=True, exist_ok=True)
            staged.replace(final)
            _sync(final.parent)
    shutil.rmtree(folder)


def _work_folder(lake: Lake) -> Path:
    return lake.path.parent / ".work" / lake.name


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LakeError(f"cannot make {path} ({error.strerror}): check the folder and its rights") from error


def _sync(path: Path) -> None:
    """Force a file or folder to disk, so that a journal never outlives what it promises."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
