"""Work in other processes, beside what a command does itself."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor


def worker_processes(count: int) -> ProcessPoolExecutor:
    """Not by fork: DuckDB has threads, and a forked process would inherit their locks but not them."""
    return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_with_one_thread)


def _with_one_thread() -> None:
    """Before NumPy is imported: threads of its own in each process would only get in each other's way."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
