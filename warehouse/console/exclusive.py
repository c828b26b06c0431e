"""One process after the other, where two at once would write over each other's work."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from warehouse.console.output import remark
from warehouse.storage.drafts import own_temporary_folder

SECONDS_UNSAID = 0.5


@contextmanager
def exclusive_output(path: Path) -> Iterator[None]:
    """The only process of this machine's user that writes this path; another one waits, and says so."""
    from filelock import FileLock, Timeout

    # Not beside the path: people look there, and may delete what they do not know.
    folder = own_temporary_folder()
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    lock = FileLock(folder / f"{name}.lock")
    try:
        lock.acquire(timeout=SECONDS_UNSAID)
    except Timeout:
        remark(f"another command is writing {path}: waiting for it")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
