"""Ends a command at once on Ctrl-C, also in the middle of a query, and leaves nothing behind.

Python handles signals between its own instructions, but a query of DuckDB may take minutes. So a second
thread receives the signal, stops queries and workers, and ends the process if the command does not end
within a second. Files appear by renames, so this is safe at any moment.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

SECONDS = 1.0
INTERRUPTED = 130
_END = b"\0"
_asked = threading.Event()


def was_interrupted() -> bool:
    """Whether Ctrl-C was pressed. Any error after that comes from what was stopped."""
    return _asked.is_set()


@contextmanager
def loading() -> Iterator[None]:
    """For imports that take long: Ctrl-C or a lack of memory ends the process in one line.

    Nothing has begun yet. An exception in the middle of an import would show a traceback, or be turned into
    another error by the module that is being imported.
    """
    from warehouse.console.exhausted import (
        READING,
        exhausted,
        nearly_exhausted,
        require_address_space,
        spare_address_space,
    )
    from warehouse.errors import UsageError

    before = signal.getsignal(signal.SIGINT)
    # not if SIGINT is ignored or the caller has its own handler
    is_ours = _is_main_thread() and before in (signal.default_int_handler, signal.SIG_DFL)
    if is_ours:
        signal.signal(signal.SIGINT, _leave_at_once)
    try:
        require_address_space(READING)
        spare_address_space()
        yield
    except UsageError as error:
        sys.exit(f"error: {error}")
    except Exception as error:
        if message := exhausted(error) or nearly_exhausted():
            sys.exit(f"error: {message}")
        raise
    finally:
        # While a program starts, nothing catches a KeyboardInterrupt before `raise_interrupts` is called.
        if is_ours and before is not signal.SIG_DFL:
            signal.signal(signal.SIGINT, before)


def raise_interrupts() -> None:
    """From here on, Ctrl-C raises KeyboardInterrupt, which the caller handles."""
    if signal.getsignal(signal.SIGINT) is _leave_at_once:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave_at_once(_number: int, _frame: FrameType | None) -> None:
    with suppress(OSError):
        os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextmanager
def prompt_interrupts(said: str = "interrupted") -> Iterator[None]:
    """Make Ctrl-C end the block within a second. Without effect outside the main thread."""
    if not _is_main_thread():
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    handler = signal.signal(signal.SIGINT, _interrupt)
    watcher = threading.Thread(target=_watch, args=(reading, said), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(before)
        os.write(writing, _END)
        watcher.join()
        os.close(reading)
        os.close(writing)


def _interrupt(number: int, frame: FrameType | None) -> None:
    # DuckDB checks for signals in the middle of a query, and raises its own error instead of ours.
    _asked.set()
    signal.default_int_handler(number, frame)


def _watch(reading: int, said: str) -> None:
    is_stopping = False
    while True:
        ready, _, _ = select.select([reading], [], [], SECONDS if is_stopping else None)
        if not ready:
            _leave(said)
        received = os.read(reading, 1)
        if received == _END:
            return
        if received[0] == signal.SIGINT:
            is_stopping = True
            _asked.set()
            _end_queries()
            _end_workers()


def _end_queries() -> None:
    if "duckdb" in sys.modules:  # otherwise there are no queries
        from warehouse.catalog.connections import stop_queries

        stop_queries()


def _end_workers() -> None:
    if "multiprocessing" in sys.modules:
        import multiprocessing

        for worker in multiprocessing.active_children():
            worker.kill()


def _leave(said: str) -> None:
    from warehouse.storage.drafts import drop_own

    _end_workers()
    drop_own()
    with suppress(OSError):
        os.write(sys.stderr.fileno(), f"{said}\n".encode())
    os._exit(INTERRUPTED)
