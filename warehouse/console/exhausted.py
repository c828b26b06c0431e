"""Recognises that open files, disk space or memory ran out, which libraries report in many error classes."""

from __future__ import annotations

import errno
import math
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from warehouse.errors import NormhouseError, UsageError

FILES = (errno.EMFILE, errno.ENFILE)
SPACE = (errno.ENOSPC, errno.EDQUOT)
FILES_WANTED = 4096
TOO_LITTLE_MEMORY = (
    "not enough memory: close other programs, or allow more with `ulimit -v unlimited`, and try again"
)
# Bytes of address space that reading needs. With 1.5 GB, libraries crash or report sound files as damaged.
READING = 2_000_000_000
# The same for drawing: with 64 GB, the JavaScript engine aborts with 40 lines of its own.
DRAWING = 80_000_000_000
# With fewer files left, an import may fail with an error of any class.
FEW_FILES = 4
# of glibc's malloc.h
M_ARENA_MAX = -8


def exhausted(error: BaseException) -> str:
    """What ran out and what to do, in one line; "" for other errors."""
    for one in _causes(error):
        text = " ".join(str(one).split())
        if _is_system(one, FILES, text, "Too many open files"):
            return _too_many_files()
        if _is_system(one, SPACE, text, "No space left on device"):
            if isinstance(error, NormhouseError) and isinstance(one, OSError):
                return ""  # its own message names the file and says what to do
            return (
                f"no space left on a disk ({text}): free some, or choose another folder "
                f"(TMPDIR is the one for temporary files)"
            )
        if isinstance(one, FileNotFoundError) and "No usable temporary directory" in text:
            return f"no folder for temporary files can be written ({text}): set TMPDIR to one that can"
        if _is_memory(one, text):
            return TOO_LITTLE_MEMORY
    return ""


def nearly_exhausted() -> str:
    """Like `exhausted`, for a failed import: says so if hardly any file can be opened."""
    return _too_many_files() if files_left() < FEW_FILES else ""


def allow_more_files() -> None:
    """Raise the limit of open files, which is 256 on some systems."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, FILES_WANTED)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def require_address_space(needed: int) -> None:
    """Refuse to begin if `ulimit -v` allows fewer bytes than needed."""
    with suppress(ImportError):
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft != resource.RLIM_INFINITY and soft < needed:
            raise UsageError(
                f"a process may use {soft / 1e6:,.0f} MB of address space here, and this needs "
                f"{needed / 1e6:,.0f} MB: allow more with `ulimit -v unlimited`"
            )


def spare_address_space() -> None:
    """Call before any thread is started. Where `ulimit -v` is set, all threads share one heap.

    glibc reserves 64 MB of addresses for each thread's own heap. Libraries that cannot start a thread then
    abort the process.
    """
    with suppress(ImportError):
        import resource

        if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
            return
    import ctypes

    with suppress(OSError, AttributeError):  # not glibc
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def files_left() -> float:
    """How many more files this process may open, connections included."""
    try:
        import resource

        allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if allowed == resource.RLIM_INFINITY:
            return math.inf
        opened = sum(1 for _ in Path("/dev/fd").iterdir())
    except ImportError:
        return math.inf
    except OSError as error:
        opened = allowed if error.errno == errno.EMFILE else 0
    return max(allowed - opened, 0)


def _too_many_files() -> str:
    limit = f" (the limit is {_file_limit()})" if _file_limit() else ""
    return (
        f"too many open files{limit}: allow more with `ulimit -n {FILES_WANTED}` and try again; "
        f"`just compact` gathers a lake into fewer files"
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, its causes, and the members of groups: HTTP clients wrap errors in their own."""
    seen: list[BaseException] = []
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and one not in seen:
            seen.append(one)
            yield one
            waiting += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]


def _is_system(error: BaseException, numbers: tuple[int, ...], text: str, words: str) -> bool:
    """From the operating system, or from DuckDB, which repeats its text but not its number."""
    if isinstance(error, OSError) and error.errno in numbers:
        return True
    return words in text and (isinstance(error, OSError) or _is_of("duckdb", "Error", error))


def _is_memory(error: BaseException, text: str) -> bool:
    return (
        isinstance(error, MemoryError)
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or (isinstance(error, ImportError) and "failed to map segment" in text)
        or (isinstance(error, RuntimeError) and "can't start new thread" in text)
        or _is_of("duckdb", "OutOfMemoryException", error)
        # a worker process that the system ended
        or _is_of("concurrent.futures.process", "BrokenProcessPool", error)
    )


def _is_of(module: str, name: str, error: BaseException) -> bool:
    """Without importing the module: if it was not imported, the error is not of that class."""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(error, getattr(loaded, name))


def _file_limit() -> int:
    with suppress(ImportError):
        import resource

        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 0
