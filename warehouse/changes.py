"""Changes to a lake that happen whole or not at all, also when the power fails in between.

A change is written file by file into a folder of `data/.work/<lake>/`. When all are on disk, a journal that
says where each belongs, with its size and digest, is renamed into place: from then on the change counts as
made. Moving the files is then only a matter of finishing (warehouse/recovery.py), which the next command does
again after a crash. Without a journal the staged files are rubbish and are removed.

A model is there when its row of `models` is: that file is taken away first and moved last, so that nobody
who looks for models there first meets one in part.

One process writes a lake at a time (a lock the operating system frees when the process dies); readers need
no lock.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from warehouse.digests import stored_file
from warehouse.errors import LakeBusy, LakeError
from warehouse.lake import Lake
from warehouse.older_layout import has_hive_names
from warehouse.recovery import JOURNAL, finish, recover, unfinished, work_folder
from warehouse.scratch import sweep
from warehouse.sync import make_folders, sync

if TYPE_CHECKING:
    from warehouse.schemas import StoredFile

NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FOR_EVER = -1
# It takes some milliseconds; with thousands of files on a busy disk, a second or two.
SECONDS_TO_MOVE = 20
SECONDS_BETWEEN_LOOKS = 0.002


class Change:
    """Files being staged for one atomic change of a lake."""

    def __init__(self, lake: Lake, folder: Path) -> None:
        self._lake = lake
        self._folder = folder
        self._files: dict[str, Path] = {}
        self._written: dict[str, StoredFile] = {}
        self._removed: list[str] = []
        self._removed_after: list[str] = []

    def file(self, relative: str) -> Path:
        """Where to write what will become `relative` in the lake."""
        # All in one folder: one to force to disk, not two a table.
        return self._files.setdefault(relative, self._folder / f"{len(self._files)}-{Path(relative).name}")

    def remove(self, relative: str) -> None:
        """Drop a file of the lake in the same change."""
        self._removed.append(relative)

    def remove_after(self, relative: str) -> None:
        """Drop a file of the lake once everything new is in place; not at all if some of that is lost."""
        self._removed_after.append(relative)

    def written(self) -> list[StoredFile]:
        """What was staged up to now, as it is on disk; it must not change any more."""
        for relative in self._files.keys() - self._written.keys():
            self._written[relative] = stored_file(relative, self._files[relative])
        return [self._written[relative] for relative in self._files]

    def publish(self) -> None:
        sync([*self._files.values()])
        draft = self._folder / "draft"
        files = [{**one, "staged": self._files[one["file"]].name} for one in self.written()]
        removed = {"removed": self._removed, "removed_after": self._removed_after}
        draft.write_text(json.dumps({"files": files, **removed}))
        sync([draft])
        draft.rename(self._folder / JOURNAL)
        finish(self._lake, self._folder)


@contextmanager
def writing(lake: Lake, *, wait: bool = False) -> Iterator[None]:
    """Hold the lake's write lock; refuses at once when another process has it, unless told to wait."""
    if lake.is_published:
        raise LakeError(
            f"{lake.path} was written by `just publish`, and is left as its checksums say: "
            f"change the lake it was made of and publish that anew"
        )
    work = work_folder(lake)
    try:
        make_folders(work)
    except OSError as error:
        raise LakeError(f"cannot make {work} ({error.strerror}): check the folder and its rights") from error
    # Here, because it takes 50 ms to import, which commands that only read need not pay.
    from filelock import FileLock, Timeout

    lock = FileLock(work / "lock", timeout=FOR_EVER if wait else 0)
    try:
        lock.acquire()
    except Timeout:
        raise LakeBusy(
            f"lake {lake.name!r} is being written by another command: wait until it is done, "
            f"or choose another lake with --lake NAME"
        ) from None
    except OSError as error:
        raise LakeError(
            f"cannot lock lake {lake.name!r} in {work} ({error.strerror}): it is as it was before; check the "
            f"folder's rights and space and run the same command again"
        ) from error
    try:
        recover(lake)
        yield
    finally:
        lock.release()


@contextmanager
def staged_change(lake: Lake) -> Iterator[Change]:
    """Call inside `writing`. What is not published when the block ends is thrown away."""
    _refuse_read_only(lake)
    number = max((int(folder.name) for folder in unfinished(lake)), default=0) + 1
    folder = work_folder(lake) / str(number)
    try:
        make_folders(folder)
        yield Change(lake, folder)
    except OSError as error:
        # Only before the journal is there: what goes wrong later is said by `finish`.
        what, advice = "cannot write", "mend that"
        if error.errno in NO_SPACE or "No space left" in str(error) or "File too large" in str(error):
            what, advice = "no space to write", "free some space"
        raise LakeError(
            f"{what} lake {lake.name!r} in {lake.path} ({error.strerror or error}): it is as it was before; "
            f"{advice} and run the same command again"
        ) from error
    finally:
        if not (folder / JOURNAL).exists():
            shutil.rmtree(folder, ignore_errors=True)


def _refuse_read_only(lake: Lake) -> None:
    """Before anything is staged: a change that cannot be moved into place would keep readers out, too."""
    for folder in (lake.path, *lake.path.glob("[!.]*/")):
        if folder.exists() and not os.access(folder, os.W_OK):
            raise LakeError(
                f"lake {lake.name!r} cannot be written ({folder} is read-only), and nothing was: "
                f"change the folder's rights, or work on a copy"
            )


def recover_if_idle(lake: Lake) -> None:
    """For readers: repair after a crash and sweep what it left, unless a writer is at it right now."""
    sweep(lake.path)
    if unfinished(lake) or has_hive_names(lake):
        try:
            with writing(lake):
                pass
        except LakeBusy:
            _wait_for_move(lake)
        except LakeError:
            # What was never published is only in the way; what is half in place must not be read.
            if _is_moving(lake):
                raise


def _wait_for_move(lake: Lake) -> None:
    """A writer is at it: while it puts files into place, a model can be there by itself and in a part."""
    deadline = time.monotonic() + SECONDS_TO_MOVE
    while _is_moving(lake):
        if time.monotonic() > deadline:
            raise LakeBusy(
                f"lake {lake.name!r}: another command has been putting files into place for "
                f"{SECONDS_TO_MOVE} s: wait until it is done"
            )
        time.sleep(SECONDS_BETWEEN_LOOKS)


def _is_moving(lake: Lake) -> bool:
    return any((folder / JOURNAL).exists() for folder in unfinished(lake))
