"""Work in other processes, beside what a command does itself."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class WorkerProcesses(ProcessPoolExecutor):
    """Ctrl-C is for the command alone, which ends its workers; they would each show a traceback."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        # A process that begins with the signal ignored goes on ignoring it, and here is where they begin.
        if threading.current_thread() is not threading.main_thread():
            return super().submit(fn, *args, **kwargs)
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.signal(signal.SIGINT, before)


def worker_processes(count: int) -> ProcessPoolExecutor:
    """Not by fork: DuckDB has threads, and a forked process would inherit their locks but not them."""
    return WorkerProcesses(count, multiprocessing.get_context("spawn"), initializer=_with_one_thread)


def _with_one_thread() -> None:
    """Before NumPy is imported: threads of its own in each process would only get in each other's way."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
