"""Progress of long commands, on stderr: bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING

from warehouse.console.output import remark
from warehouse.errors import plain

if TYPE_CHECKING:
    from rich import progress


class Progress:
    """Use as a context; `quiet` leaves only failures."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._tasks: dict[str, progress.TaskID] = {}
        self._bars = None if quiet else _bars()

    def __enter__(self) -> Progress:
        if self._bars:
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars:
            self._bars.stop()

    def say(self, line: str) -> None:
        if not self._quiet:
            self.warn(line)

    def warn(self, line: str) -> None:
        """Print a line even when quiet. Markup and control characters in it have no effect."""
        if self._bars:
            self._bars.console.print(plain(line), markup=False)
        else:
            remark(plain(line))

    @property
    def has_bars(self) -> bool:
        return self._bars is not None

    def step(self, name: str, done: int, of: int, note: str = "") -> None:
        """Move the bar of this name, if there are bars."""
        if self._bars:
            if name not in self._tasks:
                self._tasks[name] = self._bars.add_task(plain(name), note="")
            self._bars.update(self._tasks[name], completed=done, total=of, note=plain(note))

    def finished(self, name: str, note: str) -> None:
        """The final note of a bar, or a line without bars."""
        if self._bars and name in self._tasks:
            self._bars.update(self._tasks[name], note=plain(note))
        else:
            self.say(f"{name}: {note}")


def _bars() -> progress.Progress | None:
    """None if stderr is no terminal that can redraw a line."""
    disabled = os.environ.get("HF_HUB_DISABLE_PROGRESS_BARS", "").upper() in {"1", "ON", "YES", "TRUE"}
    if disabled or not sys.stderr.isatty():
        return None
    from rich import progress  # slow to import, and without a terminal nothing needs it
    from rich.console import Console

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    if not console.is_interactive:
        return None
    # markup would let the name of a file colour the line or hide a link in it
    name = progress.TextColumn("{task.description:<14}", markup=False)
    note = progress.TextColumn("{task.fields[note]}", markup=False)
    columns = (name, progress.BarColumn(), progress.MofNCompleteColumn(), note)
    return progress.Progress(*columns, console=console)


def size_text(count: float) -> str:
    """A number of bytes for people."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:,.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"
