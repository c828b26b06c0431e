"""One process after the other, where two at once would write over each other's work."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS_UNSAID = 0.5


@contextmanager
def turn(path: Path) -> Iterator[None]:
    """The only process of this machine's user that writes this path; another one waits, and says so."""
    from filelock import FileLock, Timeout

    # Not beside the path: people look there, and may delete what they do not know.
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"normhouse-{user}"
    folder.mkdir(mode=0o700, exist_ok=True)
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    lock = FileLock(folder / f"{name}.lock")
    try:
        lock.acquire(timeout=SECONDS_UNSAID)
    except Timeout:
        print(f"another command is writing {path}: waiting for it", file=sys.stderr)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
