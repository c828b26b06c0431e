"""Run a command in a process with less of something: open files, address space, packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1]


def files(soft: int, hard: int | str | None = None) -> str:
    """Code that allows so many open files; `hard` may be an expression."""
    return f"resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {soft if hard is None else hard}))"


def megabytes(limit: int) -> str:
    """Code that allows so many megabytes of addresses."""
    return f"resource.setrlimit(resource.RLIMIT_AS, ({limit * 1_000_000}, {limit * 1_000_000}))"


def hide_packages(folder: Path, *names: str) -> Path:
    """A folder for PYTHONPATH: with it these packages, which only developers have, cannot be imported."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / f"{name}.py").write_text("raise ImportError('only developers have it')\n")
    return folder


def run_code(code: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run code that sets its own limits (`preexec_fn` would fork, and JAX warns of forks once loaded)."""
    return subprocess.run(
        [sys.executable, "-c", f"import resource, runpy, sys; {code}", *arguments],
        cwd=PROJECT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def run_limited(
    limit: str, package: str, *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """`python -m package arguments` under this limit."""
    return run_code(f"{limit}; runpy.run_module({package!r}, run_name='__main__')", *arguments, **variables)
