"""The folder of a table takes another's place in one step: whoever reads it sees the one or the other, whole.

The new one is laid out beside, of links to the files that stay and to those that come. Linux exchanges two
folders at once (renameat2), on the file systems that people have; where it cannot, the caller moves files.
What was there before stays in the folder beside until the caller is done with all tables.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from warehouse.sync import make_folders, sync

# Of linux/fcntl.h and linux/fs.h: names are relative to where the process is; both must be there.
AT_FDCWD, RENAME_EXCHANGE = -100, 2

# An older kernel, a file system without links or without this step, a folder that another is mounted on.
CANNOT = {
    *(errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM, errno.EMLINK),
    *(errno.EXDEV, errno.EBUSY),
}


@dataclass(frozen=True)
class TableAnew:
    """A table's folder, what comes into it (by its place there) and what goes."""

    folder: Path
    beside: Path
    coming: Mapping[str, Path]
    going: Sequence[str]


def put_in_place(table: TableAnew) -> bool:
    """Whether it is; False where the system cannot exchange folders, and then the table is as it was."""
    if _is_in_place(table):
        return True
    if table.folder.is_symlink():
        return False
    make_folders(table.folder)
    shutil.rmtree(table.beside, ignore_errors=True)
    try:
        _lay_out(table)
    except OSError as error:
        if error.errno in CANNOT or isinstance(error, shutil.Error):
            return False
        raise
    is_done = exchange(table.folder, table.beside)
    sync([table.folder.parent, table.beside.parent])
    return is_done


def take_back(table: TableAnew) -> None:
    """What was there before the exchange, if there was one and all of it is left."""
    if table.going and all((table.beside / file).exists() for file in table.going):
        exchange(table.folder, table.beside)


def exchange(one: Path, other: Path) -> bool:
    """Whether it was done; False where the system cannot, and then nothing has changed."""
    rename = _renameat2()
    if rename is None:
        return False
    if rename(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(one))


def _renameat2() -> ctypes._NamedFuncPointer | None:
    if sys.platform != "linux":
        return None
    return getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)  # a C library older than 2018


def _is_in_place(table: TableAnew) -> bool:
    """From an earlier attempt. Links to one file are that file; what is staged no more was moved."""
    for place, staged in table.coming.items():
        final = table.folder / place
        if staged.exists() and not (final.exists() and final.samefile(staged)):
            return False
    return not any((table.folder / file).exists() for file in table.going)


def _lay_out(table: TableAnew) -> None:
    """What stays and what comes, by links, which take no room and little time."""
    going = {table.folder / file for file in table.going}
    emptied = {file.parent for file in going if {*file.parent.glob("*")} <= {file}}

    def leaving(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if (path := Path(folder, name)) in going or path in emptied]

    shutil.copytree(table.folder, table.beside, symlinks=True, ignore=leaving, copy_function=os.link)
    for place, staged in table.coming.items():
        if staged.exists():
            target = table.beside / place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            target.hardlink_to(staged)
    sync([table.beside, *(path for path in table.beside.rglob("*") if path.is_dir())])
