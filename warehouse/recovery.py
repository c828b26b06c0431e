"""Finishes changes of a lake that were published but not moved into place, and removes those that were not.

Every step may be done again: a model's row of `models` is away until all its other files are in place. What
a disk has lost in between is said, and the model it belongs to taken out, so that the lake stays whole.

Where models change into a part, or leave one, the folder of each table changes in one step
(warehouse/exchange.py): who reads it by itself meets every row once, also after a kill. Where the system
cannot, files are moved one by one, and what they replace is removed after that.
"""

from __future__ import annotations

import errno
import json
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from warehouse.digests import stored_file
from warehouse.errors import LakeError
from warehouse.exchange import TableAnew, put_in_place, take_back
from warehouse.lake import Lake, is_model_row
from warehouse.older_layout import drop_hive_names
from warehouse.sync import make_folders, sync

JOURNAL = "journal.json"
WORK = ".work"

Entry = dict[str, Any]
"""Of a journal: `staged`, the file's name there, and what `stored_file` says of it."""


def work_folder(lake: Lake) -> Path:
    """Beside the lake, which holds tables and nothing else; within it if it is linked to another disk."""
    beside = lake.path.parent / WORK / lake.name
    if lake.path.exists() and lake.path.stat().st_dev != lake.path.parent.stat().st_dev:
        return lake.path / WORK
    return beside


def unfinished(lake: Lake) -> list[Path]:
    """Folders of changes, oldest first."""
    return sorted(work_folder(lake).glob("[0-9]*"), key=lambda path: int(path.name))


def recover(lake: Lake) -> None:
    """Call while holding the write lock."""
    for folder in unfinished(lake):
        if (folder / JOURNAL).exists():
            finish(lake, folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    drop_hive_names(lake)


def finish(lake: Lake, folder: Path) -> None:
    """Moves the files of a published change into the lake."""
    try:
        sync([folder, folder.parent])
        _move(lake, folder)
    except OSError as error:
        reason = (
            "a table is linked to another disk: link the whole lake instead"
            if error.errno == errno.EXDEV
            else f"{error.strerror}: mend that"
        )
        raise LakeError(
            f"lake {lake.name!r}: the new files are safe in {folder}, but not yet in place ({reason}), "
            f"and run any command on the lake; it puts them there first"
        ) from error


def _move(lake: Lake, folder: Path) -> None:
    journal = _read(lake, folder)
    files: list[Entry] = journal["files"]
    lost = [one for one in files if _is_lost(lake, folder, one)]
    anew = _tables_anew(lake, folder, journal)
    if lost:
        for table in anew:
            take_back(table)
        files = _without_lost(lake, folder, files, lost)
    tables = {table.folder.name for table in anew}
    outside = [one for one in files if lost or _table(one) not in tables]
    _move_files(lake, folder, outside, journal["removed"])
    if not lost and not all(put_in_place(table) for table in anew):
        # from whatever has been exchanged by then
        _move_files(lake, folder, files)
        last = sorted(journal["removed_after"], key=lambda file: not is_model_row(file))
        _unlink(lake, last)
        _remove_empty(lake, last)
    shutil.rmtree(folder)


def _move_files(lake: Lake, folder: Path, files: Sequence[Entry], removed: Sequence[str] = ()) -> None:
    rows = [one for one in files if is_model_row(one["file"])]
    others = [one for one in files if not is_model_row(one["file"])]
    _unlink(lake, [one["file"] for one in rows if (folder / one["staged"]).exists()])
    _unlink(lake, removed)
    for group in (others, rows):
        _rename(lake, folder, group)


def _tables_anew(lake: Lake, folder: Path, journal: dict[str, Any]) -> list[TableAnew]:
    """Those that lose files once the new ones are there; `models` last."""
    going: dict[str, list[str]] = {}
    coming: dict[str, dict[str, Path]] = {}
    for file in journal.get("removed_after", ()):
        table, _, place = file.partition("/")
        going.setdefault(table, []).append(place)
    for one in journal["files"]:
        coming.setdefault(_table(one), {})[one["file"].partition("/")[2]] = folder / one["staged"]
    return [
        TableAnew(lake.path / table, folder / f"{table}.beside", coming.get(table, {}), going[table])
        for table in sorted(going, key=lambda table: (table == "models", table))
    ]


def _read(lake: Lake, folder: Path) -> dict[str, Any]:
    try:
        journal: dict[str, Any] = json.loads((folder / JOURNAL).read_text())
    except ValueError:
        _say(lake, f"the journal of an unfinished change in {folder} cannot be read; that change is dropped")
        return {"files": [], "removed": []}
    return journal


def _is_lost(lake: Lake, folder: Path, one: Entry) -> bool:
    """Neither staged nor, from an earlier attempt, in its place."""
    if (folder / one["staged"]).exists():
        return False
    final = lake.path / one["file"]
    known = {key: one[key] for key in ("file", "bytes", "sha256")}
    return not final.exists() or stored_file(one["file"], final) != known


def _without_lost(lake: Lake, folder: Path, files: Sequence[Entry], lost: Sequence[Entry]) -> list[Entry]:
    """What can still be moved. A model that lost a file is taken out with all its files."""
    for one in lost:
        _say(
            lake,
            f"{one['file']} of an unfinished change is gone; what it belongs to is taken out, ingest it anew",
        )
    broken = {_model(one) for one in lost}
    dropped = [one for one in files if one in lost or (_model(one) and _model(one) in broken)]
    dropped.sort(key=lambda one: not is_model_row(one["file"]))
    _unlink(lake, [one["file"] for one in dropped])
    for one in dropped:
        (folder / one["staged"]).unlink(missing_ok=True)
    return [one for one in files if one not in dropped]


def _table(one: Entry) -> str:
    return Path(one["file"]).parts[0]


def _model(one: Entry) -> str:
    """Whose file it is, by the layout `<table>/<model>/<table>.parquet`; empty if no model's."""
    parts = Path(one["file"]).parts
    return parts[1] if len(parts) == 3 else ""


def _unlink(lake: Lake, files: Sequence[str]) -> None:
    there = [lake.path / file for file in files if (lake.path / file).exists()]
    for path in there:
        path.unlink()
    sync([path.parent for path in there])


def _remove_empty(lake: Lake, files: Sequence[str]) -> None:
    """The folders of these files, unless something else came into one."""
    for file in files:
        with suppress(OSError):
            (lake.path / file).parent.rmdir()


def _rename(lake: Lake, folder: Path, files: Sequence[Entry]) -> None:
    moves = [(folder / one["staged"], lake.path / one["file"]) for one in files]
    moves = [(staged, final) for staged, final in moves if staged.exists()]
    make_folders(*(final.parent for _, final in moves))
    for staged, final in moves:
        staged.replace(final)
    sync([final.parent for _, final in moves])


def _say(lake: Lake, text: str) -> None:
    print(f"lake {lake.name}: {text}", file=sys.stderr)
